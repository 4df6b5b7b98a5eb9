import { isIPv4 } from 'node:net'
import { join } from 'node:path'
import type { FastifyBaseLogger } from 'fastify'
import type { Config } from '../../config.ts'
import { senderOf } from './compose.ts'
import type { Deliver } from './message.ts'
import { outboxDelivery } from './outbox.ts'
import { smtpDelivery } from './smtp.ts'

type MailSettings = Pick<Config, 'SMTP_URL' | 'MAIL_FROM' | 'PUBLIC_URL' | 'DATA_DIR'>

/** How letters are sent, as the settings say: through a mail server or, without one, into a folder. */
export function deliveryFor(
  { SMTP_URL, MAIL_FROM, PUBLIC_URL, DATA_DIR }: MailSettings,
  log: Pick<FastifyBaseLogger, 'info'>,
): Deliver {
  const from = MAIL_FROM === '' ? nobodyAt(new URL(PUBLIC_URL).hostname) : senderOf(MAIL_FROM)
  if (SMTP_URL !== '') return smtpDelivery(SMTP_URL, from)
  return outboxDelivery(join(DATA_DIR, 'outbox'), from, (file) =>
    log.info({ file }, 'Почта не настроена (SMTP_URL): письмо записано в файл'),
  )
}

/** IP addresses stand in brackets in mail; URLs have that for IPv6 already. */
const nobodyAt = (host: string) => ({
  name: 'Копилка',
  address: `no-reply@${isIPv4(host) ? `[${host}]` : host}`,
})
