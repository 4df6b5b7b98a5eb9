import { LATEST_SIZE, SEARCH_SIZE, TAG_ITEMS_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { ITEM_KINDS } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import { parseQuery } from '../search/query.ts'
import { linkMapping, noteMapping } from './item.ts'
import { type ItemParts, serveKind } from './kind-routes.ts'
import type { ItemList, Wanted } from './lists.ts'

/** All calls that answer items: those of each kind, and those that answer both kinds side by side. */
export function serveItems(server: Server, parts: ItemParts): void {
  serveKind(server, parts, notes, noteMapping)
  serveKind(server, parts, links, linkMapping)
  serveBothKinds(server, parts)
}

function serveBothKinds({ serve }: Server, { lists, tags }: ItemParts): void {
  const summaries = async (list: ItemList) => ({
    notes: (await list.summaries('note')).map(noteMapping.toSummary),
    urllinks: (await list.summaries('link')).map(linkMapping.toSummary),
  })
  const wholes = async (list: ItemList) => ({
    notes: (await list.wholes('note')).map(noteMapping.toWhole),
    urllinks: (await list.wholes('link')).map(linkMapping.toWhole),
  })
  const newest = async (piece: Omit<Wanted, 'kinds' | 'query'>, view: 'summary' | undefined) => {
    const list = await lists.open({ ...piece, kinds: ITEM_KINDS })
    return view === 'summary' ? summaries(list) : wholes(list)
  }

  serve(latest, ({ caller: { owner_id }, query: { view } }) => newest({ owner_id, limit: LATEST_SIZE }, view))

  serve(search, async ({ caller: { owner_id }, query: { search: text, exact, view } }) => {
    const wanted = { owner_id, kinds: ITEM_KINDS, query: parseQuery(text), limit: SEARCH_SIZE }
    const { corrected, ...list } = await lists.open(wanted, { exact: exact !== undefined })
    const counts = {
      notes_count: await list.count('note'),
      urllinks_count: await list.count('link'),
      ...(corrected && { corrected }),
    }
    return view === 'summary'
      ? { ...(await summaries(list)), ...counts }
      : { ...(await wholes(list)), ...counts }
  })

  serve(tagCalls.items, async ({ caller: { owner_id }, params: { id }, query: { view } }) => {
    if (!(await tags.find(owner_id, id))) throw new AppError('tagNotFound')
    return newest({ owner_id, tag_id: id, limit: TAG_ITEMS_SIZE }, view)
  })
}
