import type { SendMailOptions } from 'nodemailer'

/** A message as its author writes it. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
}

/** A message with what its transport needs besides. */
export interface Envelope extends Message {
  /** Stays the same when a message is sent again: mail servers and readers know it for the same one. */
  id: string
  date: Date
}

/** Who messages are from. */
export interface Sender {
  name: string
  address: string
}

/** From `name@example.org` or `Name <name@example.org>`. */
export function senderOf(text: string): Sender {
  const { name = '', address = text } = /^(?<name>[^<]*)<(?<address>[^>]+)>$/.exec(text)?.groups ?? {}
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/**
 * The message as nodemailer takes it. Addresses are given apart from names, so that a comma never makes two of one;
 * and nothing in a message is fetched from anywhere.
 */
export const composed = (from: Sender, { id, date, to, subject, text, html }: Envelope): SendMailOptions => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  date,
  messageId: `<${id}@${from.address.replace(/^.*@/, '')}>`,
  // Keeps out-of-office replies from coming back (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})
