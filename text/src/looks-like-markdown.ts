/** Signs of which one is enough: a task, a link, bold text, the line under a table's first row. */
const SURE = [
  /^[ \t]*[-*+] \[[ xX]\] \S/m,
  /\[[^\][\n]{1,200}\]\((?:https?:|mailto:)[^\s()]{1,2000}\)/,
  /(?<![\w*])\*\*[^\s*](?:[^*\n]{0,500}[^\s*])?\*\*(?![\w*])/,
  /^ {0,3}\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?[ \t]*)?$/m,
]

/** Signs that other texts have by chance: two of them make Markdown. */
const LIKELY = [
  /^#{1,6} [^\n]+(?:\n[ \t]*\n|\n?$(?![\s\S]))/m,
  /(?:^|\s)`[^`\n]{1,200}`/,
  /^(?:[-*+]|\d{1,3}\.) \S[^\n]*\n(?:[-*+]|\d{1,3}\.) \S/m,
  /^> \S/m,
]

const FENCE = /^ {0,3}(?:```|~~~)[^`\n]*\n/m
const END_OF_FENCE = /^ {0,3}(?:```|~~~)[ \t]*$/m

/** Whether there is code between fences, which is a sure sign too. In two steps: one expression would take quadratic time. */
const hasFencedCode = (text: string): boolean => {
  const fence = FENCE.exec(text)
  return fence !== null && END_OF_FENCE.test(text.slice(fence.index + fence[0].length))
}

const ITEM = /^\s*(?:[-*+]|\d{1,3}[.)]) \S/
const END_OF_CODE = /[;{}]\s*$/

/** Beyond it nothing is looked for: what matters stands in the first screens. */
const BEGINNING = 20_000

/**
 * Whether a plain text is clearly Markdown: it has a sure sign, two likely ones, or every line is an item of a list. A text of
 * which a third of the lines ends like code needs a sure sign.
 */
export function looksLikeMarkdown(text: string): boolean {
  const beginning = text.slice(0, BEGINNING).replace(/\r\n?/g, '\n')
  if (SURE.some((sign) => sign.test(beginning)) || hasFencedCode(beginning)) return true
  const lines = beginning.split('\n').filter((line) => line.trim() !== '')
  if (lines.filter((line) => END_OF_CODE.test(line)).length * 3 > lines.length) return false
  if (lines.length > 1 && lines.every((line) => ITEM.test(line))) return true
  return LIKELY.filter((sign) => sign.test(beginning)).length > 1
}
