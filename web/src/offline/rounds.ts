import { changes } from '@kopilka/contract/changes.ts'
import { files } from '@kopilka/contract/files.ts'
import { bytesOf, call, unlessLost, withToken } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { onWritten } from '../api/offline.ts'
import { send } from '../api/send.ts'
import { currentSignIn } from '../api/tokens.ts'
import { upload } from '../api/upload.ts'
import { setWaiting } from '../api/waiting.ts'
import { isLost, isReachable, onReachable } from '../lib/network.ts'
import { t } from '../messages/offline-messages.ts'
import { hideErrorsAbout, showMessage } from '../ui/snackbar.ts'
import {
  applyPage,
  forgetCopy,
  forgetRead,
  giveUpCopy,
  isCopyStorageFull,
  isGivenUp,
  showStorageFull,
} from './copy-store.ts'
import { isFull, OtherOwner, read } from './database.ts'
import { draftTexts, moveDraftsOf } from './drafts.ts'
import type { Entry } from './entry.ts'
import { forgetOldIds, outboxOf, readOutbox } from './outbox.ts'
import { pause } from './pause.ts'
import { indexCopy } from './search/search-copy.ts'
import {
  AWAY,
  blockOverOtherTexts,
  type Ending,
  newMemory,
  sendAll,
  sendable,
  type Transport,
} from './sending.ts'

/*
 * Rounds: what waits is sent, then the copy follows the server. One tab at a time makes one, and all do when there is a reason:
 * the page has opened, is looked at, has changed something, or the server is back.
 */

const LOCK = 'kopilka-offline'
/** Between pages of changes: others want the network too. */
const PAUSE_MS = 100
/** Between rounds of a page that is looked at. */
const EVERY_MS = 60_000
/** After a change: more may follow. */
const AFTER_WRITE_MS = 2_000
/** Where the server does not say when to ask again: twice as long each time, up to some. */
const FIRST_LATER_MS = 15_000
const LONGEST_LATER_MS = 5 * 60_000
/** A round for no special reason comes so long after the last one of this tab. */
const RECENT_MS = 30_000

type ChannelMessage = 'waiting' | 'sent' | 'followed'
const channel = new BroadcastChannel('kopilka-offline')

/** Refetches the queries of the screens. */
let refresh: (sent: ReadonlyMap<string, string>) => void = () => {}

/** Whether screens show responses from the copy. */
let wasServedFromCopy = false
export const noteServedFromCopy = (): void => {
  wasServedFromCopy = true
}

/** With the ids that the server has given in place of this browser's. */
async function refreshScreens(signIn = currentSignIn()): Promise<void> {
  wasServedFromCopy = false
  refresh(signIn === undefined ? new Map() : await outboxOf(signIn).resolved())
}

const UNDECIDED = 'undecided'
/** The change that the message on show asks to decide about. */
let askedAbout: string | undefined

/** Hides the message that asks for a decision. */
export const hideQuestion = (): void => hideErrorsAbout(UNDECIDED)

/** Shows how much waits, here and in other tabs. */
export async function showWaiting(signIn: string, notifyTabs = true): Promise<void> {
  const [{ entries, unreadable: broken }, resolved, pictures] = await Promise.all([
    readOutbox(signIn),
    outboxOf(signIn).resolved(),
    read(signIn, ['pictures'], (transaction) => transaction.objectStore('pictures').count()),
  ])
  const unreadable = broken.length
  // The counts are kept as those of who is signed in now.
  if (currentSignIn() !== signIn) return
  const idsOf = (some: readonly Entry[]) =>
    new Set(some.flatMap(({ target }) => [target, resolved.get(target) ?? target]))
  const undecided = entries.filter(({ state }) => state !== 'waiting')
  if (undecided.every(({ key }) => key !== askedAbout)) hideQuestion()
  // Of what was sent, drafts and addresses name the ids that it had here.
  const has = entries.length + unreadable + pictures + resolved.size > 0
  const waiting = {
    count: entries.length + unreadable,
    sendable: sendable(entries, resolved).length,
    undecided: undecided.length + unreadable,
    ...{ pictures, ids: idsOf(entries), undecidedIds: idsOf(undecided) },
  }
  setWaiting(has ? waiting : undefined)
  if (notifyTabs) channel.postMessage('waiting' satisfies ChannelMessage)
}

/** What waits goes with the tokens of the sign-in that it was read of: another tab may have signed someone else in since. */
const transportOf = (signIn: string): Transport => {
  const asSelf = <T>(work: () => Promise<T>): Promise<T> =>
    currentSignIn() === signIn ? work() : Promise.reject(new CallFailure(401))
  return {
    call: (endpoint, request, { timeoutMs, ...options }) =>
      asSelf(async () => {
        const timeout = timeoutMs === undefined ? undefined : AbortSignal.timeout(timeoutMs)
        const sending = (signal: AbortSignal) =>
          withToken((token) => send(endpoint, request as never, token, { ...options, signal }))
        try {
          return await unlessLost(sending, bytesOf(request), timeout)
        } catch (failure) {
          throw timeout?.aborted ? new CallFailure('no-response') : failure
        }
      }),
    upload: async (picture) => {
      const file = new File([picture], 'picture')
      const sending = (signal: AbortSignal) => upload(files.create, file, { signal, onProgress: () => {} })
      const { id } = await asSelf(() => unlessLost(sending, file.size))
      return id
    },
    isThere: async () => !(await isLost(true)),
  }
}

/** Says what was not taken. */
const sayBlocked = (entries: readonly Entry[], before: readonly Entry[]): void => {
  const blocked = new Set(before.filter(({ state }) => state !== 'waiting').map(({ key }) => key))
  for (const { key, title, state } of entries)
    if (state !== 'waiting' && !blocked.has(key)) {
      askedAbout = key
      const text = t(state === 'conflict' ? 'offline.conflictOf' : 'offline.refusedOf', { title })
      showMessage(text, 'error', { about: UNDECIDED, stays: true })
    }
}

/** What sending has met since this page opened. */
const memory = newMemory()

/**
 * Whether the server is the one that the copy has followed: one that was restored from a backup counts versions anew. Then the changes
 * that it would take over texts which the user has not seen are left to the user, and the copy starts over.
 */
async function recogniseServer(signIn: string, onChange: () => void): Promise<Ending> {
  const { cursor } = await read(signIn, [], async (_, owner) => owner)
  if (cursor === undefined) return { why: 'done' }
  const transport = transportOf(signIn)
  try {
    await transport.call(changes.follow, { query: { since: cursor, limit: '1' } }, {})
  } catch (failure) {
    if (!isGone(failure)) return isAway(failure) ? endingOf(failure) : { why: 'done' }
    try {
      await blockOverOtherTexts(outboxOf(signIn), transport, { onChange })
    } catch (failure) {
      return endingOf(failure)
    }
    // Last: where this is cut off the server is recognised as another one again.
    await forgetCopy(signIn)
  }
  return { why: 'done' }
}

/** The server has not the changes since the last ones that the copy has: they are kept no more, or it was restored from a backup. */
const isGone = (failure: unknown): boolean =>
  failure instanceof CallFailure && failure.status === 410 && !failure.isUnreachable

/** Nothing can be sent now. */
const isAway = (failure: unknown): boolean =>
  !(failure instanceof CallFailure) ||
  failure.isUnreachable ||
  failure.status === 401 ||
  AWAY.includes(failure.status)

/** What a call that failed says of the round. */
const endingOf = (failure: unknown): Ending => {
  if (!(failure instanceof CallFailure)) throw failure
  return failure.status === 401 ? { why: 'signed-out' } : { why: 'later', seconds: failure.retryAfter }
}

/** `first`: the server is to be recognised. */
async function sendWaiting(signIn: string, { first = false } = {}): Promise<Ending> {
  const outbox = outboxOf(signIn)
  const before = await outbox.entries()
  let isSent = false
  const onChange = () => {
    isSent = true
    void showWaiting(signIn)
  }
  let ending: Ending = { why: 'done' }
  if (first && before.length > 0) ending = await recogniseServer(signIn, onChange)
  if (ending.why === 'done') ending = await sendAll(outbox, transportOf(signIn), { onChange, memory })
  if (isSent) {
    void moveDraftsOf(signIn, false)
    await showWaiting(signIn)
    sayBlocked(await outbox.entries(), before)
    channel.postMessage('sent' satisfies ChannelMessage)
    await refreshScreens(signIn)
  }
  return ending
}

/**
 * Follows the changes to their end. Where the server has forgotten those since, the copy starts over; where there is no room for
 * it, it is given up.
 */
async function follow(signIn: string): Promise<Ending> {
  let hasChanged = false
  for (;;) {
    if (isGivenUp(signIn)) return { why: 'done' }
    const asked = await read(signIn, [], async (_, owner) => owner)
    try {
      const page = await call(changes.follow, { query: { since: asked.cursor } })
      // The changes may be those of somebody who has signed in since.
      if (currentSignIn() !== signIn) return { why: 'signed-out' }
      const isApplied = await applyPage(signIn, page, asked)
      if (isApplied === undefined) continue
      hasChanged ||= isApplied
      if (!page.has_more) {
        if (hasChanged) {
          channel.postMessage('followed' satisfies ChannelMessage)
          if (wasServedFromCopy) await refreshScreens(signIn)
        }
        // The round need not wait for it.
        indexCopy(signIn).catch(() => undefined)
        return { why: 'done' }
      }
      await pause(PAUSE_MS)
      // What somebody saves during a first copy does not wait for its end.
      const ending = await sendWaiting(signIn)
      if (ending.why !== 'done') return ending
    } catch (failure) {
      if (isFull(failure)) await giveUpCopy(signIn)
      else if (!isGone(failure)) return endingOf(failure)
      else {
        const ending = await sendWaiting(signIn, { first: true })
        if (ending.why !== 'done') return ending
        await forgetCopy(signIn)
      }
    }
  }
}

let last = 0
let later = FIRST_LATER_MS
let timer: ReturnType<typeof setTimeout> | undefined
let isUnderWay = false
let isWanted = false

async function round(signIn: string): Promise<void> {
  const sent = await sendWaiting(signIn, { first: true })
  const ending = sent.why === 'done' ? await follow(signIn) : sent
  last = Date.now()
  if (ending.why !== 'later') later = FIRST_LATER_MS
  if (ending.why !== 'later' || !isReachable()) return
  plan(ending.seconds ? 1000 * ending.seconds : later)
  later = Math.min(2 * later, LONGEST_LATER_MS)
}

async function run(): Promise<void> {
  const signIn = currentSignIn()
  if (signIn === undefined || !isReachable()) return
  if (isUnderWay) {
    isWanted = true
    return
  }
  isUnderWay = true
  isWanted = false
  isBehind = false
  try {
    await navigator.locks.request(LOCK, () => round(signIn))
  } catch (failure) {
    // Someone else has signed in meanwhile, the disk is full, or the page goes: the next round tries again.
    if (!(failure instanceof OtherOwner || failure instanceof DOMException)) throw failure
  } finally {
    isUnderWay = false
    if (isWanted) void run()
  }
}

const plan = (milliseconds: number): void => {
  clearTimeout(timer)
  timer = setTimeout(() => void run(), milliseconds)
}

/** The server has what the copy lacks: this page has changed it since the last round began. */
let isBehind = false

const noteWritten = (): void => {
  isBehind = true
  plan(AFTER_WRITE_MS)
}

let isPersistent = false

/** A change waits: it is sent at once where the server is there, and the browser is asked to keep it. */
export const noteQueued = (): void => {
  if (!isPersistent) void navigator.storage?.persist?.().catch(() => undefined)
  isPersistent = true
  void run()
}

const runIfDue = (): void => {
  // A page that is hidden may be closed next.
  const isVisible = document.visibilityState === 'visible'
  // A clock that was set back must not put the rounds off.
  const isDue = isVisible ? Math.abs(Date.now() - last) > RECENT_MS : isBehind
  if (isDue) void run()
}

/** A change was given up before it was sent: no screen is to show it any more. */
export const noteGivenUp = async (signIn: string): Promise<void> => {
  channel.postMessage('sent' satisfies ChannelMessage)
  await refreshScreens(signIn)
}

/** Sends now what waits. */
export const sendNow = (): void => void run()

/** Where the server is lost and there is no copy in its place: why. */
async function sayWhyEmpty(): Promise<void> {
  const signIn = currentSignIn()
  if (!isReachable() && signIn !== undefined && (await isCopyStorageFull(signIn))) showStorageFull()
}

/** Where nobody knows what drafts name, nothing is forgotten. */
async function forgetOld(signIn: string): Promise<void> {
  const texts = await draftTexts()
  if (texts !== undefined) await forgetOldIds(signIn, texts)
}

let isStarted = false

/**
 * Begins the rounds of this page. `onChange` is called when what screens show may have changed, with what ids of this browser's
 * have become.
 */
export function startRounds(onChange: typeof refresh): void {
  refresh = onChange
  const show = () => {
    const signIn = currentSignIn()
    if (signIn !== undefined) showWaiting(signIn, false).catch(() => undefined)
  }
  const signIn = currentSignIn()
  if (signIn !== undefined) forgetOld(signIn).then(show, show)
  void run()
  sayWhyEmpty().catch(() => undefined)
  if (isStarted) return
  isStarted = true
  onWritten(noteWritten)
  channel.onmessage = ({ data }: MessageEvent<ChannelMessage>) => {
    show()
    if (data === 'sent' || (data === 'followed' && wasServedFromCopy)) refreshScreens().catch(() => undefined)
  }
  onReachable(() => {
    if (!isReachable()) return void sayWhyEmpty().catch(() => undefined)
    if (wasServedFromCopy) refreshScreens().catch(() => undefined)
    forgetRead()
    void run()
  })
  setInterval(runIfDue, EVERY_MS)
  document.addEventListener('visibilitychange', runIfDue)
  window.addEventListener('focus', runIfDue)
  if (window.matchMedia('(display-mode: standalone)').matches)
    void navigator.storage?.persist?.().catch(() => undefined)
}
