import { type DataMessageId, t } from '../messages/data-messages.ts'

/** Names of programs; they are the same in every language. */
const PROGRAMS: Readonly<Partial<Record<string, string>>> = {
  kopilka: 'Копилка',
  'kopilka-json': 'Копилка',
  'pocket-html': 'Pocket',
  'pocket-csv': 'Pocket',
  'raindrop-csv': 'Raindrop.io',
  'instapaper-csv': 'Instapaper',
  'readwise-csv': 'Readwise Reader',
  'karakeep-json': 'Karakeep',
  'linkwarden-json': 'Linkwarden',
  'wallabag-json': 'wallabag',
  'pinboard-json': 'Pinboard',
  'delicious-json': 'Delicious',
  omnivore: 'Omnivore',
  'chrome-json': 'Chrome',
  'firefox-json': 'Firefox',
  'google-keep': 'Google Keep',
  'evernote-enex': 'Evernote',
  memos: 'Memos',
  markdown: 'Markdown',
  notion: 'Notion',
  joplin: 'Joplin',
  simplenote: 'Simplenote',
  'standard-notes': 'Standard Notes',
  'telegram-json': 'Telegram',
}

/** Formats of no program's own. */
const KINDS: Readonly<Partial<Record<string, DataMessageId>>> = {
  netscape: 'import.format.html',
  csv: 'import.format.csv',
  addresses: 'import.format.addresses',
}

/** An import by the name of its file, or by its format where it has no name; empty where neither is known. */
export const importName = ({ name, format }: { name: string; format: string | null }): string =>
  name || (format === null ? '' : formatName(format))

/** The format of an imported file as people call it; one that is new here by its id. */
export const formatName = (format: string | null): string => {
  if (format === null) return t('import.format.unknown')
  const kind = KINDS[format]
  return kind ? t(kind) : (PROGRAMS[format] ?? format)
}
