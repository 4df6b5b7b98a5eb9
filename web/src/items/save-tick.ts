import { withTask } from '@kopilka/text/task-lists.ts'
import { withTicks } from '@kopilka/text/ticks.ts'
import type { QueryClient } from '@tanstack/react-query'
import { cacheUpdated } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { itemQuery } from '../api/queries.ts'
import type { Versioned } from '../api/send.ts'
import { currentSignIn } from '../api/tokens.ts'
import '../messages/lazy-messages.ts'
import type { LazyMessageId } from '../messages/lazy-messages.ts'
import { i18n } from '../messages/messages.ts'
import type { PicturesMessageId } from '../messages/pictures-messages.ts'
import { showMessage, shownMessages } from '../ui/snackbar.ts'
import { undoableBy } from '../undo/undoable.ts'
import { bodyOf, type Item, type ItemKind, toForm, withBody } from './item-kind.ts'

interface Saving {
  signIn: string | undefined
  /** The body with all changes made by now. */
  wanted: string
  /** What is said once it is saved. */
  said: SentenceId
  saved: Promise<boolean>
}

type SentenceId = LazyMessageId | PicturesMessageId

/** What is said where a change is saved; where it is not: on a conflict, and otherwise before the reason. */
interface Sentences {
  saved: SentenceId
  conflict: SentenceId
  failure: SentenceId
  /** More of the kind may follow at once. */
  inRow?: boolean
}

/** Of the messages about small changes the last one shows: a list is ticked many times in a row. */
const CHANGE = 'change'
/** Milliseconds after the last tick when its message shows: it moves the page, where the next box may just be pressed. */
const PAUSE = 1_000
let pause: ReturnType<typeof setTimeout> | undefined

/** The items whose changes are being saved, by id. */
const underWay = new Map<string, Saving>()

/** Saves a tick in an item's text, as {@link saveChange} does. */
export const saveTick = (
  queryClient: QueryClient,
  kind: ItemKind,
  id: string,
  task: number,
  done: boolean,
): Promise<boolean> =>
  saveChange(queryClient, kind, id, (body) => withTask(body, task, done), {
    saved: done ? 'items.tick.done' : 'items.tick.undone',
    conflict: 'items.tick.conflict',
    failure: 'items.tick.failure',
    inRow: true,
  })

/**
 * Saves a small change of an item's text; changes made meanwhile are saved together after it. Returns whether it is saved.
 * A message offers to undo it, or says why it is not saved. Had somebody else changed the item, it is read again, and ticks are made
 * in the new version where that has their tasks.
 */
export const saveChange = (
  queryClient: QueryClient,
  kind: ItemKind,
  id: string,
  change: (body: string) => string,
  sentences: Sentences,
): Promise<boolean> => {
  clearTimeout(pause)
  const saving = underWay.get(id)
  if (saving && saving.signIn === currentSignIn()) {
    saving.wanted = change(saving.wanted)
    saving.said = 'items.changesSaved'
    return saving.saved
  }
  const before = queryClient.getQueryData(itemQuery(kind, id).queryKey)
  if (!before) return Promise.resolve(false)
  return save(queryClient, kind, before, change(bodyOf(before.value)), sentences)
}

/** `isUndo`: the message of it offers no undo. */
const save = (
  queryClient: QueryClient,
  kind: ItemKind,
  before: Versioned<Item>,
  wanted: string,
  sentences: Sentences,
  isUndo = false,
): Promise<boolean> => {
  const { id } = before.value
  const started = Promise.withResolvers<boolean>()
  const signIn = currentSignIn()
  const saving: Saving = { signIn, wanted, said: sentences.saved, saved: started.promise }
  underWay.set(id, saving)
  const isTheirs = () => currentSignIn() === signIn
  /** After a sign-out nothing is left of the item: what responds by then is not kept. */
  const theirs = <T>(response: T): T => {
    if (!isTheirs()) throw new CallFailure(401)
    return response
  }
  const run = async (): Promise<boolean> => {
    let saved = before
    /** What an undo brings back. */
    let old = bodyOf(before.value)
    let wasRefused = false
    try {
      while (bodyOf(saved.value) !== saving.wanted) {
        const sent = saving.wanted
        try {
          saved = theirs(await put(kind, saved, sent))
          wasRefused = false
          // The server writes HTML its own way.
          if (saving.wanted === sent) saving.wanted = bodyOf(saved.value)
        } catch (failure) {
          if (wasRefused || !isConflict(failure)) throw failure
          wasRefused = true
          const now = theirs(await callWithEtag(kind.calls.read, { params: { id } }))
          const body = withTicks(bodyOf(saved.value), saving.wanted, bodyOf(now.value))
          if (body === undefined) throw failure
          saving.wanted = body
          saved = now
          old = bodyOf(now.value)
          // The screen shows the new version at once with what is ticked in it: the next tick has its place there.
          cacheUpdated(queryClient, kind, { ...now, value: withBody(now.value, body) })
        }
      }
      cacheUpdated(queryClient, kind, saved)
      // A tick that was taken back meanwhile, or made by somebody else, leaves nothing to undo.
      if (saving.wanted === old) return true
      const action = isUndo ? {} : undoableBy(() => undo(queryClient, kind, old, saved, sentences))
      const say = () => {
        if (isTheirs()) showMessage(i18n._(saving.said), 'success', { ...action, about: CHANGE })
      }
      // In the place of another message it moves nothing.
      const isMoving = !shownMessages().some(({ about }) => about === CHANGE)
      if (isUndo || !sentences.inRow || !isMoving) say()
      else pause = setTimeout(say, PAUSE)
      return true
    } catch (failure) {
      if (!isTheirs()) return false
      if (saved !== before) cacheUpdated(queryClient, kind, saved)
      await showFailure(queryClient, kind, id, failure, sentences)
      return false
    } finally {
      if (underWay.get(id) === saving) underWay.delete(id)
    }
  }
  void run().then(started.resolve, started.reject)
  return saving.saved
}

/** Saves an item's body over the version named: its title and address stay, tags and pin too. */
const put = (kind: ItemKind, { value, etag }: Versioned<Item>, body: string): Promise<Versioned<Item>> => {
  const { tags: _, ...fields } = toForm(kind, withBody(value, body))
  const request = kind.calls.update.body.parse(fields)
  return callWithEtag(kind.calls.update, { params: { id: value.id }, body: request }, { ifMatch: etag })
}

/** Brings back the body from before a change; where the item has changed since, what was ticked is taken back in it. */
const undo = async (
  queryClient: QueryClient,
  kind: ItemKind,
  body: string,
  changed: Versioned<Item>,
  sentences: Sentences,
): Promise<void> => {
  clearTimeout(pause)
  const { id } = changed.value
  while (underWay.has(id)) await underWay.get(id)?.saved
  const now = queryClient.getQueryData(itemQuery(kind, id).queryKey)
  // After the undo of a later change the text is the same again, with another ETag.
  const version = now && bodyOf(now.value) === bodyOf(changed.value) ? now : changed
  await save(queryClient, kind, version, body, { ...sentences, saved: 'undo.done' }, true)
}

const isConflict = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 412

const showFailure = async (
  queryClient: QueryClient,
  kind: ItemKind,
  id: string,
  failure: unknown,
  sentences: Sentences,
): Promise<void> => {
  if (isConflict(failure)) {
    showMessage(i18n._(sentences.conflict), 'error')
    return queryClient.refetchQueries({ queryKey: itemQuery(kind, id).queryKey })
  }
  showMessage(failureText(failure, sentences.failure), 'error', { about: aboutFailure(failure) })
}
