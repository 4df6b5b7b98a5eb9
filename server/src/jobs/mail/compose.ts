import type { SendMailOptions } from 'nodemailer'

/** A message without its envelope. */
export interface Message {
  to: string
  subject: string
  text: string
  html: string
}

/** A message with what its transport needs. */
export interface Envelope extends Message {
  /** The same when a message is sent again, so that mail servers and readers recognise duplicates. */
  id: string
  date: Date
}

/** Sends a message. Throws what `JobHandler.run` of jobs/worker.ts throws. */
export type Mailer = (envelope: Envelope, signal: AbortSignal) => Promise<void>

/** The sender of messages. */
export interface Sender {
  name: string
  address: string
}

/** Parses `name@example.org` or `Name <name@example.org>`. */
export function senderOf(text: string): Sender {
  const { name = '', address = text } = /^(?<name>[^<]*)<(?<address>[^>]+)>$/.exec(text)?.groups ?? {}
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address.trim() }
}

/**
 * Options of nodemailer for a message. Addresses are separate from names, so that a comma never makes two recipients of
 * one; nodemailer may not fetch files or URLs.
 */
export const toMailOptions = (
  from: Sender,
  { id, date, to, subject, text, html }: Envelope,
): SendMailOptions => ({
  from,
  to: { name: '', address: to },
  subject,
  text,
  html,
  date,
  messageId: `<${id}@${from.address.replace(/^.*@/, '')}>`,
  // Prevents out-of-office replies (RFC 3834).
  headers: { 'Auto-Submitted': 'auto-generated' },
  disableFileAccess: true,
  disableUrlAccess: true,
})
