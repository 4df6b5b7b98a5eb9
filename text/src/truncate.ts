/** Plain text without line ends. */
export const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A line cut to so many characters. */
export function truncate(line: string, length: number): string {
  if (line.length <= length) return line
  // Characters may be two UTF-16 units long.
  const shown = [...line.slice(0, length * 2)].slice(0, length).join('')
  return shown.length === line.length ? line : `${shown}...`
}

/** UTF-16 units of a text of which a line of so many characters is made, unless they are mostly white space. */
const BEGINNING = 10

/** Plain text on one line, cut to `length` characters, with '...' where it was cut. */
export function excerptOf(text: string, length: number): string {
  // A text may have half a million characters.
  const beginning = toLine(text.slice(0, BEGINNING * length))
  return truncate(beginning.length > 2 * length ? beginning : toLine(text), length)
}
