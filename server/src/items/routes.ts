import { LATEST_SIZE, SEARCH_SIZE, TAG_ITEMS_SIZE } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags as tagCalls } from '@kopilka/contract/tags.ts'
import { Refusal } from '../errors.ts'
import type { Server } from '../http/serve.ts'
import { parseQuery } from '../search/query.ts'
import { linkFace, noteFace } from './faces.ts'
import { type ItemParts, serveKind } from './kind-routes.ts'
import type { Choice } from './store.ts'

/** All calls that answer items: those of each kind, and those that answer both kinds side by side. */
export function serveItems(server: Server, parts: ItemParts): void {
  serveKind(server, parts, notes, noteFace)
  serveKind(server, parts, links, linkFace)
  serveBothKinds(server, parts)
}

function serveBothKinds({ serve }: Server, { items, tags }: ItemParts): void {
  type Both = Omit<Choice, 'kind'> & { limit: number }

  const summaries = async (both: Both) => ({
    notes: (await items.summaries({ ...both, kind: 'note' })).map(noteFace.summary),
    urllinks: (await items.summaries({ ...both, kind: 'link' })).map(linkFace.summary),
  })
  const wholes = async (both: Both) => ({
    notes: (await items.list({ ...both, kind: 'note' })).map(noteFace.whole),
    urllinks: (await items.list({ ...both, kind: 'link' })).map(linkFace.whole),
  })
  const bothKinds = (both: Both, view: 'summary' | undefined) =>
    view === 'summary' ? summaries(both) : wholes(both)

  serve(latest, ({ caller: { owner_id }, query: { view } }) =>
    bothKinds({ owner_id, limit: LATEST_SIZE }, view),
  )

  serve(search, async ({ caller: { owner_id }, query: { search: text, exact, view } }) => {
    const asked = { owner_id, query: parseQuery(text) }
    const { choice, corrected } = await items.meant(asked, ['note', 'link'], exact)
    const counts = {
      notes_count: await items.count({ ...choice, kind: 'note' }),
      urllinks_count: await items.count({ ...choice, kind: 'link' }),
      ...(corrected && { corrected }),
    }
    const both = { ...choice, limit: SEARCH_SIZE }
    return view === 'summary'
      ? { ...(await summaries(both)), ...counts }
      : { ...(await wholes(both)), ...counts }
  })

  serve(tagCalls.items, async ({ caller: { owner_id }, params: { id }, query: { view } }) => {
    if (!(await tags.find(owner_id, id))) throw new Refusal('tagNotFound')
    return bothKinds({ owner_id, tag_id: id, limit: TAG_ITEMS_SIZE }, view)
  })
}
