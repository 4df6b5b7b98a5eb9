/**
 * Signs of which one is enough: a task, a link, a picture, bold or struck text, the line under a table's first row. A letter or
 * bracket before a link makes it code.
 */
const SURE = [
  /^[ \t]*[-*+] +\[[ xXхХ]\] \S/m,
  /\[[^\][\n]{1,200}\]\(<?(?:https?:\/\/|mailto:)[^\s()<>]/,
  /(?<![\w)\]])!?\[[^\][\n]{1,200}\]\(<?(?:\.{0,2}\/|#)[^\s()<>]{1,500}>?\)/,
  /!\[[^\][\n]{0,200}\]\(<?[^\s()<>]{1,500}\.\w{3,4}>?\)/,
  /(?<![\w*])\*\*[^\s*](?:[^*\n]{0,500}[^\s*])?\*\*(?![\w*])/,
  /(?<![\w~])~~[^\s~](?:[^~\n]{0,500}[^\s~])?~~(?![\w~])/,
  /^ {0,3}\|?(?:[ \t]*:?-{3,}:?[ \t]*\|)+[ \t]*(?::?-{3,}:?[ \t]*)?$/m,
]

/** Signs that other texts have by chance: two of them make Markdown. */
const LIKELY = [
  /^#{1,6} [^\n]+(?:\n[ \t]*\n|\n?$(?![\s\S]))/m,
  /(?:^|\s)`[^`\n]{1,200}`/,
  /(?:^|[\s(«"])\*\p{L}(?:[^*\n]{0,200}[^\s*])?\*(?![\p{L}\p{N}*])/u,
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
const isBlank = (line: string | undefined): boolean => line === undefined || line.trim() === ''

/** Lines of programs and settings. A list in Russian ends its items with semicolons, too. */
const CODE = [
  /[{}]\s*$/,
  /^(?!\s*(?:[-*+]|\d{1,3}[.)]) ).*[^\P{ASCII}];\s*$/u,
  /^\s*(?:export )?[A-Za-z_][\w.-]* ?= ?\S/,
  /^\s*(?:- )?[a-z_][\w.-]*:(?:\s|$)/,
  /^\[[\w.-]+\]$/,
]

/** JSON and the like, whose texts may have any sign: Markdown does not begin with a line that is only a bracket. */
const OBJECT = /^(?:[[{][ \t]*\n|(?:\[\s*)?\{\s*["}])/
const isObject = (text: string): boolean => OBJECT.test(text.trimStart()) && !/^#{1,6} /m.test(text)

/** A line that may be a command: without a capital or a letter of Russian, the sign of a block or the end of a sentence. */
const isPlain = (line: string): boolean =>
  /^(?![>|A-Z#]|\s*(?:[-*+]|\d{1,3}[.)]) )\p{ASCII}*$/u.test(line) && !/[.!?]$/.test(line.trimEnd())

/** What prose hardly has: signs of operators, of calls, of options and of paths. */
const OPERATOR = /[={};$\\]|\w\(|(?:^|\s)--?\w|\w\/\w/

/**
 * Whether lines have headings, and each is followed by an empty line, prose in Russian or a block of Markdown. Other lines are
 * comments, and so are those of the highest level amid code. One command alone may stand under a heading.
 */
function hasHeadings(lines: readonly string[]): boolean {
  let headings = 0
  for (const [at, line] of lines.entries()) {
    const [signs = ''] = /^#{1,6}(?= +\S)/.exec(line) ?? []
    if (signs === '') continue
    const next = lines[at + 1]
    const isLarger = next?.startsWith(`${signs}#`) ?? false
    if (
      !isBlank(next) &&
      !isLarger &&
      !/^(?:[-*+>|] ?\S?|\d{1,3}[.)] |```|[«"*_]*\P{ASCII})/u.test(next ?? '')
    )
      return false
    headings += 1
  }
  const others = lines.filter((line) => !isBlank(line) && !line.startsWith('# '))
  const plain = others.filter(isPlain)
  const isCode = plain.length > others.length - plain.length + 1 && plain.some((line) => OPERATOR.test(line))
  return headings > 0 && !isCode
}

/** Whether a list of two items or more follows an empty line, or one that announces it. */
function hasList(lines: readonly string[]): boolean {
  for (const [at, line] of lines.entries()) {
    const [, sign] = /^(?:([-*])|\d{1,3}[.)]) \S/.exec(line) ?? ['none', 'none']
    if (sign === 'none') continue
    const before = lines[at - 1]
    if (!isBlank(before) && !/:\s*$/.test(before ?? '')) continue
    const next = lines[at + 1] ?? ''
    if (sign === undefined ? /^\d{1,3}[.)] \S/.test(next) : next.trimStart().startsWith(`${sign} `))
      return true
  }
  return false
}

/** Prose in quotation: it begins with a capital or another letter than those of commands. */
const QUOTED_PROSE = /^> ?[«"“*_(]*(?:\p{Lu}|\P{ASCII})/u
const QUOTED = /^>(?: |$)/

/** Beyond it nothing is looked for: what matters stands in the first screens. */
const BEGINNING = 20_000

/**
 * Whether a plain text is clearly Markdown: it has a sure sign, two likely ones, headings or a list apart from other lines, or
 * every line is an item of a list or quoted. A script, or a text of which a third of the lines are code, needs a sure sign; JSON
 * is none.
 */
export function looksLikeMarkdown(text: string): boolean {
  const beginning = text.slice(0, BEGINNING).replace(/\r\n?/g, '\n')
  if (isObject(beginning)) return false
  if (SURE.some((sign) => sign.test(beginning)) || hasFencedCode(beginning)) return true
  const all = beginning.split('\n')
  const lines = all.filter((line) => !isBlank(line))
  if (beginning.startsWith('#!')) return false
  if (lines.filter((line) => CODE.some((sign) => sign.test(line))).length * 3 >= Math.max(lines.length, 2))
    return false
  if (lines.length > 1 && (lines.every((line) => ITEM.test(line)) || hasHeadings(all) || hasList(all)))
    return true
  if (QUOTED_PROSE.test(beginning) && lines.every((line) => QUOTED.test(line))) return true
  return LIKELY.filter((sign) => sign.test(beginning)).length > 1
}
