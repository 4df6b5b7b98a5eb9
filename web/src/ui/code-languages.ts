/** A language to choose for a code block: the name that is stored, how people write it, and its other names. */
type Language = readonly [id: string, label: string, aliases?: string]

/** The languages that are highlighted, in the order of the menu. Grammars: code-highlighting.ts. */
export const LANGUAGES = [
  ['1c', '1С', 'bsl'],
  ['bash', 'Bash', 'sh shell zsh console shellsession shell-session'],
  ['c', 'C', 'h'],
  ['csharp', 'C#', 'c# cs'],
  ['cpp', 'C++', 'c++ hpp cc'],
  ['css', 'CSS'],
  ['diff', 'Diff', 'patch'],
  ['dockerfile', 'Dockerfile', 'docker'],
  ['go', 'Go', 'golang'],
  ['graphql', 'GraphQL', 'gql'],
  ['html', 'HTML', 'xml svg xhtml html-basic vue'],
  ['ini', 'INI, TOML', 'toml'],
  ['java', 'Java'],
  ['javascript', 'JavaScript', 'js jsx mjs cjs javascriptreact'],
  ['json', 'JSON', 'jsonc json5'],
  ['kotlin', 'Kotlin', 'kt'],
  ['lua', 'Lua'],
  ['makefile', 'Makefile', 'make'],
  ['markdown', 'Markdown', 'md'],
  ['nginx', 'Nginx'],
  ['php', 'PHP'],
  ['powershell', 'PowerShell', 'ps ps1 pwsh'],
  ['python', 'Python', 'py'],
  ['r', 'R'],
  ['ruby', 'Ruby', 'rb'],
  ['rust', 'Rust', 'rs'],
  ['scss', 'SCSS', 'sass'],
  ['sql', 'SQL', 'pgsql postgresql plsql mysql'],
  ['swift', 'Swift'],
  ['typescript', 'TypeScript', 'ts tsx mts cts typescriptreact'],
  ['yaml', 'YAML', 'yml'],
] as const satisfies readonly Language[]

export type LanguageId = (typeof LANGUAGES)[number][0]

const IDS: ReadonlyMap<string, LanguageId> = new Map(
  LANGUAGES.flatMap(([id, , aliases = '']: readonly [LanguageId, string, string?]) =>
    `${id} ${aliases}`
      .trim()
      .split(' ')
      .map((name) => [name, id] as const),
  ),
)

/** The language that a code block names, whichever of its names it uses; undefined for one that is not known. */
export const languageId = (name: string): LanguageId | undefined => IDS.get(name.toLowerCase())

const LABELS: ReadonlyMap<string, string> = new Map(LANGUAGES.map(([id, label]) => [id, label]))

/** How people write the language that a code block names; the name as it is where it is not known. */
export const languageLabel = (name: string): string => LABELS.get(languageId(name) ?? '') ?? name
