import type { Locale } from '@kopilka/contract/messages.ts'
import type { Message } from '../jobs/mail/message.ts'

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

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escaped = (text: string): string => text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/** The letter with the link to a new password, as text and as HTML. */
export function resetLetter(locale: Locale, { to, link }: { to: string; link: string }): Message {
  const { subject, greeting, request, button, limits, notYou, copy } = WORDS[locale]
  const text = `${greeting}\n\n${request}\n\n${link}\n\n${limits}\n\n${notYou}\n`

  // Mail readers know little of style sheets: what there is stands in the elements themselves.
  const html = `<!doctype html>
<html lang="${locale}">
<head><meta charset="utf-8"><meta name="color-scheme" content="light dark"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:system-ui,-apple-system,'Segoe UI',Roboto,Arial,sans-serif;font-size:16px;line-height:1.5">
<div style="max-width:520px;margin:0 auto">
<p>${escaped(greeting)}</p>
<p>${escaped(request)}</p>
<p style="margin:24px 0"><a href="${escaped(link)}" style="display:inline-block;padding:12px 20px;border-radius:6px;background:#256f61;color:#ffffff;text-decoration:none;font-weight:600">${escaped(button)}</a></p>
<p>${escaped(limits)}</p>
<p>${escaped(notYou)}</p>
<p style="font-size:13px">${escaped(copy)}<br><a href="${escaped(link)}" style="word-break:break-all">${escaped(link)}</a></p>
</div>
</body>
</html>
`
  return { to, subject, text, html }
}
