import { operations as calls } from '@kopilka/contract/operations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { call } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import type { UndoableRequest } from '../api/undoable-requests.ts'
import { t } from '../messages/lazy-messages.ts'
import { hideMessage, type MessageOptions, showMessage, shownMessages } from '../ui/snackbar.ts'
import { forgetUndone, notifyUndone, type Undoable, undoStack } from './undo-stack.ts'
import type { UndosUnderWay } from './watch-undos.ts'

/** Milliseconds after which an undo says that it is under way: that of many items takes seconds. */
const SHOWN_AFTER = 500

/** Titles of what was left as it is; more would fill the screen. */
const MAX_TITLES = 3

/** What undos have put back and left as it is. */
interface Undone {
  restored: number
  skipped: readonly { readonly title: string }[]
  skipped_count: number
}

/** Says what was left as it is; what was deleted for ever has no title. */
const skippedText = ({ restored, skipped, skipped_count }: Undone): string => {
  const titled = skipped.filter(({ title }) => title !== '').map(({ title }) => `«${title}»`)
  if (restored === 0 && titled.length === 0) return t('undo.skippedGone')
  const gone = titled.length < skipped.length ? [t('undo.gone')] : []
  const named = [...gone, ...titled.slice(0, MAX_TITLES)].join(', ')
  const more = skipped_count - (skipped.length - titled.length) - MAX_TITLES
  const titles = more > 0 ? t('undo.skipped.more', { titles: named, count: more }) : named
  return t(restored > 0 ? 'undo.skipped' : 'undo.skippedAll', { titles })
}

const shownWith = (text: string) => shownMessages().find((message) => message.text === text)

/** How many undos are under way. */
let underWay = 0

/** Says that this page has done nothing that could be undone, and where that of before is. */
export const showNothingToUndo = (openHistory: () => void): void => {
  if (underWay > 0) return
  const text = t('undo.nothingMade')
  const action = { label: t('title.operations'), run: openHistory }
  if (!shownWith(text)) showMessage(text, 'info', { action })
}

/**
 * Says that an undo is under way for as long as one is, unless the message is closed; returns the function that ends it.
 * `undos`: those of which it says how far they have come.
 */
const showBusy = (undos?: UndosUnderWay): (() => void) => {
  underWay += 1
  const text = t('undo.busy')
  const shown = () => shownWith(text)
  let isShown = false
  let detail: string | undefined
  let end: (() => void) | undefined
  const timer = setInterval(() => {
    // Shown again, it stays longer.
    if (!isShown || shown()) showMessage(text, 'info', { detail: undos ? detail : shown()?.detail })
    if (!isShown && undos)
      end = watch(undos, (said) => {
        detail = said
      })
    isShown = true
  }, SHOWN_AFTER)
  return () => {
    clearInterval(timer)
    end?.()
    underWay -= 1
    const message = shown()
    if (underWay === 0 && message) hideMessage(message)
  }
}

/** Loads what few undos take long enough for. */
const watch = (undos: UndosUnderWay, onText: (text: string | undefined) => void): (() => void) => {
  let isOver = false
  let end = () => {}
  import('./watch-undos.ts').then(
    ({ watchUndos }) => {
      if (!isOver) end = watchUndos(undos, onText)
    },
    // Without the number the message says what is under way.
    () => undefined,
  )
  return () => {
    isOver = true
    end()
  }
}

/** Statuses that concern one operation alone: it has no room, is too old, or was undone elsewhere. */
const OF_ONE: readonly unknown[] = [403, 404, 409]
const UNDONE = 409

/**
 * Undoes operations, the last one first, and says what was left as it is because it has changed since. One that cannot be undone
 * holds up no other. `offerAgain` makes the options of the message about those that are to be tried again: the server may do them yet.
 */
export const undoOperations = async (
  queryClient: QueryClient,
  ids: readonly string[],
  offerAgain: (left: readonly string[]) => MessageOptions = () => ({}),
): Promise<void> => {
  let undone: Undone | undefined
  let failure: unknown
  let conflict: unknown
  let left: readonly string[] = []
  const undos: UndosUnderWay = { id: '', done: 0, total: ids.length }
  const hideBusy = showBusy(undos)
  for (const [at, id] of ids.toReversed().entries())
    try {
      Object.assign(undos, { id, done: at })
      const { restored, skipped, skipped_count } = await call(calls.undo, { params: { id } })
      undone = {
        restored: restored + (undone?.restored ?? 0),
        skipped: [...(undone?.skipped ?? []), ...skipped],
        skipped_count: skipped_count + (undone?.skipped_count ?? 0),
      }
    } catch (caught) {
      const status = caught instanceof CallFailure && caught.status
      // That one was undone already says less than what others bring back, or fail with.
      if (status === UNDONE) conflict = caught
      else failure = caught
      if (OF_ONE.includes(status)) continue
      // The next user to sign in may be someone else.
      if (status !== 401) left = ids.slice(0, ids.length - at)
      break
    }
  hideBusy()
  forgetUndone(ids.filter((id) => !left.includes(id)))
  await refreshAll(queryClient)
  notifyUndone()
  if (undone) {
    if (undone.skipped_count === 0) showMessage(t('undo.done'), 'success')
    else showMessage(skippedText(undone))
  }
  const said = failure ?? (undone ? undefined : conflict)
  const again = offerAgain(left)
  // One that offers something does not go with the failure of the network, as others do.
  const options = again.action ? again : { about: aboutFailure(said) }
  if (said !== undefined) showMessage(failureText(said, 'undo.failure'), 'error', options)
}

/** Undoes the operation of a request that was under way once it has settled; one that has failed leaves nothing to undo. */
export const undoRequest = async (
  request: UndoableRequest,
  settled: Promise<unknown>,
  run: (undoable: Undoable) => Promise<void>,
): Promise<void> => {
  const hideBusy = showBusy()
  await settled
  const { operation } = request
  const noted = undoStack.findLast(({ operations }) => operation && operations?.has(operation))
  if (noted) await run(noted)
  hideBusy()
}
