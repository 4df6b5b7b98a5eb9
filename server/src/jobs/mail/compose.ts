import type { SendMailOptions } from 'nodemailer'
import type { Envelope } from './message.ts'

/** Who letters are from. */
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
 * The letter as nodemailer takes it. Addresses are given apart from names, so that a comma never makes two of one;
 * and nothing in a letter is fetched from anywhere.
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
