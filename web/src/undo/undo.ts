import { operations as calls } from '@kopilka/contract/operations.ts'
import type { QueryClient } from '@tanstack/react-query'
import { refreshAll } from '../api/cache.ts'
import { call } from '../api/call.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { t } from '../messages/lazy-messages.ts'
import { hideMessage, showMessage, shownMessages } from '../ui/snackbar.ts'

/** Milliseconds after which an undo says that it is under way: that of many items takes seconds. */
const SHOWN_AFTER = 1000

/** Titles of what was left as it is; more would fill the screen. */
const MOST_TITLES = 3

/** Says what was left as it is; what was deleted for ever has no title. */
const skippedText = (skipped: readonly { title: string }[], restored: number): string => {
  const titled = skipped.filter(({ title }) => title !== '').map(({ title }) => `«${title}»`)
  if (restored === 0 && titled.length === 0) return t('undo.skippedGone')
  const gone = titled.length < skipped.length ? [t('undo.gone')] : []
  const named = [...gone, ...titled.slice(0, MOST_TITLES)].join(', ')
  const more = titled.length - MOST_TITLES
  const titles = more > 0 ? t('undo.skipped.more', { titles: named, count: more }) : named
  return t(restored > 0 ? 'undo.skipped' : 'undo.skippedAll', { titles })
}

/** How many undos are under way. */
let underWay = 0

/** Says that an undo is under way for as long as one is, unless the message is closed; returns the function that ends it. */
const showBusy = (): (() => void) => {
  underWay += 1
  const text = t('undo.busy')
  const shown = () => shownMessages().find((message) => message.text === text)
  let isShown = false
  const timer = setInterval(() => {
    // Shown again, it stays longer.
    if (!isShown || shown()) showMessage(text)
    isShown = true
  }, SHOWN_AFTER)
  return () => {
    clearInterval(timer)
    underWay -= 1
    const message = shown()
    if (underWay === 0 && message) hideMessage(message)
  }
}

/** Undoes operations, the last one first, and says what was left as it is because it has changed since. */
export const undoOperations = async (queryClient: QueryClient, ids: readonly string[]): Promise<boolean> => {
  const skipped: { title: string }[] = []
  let restored = 0
  const hideBusy = showBusy()
  try {
    for (const id of ids.toReversed()) {
      const undone = await call(calls.undo, { params: { id } })
      skipped.push(...undone.skipped)
      restored += undone.restored
    }
  } catch (failure) {
    showMessage(failureText(failure, 'undo.failure'), 'error', { about: aboutFailure(failure) })
    return false
  } finally {
    hideBusy()
    await refreshAll(queryClient)
  }
  if (skipped.length === 0) showMessage(t('undo.done'), 'success')
  else showMessage(skippedText(skipped, restored))
  return true
}
