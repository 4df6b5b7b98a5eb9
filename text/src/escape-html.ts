const ESCAPES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const CHARACTERS = Object.fromEntries(
  Object.entries(ESCAPES).map(([character, reference]) => [reference, character]),
)

/** Escapes text for HTML content and for attributes in double quotes. */
export const escapeHtml = (text: string): string =>
  text.replace(/[&<>"]/g, (character) => ESCAPES[character] ?? '')

/** The text that {@link escapeHtml} escaped; clean HTML has no other character references. */
export const unescapeHtml = (escaped: string): string =>
  escaped.replace(/&(?:lt|gt|quot|amp);/g, (reference) => CHARACTERS[reference] ?? '')
