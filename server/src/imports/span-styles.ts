/** Styles of words, and the elements that mean the same. What lies between is short: the text may have megabytes. */
const STYLES = [
  [/font-weight:\s*(?:[6-9]00|bold)/i, 'strong'],
  [/font-style:\s*italic/i, 'em'],
  [/text-decoration(?:-line)?:[^;"]{0,60}underline/i, 'u'],
  [/text-decoration(?:-line)?:[^;"]{0,60}line-through/i, 's'],
  [/-en-highlight:/i, 'mark'],
] as const

export const hasSpanStyles = (html: string): boolean => STYLES.some(([style]) => style.test(html))

/** The elements for the styles of `<span>`, which cleaning drops: bold, italic, underlined, struck out and marked words. */
export function withSpanElements(html: string): string {
  const open: string[] = []
  return html.replace(/<(\/?)span\b([^<>]*)>/gi, (_, slash: string, attributes: string) => {
    if (slash !== '') return open.pop() ?? ''
    if (attributes.endsWith('/')) return ''
    const names = STYLES.flatMap(([style, name]) => (style.test(attributes) ? name : []))
    open.push(
      names
        .map((name) => `</${name}>`)
        .reverse()
        .join(''),
    )
    return names.map((name) => `<${name}>`).join('')
  })
}
