import { type ChangesPage, changes } from '@kopilka/contract/changes.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { tags } from '@kopilka/contract/tags.ts'
import type { TestApp } from './create-test-app.ts'
import type { Account } from './new-account.ts'

type Whole = (ChangesPage['notes'] | ChangesPage['urllinks'])[number]
/** An item as a client keeps it: with the ids of its tags, whose names come by themselves. */
type Kept = Omit<Whole, 'tags'> & { tags: string[] }

const idsOf = (tags: readonly { id: string }[]) => tags.map(({ id }) => id)

/** What a client has that follows the changes of an account. */
export class Copy {
  readonly items = new Map<string, Kept>()
  readonly tags = new Map<string, string>()
  cursor: string | undefined

  /** Applies a page as the contract says (contract/src/changes.ts). */
  apply(page: ChangesPage): void {
    for (const item of [...page.notes, ...page.urllinks])
      this.items.set(item.id, { ...item, tags: idsOf(item.tags) })
    for (const { id, tags, ...changed } of page.changed) {
      const item = this.items.get(id)
      if (item) this.items.set(id, { ...item, ...changed, tags: idsOf(tags) })
    }
    for (const { id, name } of page.tags) this.tags.set(id, name)
    for (const id of page.deleted_items) this.items.delete(id)
    for (const gone of page.deleted_tags) {
      this.tags.delete(gone)
      for (const item of this.items.values()) item.tags = item.tags.filter((id) => id !== gone)
    }
    this.cursor = page.next
  }

  /** Fetches a page and applies it. Starts over where the changes are no longer stored. */
  async advance(app: TestApp, { auth }: Account, limit?: number): Promise<ChangesPage> {
    const query = {
      ...(this.cursor !== undefined && { since: this.cursor }),
      ...(limit !== undefined && { limit: String(limit) }),
    }
    const page = await app.call(changes.follow, { query }, auth)
    this.apply(page)
    return page
  }

  /** Follows to the end. Resolves to the number of pages. */
  async catchUp(app: TestApp, account: Account, limit?: number): Promise<number> {
    for (let pages = 1; ; pages += 1) if (!(await this.advance(app, account, limit)).has_more) return pages
  }

  /** The items by their ids and the tags by their names, with all that lists, screens and saves need. */
  content() {
    const counts = new Map<string, { notes_count: number; urllinks_count: number }>()
    const items = [...this.items.values()].map((item) => {
      for (const id of item.tags) {
        const count = counts.get(id) ?? { notes_count: 0, urllinks_count: 0 }
        count['url' in item ? 'urllinks_count' : 'notes_count'] += 1
        counts.set(id, count)
      }
      return { ...item, tags: item.tags.map((id) => `${id} ${this.tags.get(id)}`).sort() }
    })
    const named = Array.from(this.tags, ([id, name]) => ({
      ...{ id, name },
      ...(counts.get(id) ?? { notes_count: 0, urllinks_count: 0 }),
    }))
    return { items: byId(items), tags: byId(named) }
  }
}

const byId = <T extends { id: string }>(all: readonly T[]): T[] =>
  all.toSorted((one, other) => (one.id < other.id ? -1 : 1))

/** The same as {@link Copy.content}, as the other calls tell it. */
export async function serverContent(app: TestApp, { auth }: Account): Promise<ReturnType<Copy['content']>> {
  const all = []
  for (const call of [notes, links])
    for (let page = 1, read = 0; ; page += 1) {
      const { results, count } = await app.call(call.list, { query: { page: String(page) } }, auth)
      for (const { id } of results) {
        const reply = await app.request(call.read, { params: { id } }, auth)
        const item = reply.body as unknown as Omit<Whole, 'etag'>
        const etag = reply.headers.get('etag') ?? ''
        all.push({ ...item, etag, tags: item.tags.map((tag) => `${tag.id} ${tag.name}`).sort() })
      }
      read += results.length
      if (read >= count) break
    }
  return { items: byId(all), tags: byId(await app.call(tags.list, { query: {} }, auth)) }
}
