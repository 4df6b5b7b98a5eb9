import type { Locale } from '@kopilka/contract/field-messages.ts'
import { escapeHtml } from '@kopilka/text/escape-html.ts'
import type { Clock } from '../clock.ts'
import type { Config } from '../config.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Mailer, Message } from '../jobs/mail/compose.ts'
import { MAIL_RETRIES } from '../jobs/mail/mailer.ts'
import { isClaimed, type Job } from '../jobs/queue.ts'
import type { JobHandler } from '../jobs/worker.ts'
import { hashSecret, newSecret } from '../sessions/tokens.ts'

/** The kind of the jobs that send mail with a reset link. Their payload is {@link ResetPayload}. */
export const RESET_MAIL = 'password-reset'

interface ResetPayload {
  locale: Locale
}

/** Milliseconds from the time of sending (docs/behaviour.md, section 3). */
export const RESET_LIFE = 60 * 60_000

/** Parameters of the link in the mail: the owner's id and the secret. */
export interface ResetLink {
  uid: string
  token: string
}

/**
 * Creates the owner's reset in place of an earlier one and returns the email to send it to. Undefined where the job was
 * cancelled, is leased by another server, or is for an unknown email.
 */
export const issueReset = command(
  'users.issue-reset',
  async (
    trx,
    {
      job,
      ...reset
    }: { job: Pick<Job, 'owner_id' | 'id' | 'attempts'>; token_hash: string; expires_at: number },
  ) => {
    if (!(await isClaimed(trx, job))) return undefined
    const { owner_id } = job
    const user = await trx
      .selectFrom('users')
      .select('email')
      .where('owner_id', '=', owner_id)
      .executeTakeFirst()
    if (!user) return undefined
    await trx
      .insertInto('password_resets')
      .values({ owner_id, ...reset })
      .onConflict((conflict) => conflict.column('owner_id').doUpdateSet(reset))
      .execute()
    return user.email
  },
)

interface Dependencies {
  db: Database
  clock: Clock
  mailer: Mailer
  config: Pick<Config, 'PUBLIC_URL'>
}

/**
 * Sends reset mail. The token is created just before sending and is in the mail only, so the database and its backups
 * hold nothing that opens an account.
 */
export const resetMailHandler = ({ db, clock, mailer, config }: Dependencies): JobHandler => ({
  ...MAIL_RETRIES,
  async run(job, signal) {
    const { owner_id, id, attempts, created_at } = job
    const token = newSecret()
    const reset = { token_hash: hashSecret(token), expires_at: clock() + RESET_LIFE }
    const email = await db.write(issueReset, { job: { owner_id, id, attempts }, ...reset })
    if (email === undefined) return
    const link = new URL('/auth/password-confirm', config.PUBLIC_URL)
    link.search = new URLSearchParams({ uid: owner_id, token }).toString()
    // Written by requestReset.
    const { locale } = JSON.parse(job.payload) as ResetPayload
    await mailer(
      { ...composeResetMail(locale, { to: email, link: link.href }), id, date: new Date(created_at) },
      signal,
    )
  },
})

const WORDS = {
  ru: {
    subject: 'Сброс пароля в Копилке',
    greeting: 'Здравствуйте!',
    request: 'Вы попросили сбросить пароль в Копилке. Чтобы задать новый, откройте ссылку:',
    button: 'Задать новый пароль',
    limits: 'Ссылка действует один час и сработает один раз. Новое письмо отменяет ссылку из прежнего.',
    notYou:
      'Если вы об этом не просили, ничего делать не нужно: пароль останется прежним. Никому не пересылайте это письмо.',
    copy: 'Если кнопка не открывается, скопируйте этот адрес в браузер:',
  },
  en: {
    subject: 'Reset your Копилка password',
    greeting: 'Hello!',
    request: 'You asked to reset your password in Копилка. To choose a new one, open this link:',
    button: 'Choose a new password',
    limits: 'The link works for one hour and only once. A newer letter ends the link of an older one.',
    notYou:
      'If you did not ask for this, you need not do anything: your password stays as it is. Do not forward this letter.',
    copy: 'If the button does not open, copy this address into the browser:',
  },
} as const satisfies Record<Locale, Record<string, string>>

/** Mail with the reset link, as text and as HTML. */
function composeResetMail(locale: Locale, { to, link }: { to: string; link: string }): Message {
  const { subject, greeting, request, button, limits, notYou, copy } = WORDS[locale]
  const text = `${greeting}\n\n${request}\n\n${link}\n\n${limits}\n\n${notYou}\n`

  // Styles are inline, because mail readers support few style sheets.
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
<p>${escapeHtml(greeting)}</p>
<p>${escapeHtml(request)}</p>
<p style="margin:24px 0"><a href="${escapeHtml(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#256f61;color:#ffffff;text-decoration:none;font-weight:600">${escapeHtml(button)}</a></p>
<p>${escapeHtml(limits)}</p>
<p>${escapeHtml(notYou)}</p>
<p style="font-size:13px">${escapeHtml(copy)}<br><a href="${escapeHtml(link)}" style="word-break:break-all">${escapeHtml(link)}</a></p>
</div>
</body>
</html>
`
  return { to, subject, text, html }
}
