import type { KeptItem } from '../kept-item.ts'
import type { Copy } from '../responses.ts'
import { searchedKind } from './finder.ts'
import type { Overlay } from './search-engine.ts'

/** What a worker knows of the changes that wait: its items by id, as texts, and what is removed. */
export type Sent = ReadonlyMap<string, string | undefined>

/** Whether an item lost no more than tags that are deleted, which the rules of search overlook. */
const isAsBefore = (item: KeptItem, before: KeptItem | undefined, { tags }: Copy): boolean =>
  item === before ||
  (item.etag === before?.etag && item.tags.join() === before.tags.filter((id) => tags.has(id)).join())

/** What the changes that wait make of the copy, but for what was sent already; and what is sent with it. */
export async function overlayOf(
  copy: Copy,
  view: Copy,
  before: Sent,
): Promise<{ overlay: Overlay; sent: Sent }> {
  if (view === copy && before.size === 0) return { overlay: { items: [], removed: [] }, sent: before }
  const sent = new Map<string, string | undefined>()
  const changed: KeptItem[] = []
  for (const item of view.items.values()) {
    const copied = copy.items.get(item.id)
    if (isAsBefore(item, copied, view)) continue
    // The text below a change is that of the copy, or of a change before, each with a time of its own.
    const version = JSON.stringify([item, copied?.etag])
    sent.set(item.id, version)
    if (before.get(item.id) !== version) changed.push(item)
  }
  const removed: string[] = []
  for (const id of copy.items.keys()) {
    if (view.items.has(id)) continue
    sent.set(id, undefined)
    if (!before.has(id) || before.get(id) !== undefined) removed.push(id)
  }
  const texts =
    changed.length > 0 ? await view.textsOf(changed.map(({ id }) => id)) : new Map<string, string>()
  const overlay = {
    items: changed.map((item) => ({
      ...item,
      kind: searchedKind(item.kind),
      text: texts.get(item.id) ?? '',
    })),
    removed,
    restored: [...before.keys()].filter((id) => !sent.has(id)),
    ...(view !== copy && { tags: Array.from(view.tags, ([id, name]) => ({ id, name })) }),
  }
  return { overlay, sent }
}
