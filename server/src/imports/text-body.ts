import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'

/** An address as a paragraph with a link. */
export const linkParagraph = (url: string): string =>
  /^https?:\/\//i.test(url) ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : textToHtml(url)

/** Only one address, and nothing else. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())
