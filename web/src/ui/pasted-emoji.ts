import { parseHtml } from '../lib/trusted-types.ts'

/** Emoji alone. Figures, which some of them begin with, are none. */
const EMOJI = /^(?![\d#*]+$)[\p{Extended_Pictographic}\p{Emoji_Component}]+$/u

/** Pictures by which Telegram, WhatsApp and others show emoji become these. Other HTML stays as it is. */
export function withEmoji(html: string): string {
  if (!/emoji/i.test(html)) return html
  const page = parseHtml(html)
  for (const image of page.querySelectorAll('img'))
    if (EMOJI.test(image.alt) && /emoji/i.test(image.outerHTML)) image.replaceWith(image.alt)
  return page.body.innerHTML
}
