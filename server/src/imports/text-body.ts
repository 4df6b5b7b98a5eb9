import { escapeHtml } from '@kopilka/text/escape-html.ts'
import { textToHtml } from '@kopilka/text/text-to-html.ts'

/** An address as a paragraph with a link. */
export const linkParagraph = (url: string): string =>
  /^https?:\/\//i.test(url) ? `<p><a href="${escapeHtml(url)}">${escapeHtml(url)}</a></p>` : textToHtml(url)

/** Only one address, and nothing else. */
export const isAddress = (text: string): boolean => /^https?:\/\/\S+$/i.test(text.trim())

/** 'example.org/page' as a browser's address bar takes it. */
export const withScheme = (text: string): string =>
  /^[\p{L}\p{N}-]+(?:\.[\p{L}\p{N}-]+)+(?:[:/?#]\S*)?$/u.test(text) ? `https://${text}` : text

/** A code block; `language` as Markdown names it, empty where nobody says. */
export const codeBlock = (text: string, language = ''): string => {
  const ofLanguage = language === '' ? '' : ` class="language-${escapeHtml(language.toLowerCase())}"`
  return `<pre><code${ofLanguage}>${escapeHtml(text)}</code></pre>`
}
