import type { NodemailerError, Transporter } from 'nodemailer'
import { composed, type Sender } from './compose.ts'
import { type Deliver, PutOff, Undeliverable } from './message.ts'

/** Milliseconds. A mail server that takes longer is as good as away. */
const LIMITS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
}

/** Steps at which a refusal is about this letter; at the others it is about the settings, which can be mended. */
const ABOUT_THE_LETTER: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

/** Sends through the mail server at `url`. */
export function smtpDelivery(url: string, from: Sender): Deliver {
  let transport: Transporter | undefined
  const connected = async () => {
    const { createTransport } = await import('nodemailer')
    // No logging: it would hold the mails.
    return createTransport({ url, ...LIMITS, logger: false, debug: false })
  }
  return async (envelope, signal) => {
    try {
      transport ??= await connected()
      await transport.sendMail({ ...composed(from, envelope), signal })
    } catch (error) {
      throw explained(error)
    }
  }
}

/** What went wrong in our words: the mail server's answer may quote the address, or more. */
function explained(error: unknown): Error {
  const { code = 'error', responseCode, permanent, command } = error as NodemailerError
  const what = [code, command, responseCode].filter((part) => part !== undefined).join(' ')
  if (permanent && ABOUT_THE_LETTER.has(command)) return new Undeliverable(what)
  return responseCode === undefined ? new Error(what) : new PutOff(what)
}
