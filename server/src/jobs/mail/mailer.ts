import { isIPv4 } from 'node:net'
import type { FastifyBaseLogger } from 'fastify'
import type { NodemailerError } from 'nodemailer'
import type { Config } from '../../config.ts'
import { JobDeferred, type JobHandler, JobRejected } from '../worker.ts'
import { type Mailer, type Sender, senderOf, toMailOptions } from './compose.ts'
import { outboxMailer, outboxOf } from './outbox.ts'

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE

/** Retry delays of mail jobs, which are dropped after a day. */
export const MAIL_RETRIES: Omit<JobHandler, 'run'> = {
  timeout: MINUTE,
  backoff: [10 * SECOND, 30 * SECOND, MINUTE, 5 * MINUTE, 15 * MINUTE, HOUR],
  giveUpAfter: 24 * HOUR,
}

type MailSettings = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'DATA_DIR'>

/** Creates the mailer of the settings: through a mail server or, without one, into a folder. */
export function createMailer(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, DATA_DIR }: MailSettings,
  log: Pick<FastifyBaseLogger, 'info'>,
): Mailer {
  const from = MAIL_FROM === '' ? noReplyAt(new URL(PUBLIC_URL).hostname) : senderOf(MAIL_FROM)
  if (SMTP_URL !== '') return smtpMailer(SMTP_URL, from)
  return outboxMailer(outboxOf({ DATA_DIR }), from, (file) =>
    log.info({ file }, 'Почта не настроена (SMTP_URL): письмо записано в файл'),
  )
}

/** IP addresses are in brackets in email addresses; URLs have them for IPv6 already. */
const noReplyAt = (host: string): Sender => ({
  name: 'Копилка',
  address: `no-reply@${isIPv4(host) ? `[${host}]` : host}`,
})

/** Milliseconds after which a mail server counts as unavailable. */
const SMTP_TIMEOUTS = {
  connectionTimeout: 10_000,
  greetingTimeout: 10_000,
  socketTimeout: 30_000,
  dnsTimeout: 10_000,
}

/**
 * Steps at which a refusal concerns the message. At other steps it concerns the settings, which can be fixed, so the job
 * is retried.
 */
const ABOUT_THE_MESSAGE: ReadonlySet<string | undefined> = new Set(['RCPT TO', 'DATA'])

function smtpMailer(url: string, from: Sender): Mailer {
  return async (envelope, signal) => {
    // Loaded lazily: most servers send few messages.
    const { createTransport } = await import('nodemailer')
    // Both logs stay off: they would contain the messages.
    const transport = createTransport({ url, ...SMTP_TIMEOUTS, logger: false, debug: false })
    try {
      await transport.sendMail({ ...toMailOptions(from, envelope), signal })
    } catch (error) {
      throw smtpFailure(error)
    }
  }
}

/** An error without the mail server's response, which may quote the address or more. */
function smtpFailure(error: unknown): Error {
  const { code = 'error', responseCode, permanent, command } = error as NodemailerError
  const what = [code, command, responseCode].filter((part) => part !== undefined).join(' ')
  if (permanent && ABOUT_THE_MESSAGE.has(command)) return new JobRejected(what)
  return responseCode === undefined ? new Error(what) : new JobDeferred(what)
}
