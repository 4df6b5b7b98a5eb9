import { textToHtml } from '@kopilka/text/text-to-html.ts'
import type { Adapter, FormatId } from '../adapter.ts'
import { dateOf } from '../dates.ts'
import { type ImportFile, textOf as textOfFile } from '../file.ts'
import { isEnd, jsonEvents } from '../json-events.ts'
import { type Entry, type ItemState, type RawRow, remarkOnOthers } from '../row.ts'
import { countFilled, type Fields, fieldsOf, isYes, listOf, namesOf, splitNames, textOf } from '../values.ts'

/** The objects of the list that the whole JSON is, one at a time. */
export async function* listItems(file: ImportFile): AsyncGenerator<{ fields: Fields; entry: number }> {
  let entry = 0
  for await (const event of jsonEvents(textOfFile(file), (path) => (path.length === 1 ? 'take' : 'skip')))
    if (!isEnd(event)) {
      entry += 1
      yield { fields: fieldsOf(event.value), entry }
    }
}

/** A format that is a list of objects, each an entry. */
const listAdapter = (
  id: FormatId,
  keys: readonly string[],
  read: (fields: Fields) => Omit<Entry, 'place'>,
): Adapter => ({
  id,
  recognises: ({ json }) => keys.every((key) => json.has(`*.${key}`)),
  async *rows(file): AsyncGenerator<RawRow> {
    for await (const { fields, entry } of listItems(file)) yield { place: { entry }, ...read(fields) }
  },
})

const statesOf = (states: Readonly<Partial<Record<ItemState, boolean>>>): ItemState[] =>
  (['archived', 'unread', 'starred', 'private', 'done'] as const).filter((state) => states[state])

/** Pinboard's JSON export: tags between spaces, yes and no as words. */
export const pinboardJson = listAdapter('pinboard-json', ['href', 'tags', 'time'], (fields) => ({
  url: textOf(fields.href),
  title: textOf(fields.description),
  body: textToHtml(textOf(fields.extended)),
  tags: Array.isArray(fields.tags) ? namesOf(fields.tags) : splitNames(textOf(fields.tags), /\s+/),
  createdAt: dateOf(fields.time),
  states: statesOf({ unread: isYes(fields.toread), private: /^no$/i.test(textOf(fields.shared)) }),
}))

/** Delicious's JSON export: seconds as text, no tag as one empty tag. */
export const deliciousJson = listAdapter('delicious-json', ['url', 'created', 'tags', 'owner'], (fields) => ({
  url: textOf(fields.url),
  title: textOf(fields.title),
  body: textToHtml(textOf(fields.description)),
  tags: namesOf(fields.tags),
  createdAt: dateOf(fields.created),
  states: statesOf({ private: isYes(fields.private) }),
}))

/** Omnivore's metadata_0_to_19.json. Of the page it says who wrote it, when, and what picture it has. */
export const omnivore = listAdapter('omnivore', ['url', 'labels', 'savedAt'], (fields) => ({
  url: textOf(fields.url),
  title: textOf(fields.title),
  body: textToHtml(textOf(fields.description)),
  tags: namesOf(fields.labels),
  createdAt: dateOf(fields.savedAt),
  updatedAt: dateOf(fields.updatedAt),
  states: statesOf({ archived: /^archived$/i.test(textOf(fields.state)) }),
  remarks: remarkOnOthers(countFilled(fields, ['author', 'publishedAt', 'thumbnail'])),
}))

/** What a reader marked in an article, and what they wrote beside it. */
export const annotationsOf = (annotations: unknown): string =>
  listOf(annotations)
    .map((one) => {
      const { quote, text } = fieldsOf(one)
      const quoted = textToHtml(textOf(quote))
      return (quoted && `<blockquote>${quoted}</blockquote>`) + textToHtml(textOf(text))
    })
    .join('')

/** wallabag's export, second version and first; the article's HTML becomes the body. */
const wallabag2 = listAdapter('wallabag-json', ['url', 'is_archived', 'content'], (fields) => ({
  url: textOf(fields.url),
  title: textOf(fields.title),
  body: annotationsOf(fields.annotations) + textOf(fields.content),
  tags: namesOf(fields.tags),
  createdAt: dateOf(fields.created_at),
  updatedAt: dateOf(fields.updated_at),
  states: statesOf({ archived: isYes(fields.is_archived), starred: isYes(fields.is_starred) }),
  remarks: remarkOnOthers(
    countFilled(fields, ['published_by', 'published_at', 'preview_picture', 'origin_url']) +
      // The address that led to the page.
      (fields.given_url === fields.url ? 0 : countFilled(fields, ['given_url'])),
  ),
}))
const wallabag1 = listAdapter('wallabag-json', ['url', 'is_read', 'content'], (fields) => ({
  url: textOf(fields.url),
  title: textOf(fields.title),
  body: textOf(fields.content),
  tags: Array.isArray(fields.tags) ? namesOf(fields.tags) : splitNames(textOf(fields.tags), ','),
  states: statesOf({ archived: isYes(fields.is_read), starred: isYes(fields.is_fav) }),
}))
export const wallabagJson: readonly Adapter[] = [wallabag2, wallabag1]
