export type SnackbarColour = 'info' | 'success' | 'error'

/** A message of the snackbar. Shown again it is a new object and its timer restarts. */
export interface Message extends MessageOptions {
  /** The same as long as it shows, also where a newer one took its place. */
  readonly id: number
  readonly text: string
  readonly colour: SnackbarColour
  /** In milliseconds since the page began. */
  readonly shownAt: number
}

export interface MessageOptions {
  /** Follows the text, and may change while it shows: a screen reader does not hear it. */
  readonly detail?: string | undefined
  /**
   * What it is about, by a key of the caller's own: of those of one colour about one thing the last one shows; see
   * {@link hideErrorsAbout}.
   */
  readonly about?: string | undefined
  /** It is there until it is closed, or what it is about is over: it asks for something that only the user can do. */
  readonly stays?: boolean
  /** A button in the message, such as undo; pressing it also hides the message. */
  readonly action?: { readonly label: string; readonly run: () => void }
}

/** Messages on show at most, unless all others have an action. */
const MAX_MESSAGES = 3

const LIFETIME_MS = { info: 6_000, success: 5_000, error: 10_000 }
/** Time to read, decide and reach the action. */
const WITH_ACTION_MS = 12_000

/** After how many milliseconds a message hides by itself; undefined: it does not. */
export const lifetimeOf = ({ colour, action, stays }: Message): number | undefined =>
  stays ? undefined : action ? WITH_ACTION_MS : LIFETIME_MS[colour]

let shown: readonly Message[] = []
const listeners = new Set<() => void>()

const replace = (messages: readonly Message[]): void => {
  shown = messages
  for (const listener of listeners) listener()
}

/** The messages that show now, the oldest first. */
export const shownMessages = (): readonly Message[] => shown

/** Called after every change of what shows; returns the function that ends it. */
export const onMessages = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const hideMessage = (message: Message): void => replace(shown.filter((other) => other !== message))

/** Hides all: they are of a user who has signed out. */
export const hideMessages = (): void => replace([])

const isError = ({ colour }: Message): boolean => colour === 'error'

/** Hides all errors but those that stay or offer something: something has succeeded since. */
export const hideErrors = (): void =>
  replace(shown.filter((message) => message.stays || message.action || !isError(message)))

/** Hides the errors with this key, each once it has shown for `leastMs`: the same thing has succeeded now. */
export const hideErrorsAbout = (about: string, leastMs = 0): void => {
  for (const message of shown) {
    if (!isError(message) || message.about !== about) continue
    const rest = message.shownAt + leastMs - performance.now()
    if (rest > 0) setTimeout(hideMessage, rest, message)
    else hideMessage(message)
  }
}

/** Drops the oldest message for the newest, errors last. Those that ask for something stay: for an action, or a decision. */
const withRoom = (messages: readonly Message[]): readonly Message[] => {
  if (messages.length < MAX_MESSAGES) return messages
  const others = messages.filter(({ action, stays }) => !action && !stays)
  const oldest = others.find((message) => !isError(message)) ?? others[0]
  return messages.filter((message) => message !== oldest)
}

let lastId = 0

/** Whether a new message takes the place of an old one; two with an action are alike only by what they are about. */
const replaces = (message: Message, old: Message): boolean =>
  message.colour === old.colour &&
  ((message.text === old.text && !message.action && !old.action) ||
    (!!message.about && message.about === old.about))

/** Shows a message at the edge of the page for a while; the same text once. A success hides the errors before it. */
export const showMessage = (
  text: string,
  colour: SnackbarColour = 'info',
  options: MessageOptions = {},
): void => {
  if (colour === 'success') hideErrors()
  lastId += 1
  const added: Message = { id: lastId, text, colour, shownAt: performance.now(), ...options }
  const old = shown.find((other) => replaces(added, other))
  const message = old ? { ...added, id: old.id } : added
  replace(old ? shown.map((other) => (other === old ? message : other)) : [...withRoom(shown), message])
}
