export type SnackbarColour = 'info' | 'success' | 'error'

/** What the snackbar says. A message said again is a new object: it begins to count anew. */
export interface Message {
  readonly text: string
  readonly colour: SnackbarColour
  /** What failed, by a name of the caller's own: see {@link hideErrorsAbout}. */
  readonly about?: string | undefined
}

/** More at once nobody reads. */
const MOST_MESSAGES = 3

let shown: readonly Message[] = []
const listeners = new Set<() => void>()

const replace = (messages: readonly Message[]): void => {
  shown = messages
  for (const listener of listeners) listener()
}

/** The messages that show now, the oldest first. */
export const shownMessages = (): readonly Message[] => shown

/** Called after every change of what shows; answers the function that ends it. */
export const onMessages = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export const hideMessage = (message: Message): void => replace(shown.filter((other) => other !== message))

const isError = ({ colour }: Message): boolean => colour === 'error'

/** Hides what failed before: something has succeeded since. */
export const hideErrors = (): void => replace(shown.filter((message) => !isError(message)))

/** Hides that something failed: just that has succeeded now. */
export const hideErrorsAbout = (about: string): void => {
  const others = shown.filter((message) => !(isError(message) && message.about === about))
  if (others.length < shown.length) replace(others)
}

/** The newest message never waits for its turn: the oldest goes, an error last. */
const withRoom = (messages: readonly Message[]): readonly Message[] => {
  if (messages.length < MOST_MESSAGES) return messages
  const oldest = messages.find((message) => !isError(message)) ?? messages[0]
  return messages.filter((message) => message !== oldest)
}

/**
 * Shows a message at the edge of the page for a while; the same text is not shown twice at once.
 * A success hides the errors before it.
 */
export const showMessage = (text: string, colour: SnackbarColour = 'info', about?: string): void => {
  if (colour === 'success') hideErrors()
  const message = { text, colour, about }
  const same = shown.find((other) => other.text === text && other.colour === colour)
  replace(same ? shown.map((other) => (other === same ? message : other)) : [...withRoom(shown), message])
}
