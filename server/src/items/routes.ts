import { LATEST_SIZE, SAME_SIZE, SEARCH_SIZE, TAG_ITEMS_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { ITEM_KINDS } from '../db/schema.ts'
import { AppError } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import { linkMapping, noteMapping } from './item.ts'
import { type ItemDependencies, serveKind } from './kind-routes.ts'
import type { Wanted } from './lists.ts'

/** Serves the calls of each kind, and those that return both kinds. */
export function serveItems(server: Server, dependencies: ItemDependencies): void {
  serveKind(server, dependencies, notes, noteMapping)
  serveKind(server, dependencies, links, linkMapping)
  serveBothKinds(server, dependencies)
  serveSameLinks(server, dependencies)
}

function serveSameLinks({ serve }: Server, { sameLinks }: ItemDependencies): void {
  serve(links.check, async ({ caller: { owner_id }, query: { url } }) => {
    const [found = null, ...similar] = (await sameLinks.linksTo(owner_id, url, 1 + SAME_SIZE)).map(
      linkMapping.toSummary,
    )
    return { found, similar }
  })

  serve(links.duplicates, async ({ caller: { owner_id }, query: { page = 1 } }) => {
    const { count, results } = await sameLinks.duplicates(owner_id, page)
    return {
      count,
      results: results.map(({ copies, rows }) => ({
        count: copies,
        results: rows.map(linkMapping.toSummary),
      })),
    }
  })
}

function serveBothKinds({ serve }: Server, { lists, tags }: ItemDependencies): void {
  const read = async (
    wanted: Omit<Wanted, 'kinds'>,
    { view, waitToRespond }: { view: 'summary' | undefined; waitToRespond: () => Promise<void> },
  ) => {
    const both = { ...wanted, kinds: ITEM_KINDS }
    if (view === 'summary') {
      const { items, ...page } = await lists.summaries(both)
      const notes = items.note.map(noteMapping.toSummary)
      return { page, items: { notes, urllinks: items.link.map(linkMapping.toSummary) } }
    }
    const { items, ...page } = await lists.wholes(both, waitToRespond)
    const notes = items.note.map(noteMapping.toWhole)
    const truncated = page.truncated && { truncated: page.truncated }
    return { page, items: { notes, urllinks: items.link.map(linkMapping.toWhole), ...truncated } }
  }

  serve(latest, async ({ caller: { owner_id }, query: { view }, waitToRespond }) => {
    const { items } = await read({ owner_id, limit: LATEST_SIZE }, { view, waitToRespond })
    return items
  })

  serve(search, async ({ caller: { owner_id }, query, signal, waitToRespond }) => {
    const { search: text, exact, view } = query
    const wanted = { owner_id, search: text, exact: exact !== undefined, limit: SEARCH_SIZE, signal }
    const { items, page } = await read(wanted, { view, waitToRespond })
    return {
      ...items,
      notes_count: await page.count('note'),
      urllinks_count: await page.count('link'),
      ...(page.corrected && { corrected: page.corrected }),
      ...(page.partial && { partial: page.partial }),
    }
  })

  serve(tagCalls.items, async ({ caller: { owner_id }, params: { id }, query: { view }, waitToRespond }) => {
    if (!(await tags.find(owner_id, id))) throw new AppError('tagNotFound')
    const wanted = { owner_id, tag_id: id, limit: TAG_ITEMS_SIZE }
    const { items } = await read(wanted, { view, waitToRespond })
    return items
  })
}
