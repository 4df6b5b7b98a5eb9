import type { Adapter } from '../adapter.ts'
import { numericDate } from '../dates.ts'
import { textOf } from '../file.ts'
import type { RawRow } from '../row.ts'
import { tagEvents } from '../tag-reader.ts'
import { splitNames } from '../values.ts'

/** Pocket's ril_export.html: lists of links under 'Unread' and 'Read Archive'. */
export const pocketHtml: Adapter = {
  id: 'pocket-html',
  recognises: ({ head }) => /<title>\s*Pocket Export|<a\s[^<>]*\btime_added\s*=/i.test(head),
  async *rows(file): AsyncGenerator<RawRow> {
    let [heading, title, count] = ['', '', 0]
    let into: 'heading' | 'title' | undefined
    let link: Readonly<Record<string, string>> | undefined
    for await (const event of tagEvents(textOf(file), { only: new Set(['a', 'h1']) })) {
      if (event.type === 'text') {
        if (into === 'heading') heading = (heading + event.text).slice(0, 1000)
        else if (into === 'title') title = (title + event.text).slice(0, 10_000)
      } else if (event.name === 'h1') {
        if (event.type === 'open') heading = ''
        into = event.type === 'open' ? 'heading' : undefined
      } else if (event.name === 'a' && event.type === 'open')
        [link, title, into] = [event.attributes, '', 'title']
      else if (event.name === 'a' && link) {
        count += 1
        const isArchived = /archive/i.test(heading)
        yield {
          place: { entry: count },
          url: link.href ?? '',
          title,
          tags: splitNames(link.tags ?? '', ','),
          createdAt: numericDate(link.time_added),
          states: isArchived ? ['archived'] : ['unread'],
        }
        ;[link, into] = [undefined, undefined]
      }
    }
  },
}
