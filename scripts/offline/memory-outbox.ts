import type { ChangesPage } from '@kopilka/contract/changes.ts'
import { changes } from '@kopilka/contract/changes.ts'
import type { TestApp } from '../../server/src/testing/create-test-app.ts'
import type { Account } from '../../server/src/testing/new-account.ts'
import type { Entry } from '../../web/src/offline/entry.ts'
import { type Delta, deltaOf, type KeptItem } from '../../web/src/offline/kept-item.ts'
import type { Copy } from '../../web/src/offline/responses.ts'
import type { Outbox } from '../../web/src/offline/sending.ts'

/** The copy of an account in memory, as the browser has it in its database (web/src/offline/copy-store.ts). */
export class MemoryCopy {
  items = new Map<string, KeptItem>()
  texts = new Map<string, string>()
  tags = new Map<string, string>()
  cursor: string | undefined

  apply(page: ChangesPage): void {
    this.change(deltaOf(page))
    this.cursor = page.next
  }

  change(delta: Delta): void {
    for (const { item, text } of delta.wholes) {
      this.items.set(item.id, item)
      this.texts.set(item.id, text)
    }
    for (const { id, ...changed } of delta.changed) {
      const item = this.items.get(id)
      if (item) this.items.set(id, { ...item, ...changed })
    }
    for (const { id, name } of delta.tags) this.tags.set(id, name)
    for (const id of delta.deletedItems) this.items.delete(id)
    for (const id of delta.deletedTags) this.removeTag(id)
  }

  removeTag(id: string): void {
    this.tags.delete(id)
    for (const item of this.items.values())
      if (item.tags.includes(id))
        this.items.set(item.id, { ...item, tags: item.tags.filter((tag) => tag !== id) })
  }

  async follow(app: TestApp, { auth }: Account): Promise<void> {
    for (let hasMore = true; hasMore; ) {
      const query = { ...(this.cursor !== undefined && { since: this.cursor }) }
      const page = await app.call(changes.follow, { query }, auth)
      this.apply(page)
      hasMore = page.has_more
    }
  }

  /** A copy of its own, as one that was read from the database. */
  read(): Copy {
    return {
      items: new Map(this.items),
      tags: new Map(this.tags),
      textsOf: async (ids) => new Map(ids.map((id) => [id, this.texts.get(id) ?? ''])),
    }
  }
}

/** An outbox in memory beside a copy, as web/src/offline/outbox.ts keeps it in the database. */
export const createMemoryOutbox = (copy: MemoryCopy) => {
  let entries: Entry[] = []
  const resolved = new Map<string, string>()
  const pictures = new Map<string, Blob>()
  const outbox: Outbox = {
    entries: async () => [...entries],
    resolved: async () => new Map(resolved),
    settle: async (key, sent) => {
      entries = entries.filter((entry) => entry.key !== key)
      for (const [local, real] of sent.resolved) resolved.set(local, real)
      for (const id of sent.pictures ?? []) pictures.delete(id)
      if (sent.whole) {
        copy.items.set(sent.whole.item.id, sent.whole.item)
        copy.texts.set(sent.whole.item.id, sent.whole.text)
      }
      for (const { id, name } of sent.tags) copy.tags.set(id, name)
      if (sent.removedItem !== undefined) copy.items.delete(sent.removedItem)
      if (sent.removedTag !== undefined) copy.removeTag(sent.removedTag)
    },
    noteTags: async (key, tags) => {
      entries = entries.map((entry) =>
        entry.key === key ? { ...entry, sentTags: [...(entry.sentTags ?? []), tags] } : entry,
      )
    },
    block: async (key, state, error) => {
      entries = entries.map((entry) => (entry.key === key ? { ...entry, state, error } : entry))
    },
    kept: async (id) => {
      const item = copy.items.get(id)
      return item && { item, text: copy.texts.get(id) ?? '' }
    },
    picture: async (id) => pictures.get(id),
  }
  return {
    ...outbox,
    known: resolved,
    now: (): readonly Entry[] => entries,
    add: (...added: Entry[]): void => void entries.push(...added),
    /** Puts an entry in the place of another one; undefined takes that out. */
    replace: (key: string, instead: Entry | undefined): void => {
      entries = entries.flatMap((entry) => (entry.key === key ? (instead ?? []) : entry))
    },
    keepPicture: (id: string, picture: Blob): void => void pictures.set(id, picture),
  }
}
