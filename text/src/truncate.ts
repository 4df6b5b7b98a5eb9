/** Plain text without line ends. */
export const toLine = (text: string): string => text.replace(/\s+/g, ' ').trim()

/** A line cut to so many characters. */
export function truncate(line: string, length: number): string {
  if (line.length <= length) return line
  // Characters may be two UTF-16 units long.
  const shown = [...line.slice(0, length * 2)].slice(0, length).join('')
  return shown.length === line.length ? line : `${shown}...`
}

/** Plain text on one line, cut to `length` characters, with '...' where it was cut. */
export const excerptOf = (text: string, length: number): string => truncate(toLine(text), length)
