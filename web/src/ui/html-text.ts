const ELEMENT = /<[a-z!/][^>]*>/i
const BLANK = /&nbsp;|&#160;|&#xa0;|\s/gi

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

/** Whether HTML has neither text nor a picture. */
export function isBlankHtml(html: string): boolean {
  if (/<img\b/i.test(html)) return false
  return html.replace(/<[^>]*>/g, '').replace(BLANK, '') === ''
}

const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;' }

/** Escapes plain text and makes its paragraphs and line breaks HTML. */
export const textToHtml = (text: string): string =>
  linesToHtml(text.replace(/[&<>]/g, (character) => ESCAPES[character] ?? character))
