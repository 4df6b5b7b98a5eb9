import { SETTINGS } from '../server/src/config.ts'

const MADE_FROM = 'server/src/config.ts (npm run settings)'

/** The files generated from the table of settings: paths in the repository, and contents. */
export const settingsPages = (): Record<string, string> => ({
  'docs/settings.md': markdown(),
  '.env.example': example(),
})

function markdown(): string {
  const rows = Object.entries(SETTINGS).map(
    ([name, { default: fallback, ru, en, expected }]) =>
      `| \`${name}\` | ${fallback === '' ? '—' : `\`${fallback}\``} | ${cell(ru)} (${cell(expected)}) | ${cell(en)} |`,
  )
  return `<!-- Generated from ${MADE_FROM}. Change it there. -->
# Настройки / Settings

Настройки — переменные окружения; файл \`.env\` в рабочей папке тоже читается, но окружение важнее.
Пустое значение — то же, что значение по умолчанию. Неверное значение останавливает запуск одной понятной строкой.

Settings are environment variables; a \`.env\` file in the working folder is read too, the environment wins.
An empty value means the default. A wrong value stops the start with one line that says what it should be.

| Имя / Name | По умолчанию / Default | Значение | Meaning |
|---|---|---|---|
${rows.join('\n')}
`
}

function example(): string {
  const entries = Object.entries(SETTINGS).map(
    ([name, { default: fallback, ru, en, expected }]) =>
      `# ${ru} (${expected})\n# ${en}\n#${name}=${fallback}\n`,
  )
  return `# Generated from ${MADE_FROM}. Copy to .env and uncomment what should differ from the default.\n\n${entries.join('\n')}`
}

const cell = (text: string): string => text.replaceAll('|', '\\|')
