/** Values of JSON that others wrote: each is what it claims to be, or nothing. */

export type Fields = Readonly<Record<string, unknown>>

export const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

export const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])

/** Text; numbers as they are written. */
export const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'number' ? String(value) : ''

/** How many of these keys say something. */
export const countFilled = (fields: Fields, keys: readonly string[]): number =>
  keys.filter((key) => {
    const [value] = [fields[key]].flat()
    return value !== undefined && value !== null && value !== false && value !== ''
  }).length

/** Tools write yes in many ways. */
export const isYes = (value: unknown): boolean =>
  value === true || value === 1 || (typeof value === 'string' && /^(?:1|true|yes|да|on)$/i.test(value.trim()))

/** Names that are texts or objects with a name. */
export const namesOf = (value: unknown): string[] =>
  listOf(value).flatMap((one) => {
    const { name, label, title } = fieldsOf(one)
    const text = textOf(one) || textOf(name) || textOf(label) || textOf(title)
    return text.trim() === '' ? [] : [text]
  })

/** Names in one text, with one of these between them. */
export const splitNames = (text: string, separator: string | RegExp): string[] =>
  text
    .split(separator)
    .map((name) => name.trim())
    .filter((name) => name !== '')

/** Paths of folders by their ids, where each names its parent. A circle ends where it began. */
export function folderPaths<Id extends string | number>(
  folders: ReadonlyMap<Id, { readonly name: string; readonly parent: Id | null | undefined }>,
): (id: Id) => string[] {
  return (id) => {
    const path: string[] = []
    const seen = new Set<Id>()
    for (let at: Id | null | undefined = id; at !== null && at !== undefined && !seen.has(at); ) {
      seen.add(at)
      const folder = folders.get(at)
      if (!folder) break
      path.unshift(folder.name)
      at = folder.parent
    }
    return path
  }
}
