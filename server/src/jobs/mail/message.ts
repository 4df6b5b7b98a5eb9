/** A letter in words, ready to be sent. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
}

/** What a way of sending needs to know besides the words. */
export interface Envelope extends Message {
  /** Stays the same when a letter is sent again: mail servers and readers know it for the same one. */
  id: string
  date: Date
}

/** A way of sending. Throws {@link Undeliverable} where trying again is no use, anything else where it may be. */
export type Deliver = (envelope: Envelope, signal: AbortSignal) => Promise<void>

/** The mail server refuses this letter for good. */
export class Undeliverable extends Error {
  override name = 'Undeliverable'
}

/** The mail server answered, and put this letter off. Others may go through. */
export class PutOff extends Error {
  override name = 'PutOff'
}
