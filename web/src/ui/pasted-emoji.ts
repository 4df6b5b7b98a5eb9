import { parseHtml } from '../lib/trusted-types.ts'

/** Only emoji. Digits, `#` and `*` are components of some (Unicode Technical Standard 51), but alone they are no emoji. */
const EMOJI = /^(?![\d#*]+$)[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u

/** Replaces the pictures by which Telegram, WhatsApp and others show emoji with the characters. Other HTML stays as it is. */
export function withEmoji(html: string): string {
  if (!/emoji/i.test(html)) return html
  const page = parseHtml(html)
  for (const image of page.querySelectorAll('img'))
    if (EMOJI.test(image.alt) && /emoji/i.test(image.outerHTML)) image.replaceWith(image.alt)
  return page.body.innerHTML
}
