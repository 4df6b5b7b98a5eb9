import { escapeHtml } from './escape-html.ts'

const ELEMENT = /<[a-z!/][^>]*>/i

/** Plain text becomes paragraphs and line breaks; text that already holds an element is HTML and stays as it is. */
export function linesToHtml(text: string): string {
  if (ELEMENT.test(text) || text.trim() === '') return text
  return text
    .trim()
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
    .map((paragraph) => `<p>${paragraph.split('\n').join('<br>')}</p>`)
    .join('')
}

/** Escapes plain text and makes its paragraphs and line breaks HTML. */
export const paragraphsToHtml = (text: string): string => linesToHtml(escapeHtml(text))
