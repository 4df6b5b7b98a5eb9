// The least that the same responses cost: `node:http`, one prepared statement, JSON.stringify. It authenticates nobody,
// validates nothing, counts once and keeps no search index. The header `owner` says whose items are meant.
import { randomUUID } from 'node:crypto'
import { createServer, type IncomingMessage } from 'node:http'
import { json } from 'node:stream/consumers'
import type { NoteSave } from '@kopilka/contract/notes.ts'
import { openStatements } from './baseline-statements.ts'

const LIST = '/api/v1/notes/'
const PAGE = 15
const LATEST = 10
const SEARCH = 20
const SIMILAR = 6
const SEARCH_PATH = '/api/v1/search/?'

interface ItemRow {
  id: string
  title: string
  text: string
  url: string | null
  created_at: number
  updated_at: number
  pinned: boolean | number
  tags: string
}

const { DATA_DIR = '.', DATABASE_URL = '', PORT } = process.env
const { prepare, prepareWrite, listOfTags, index } = await openStatements({ DATA_DIR, DATABASE_URL })

const ITEM = (
  text: string,
): string => `select id, title, ${text} as text, url, created_at, updated_at, pinned, (
    select ${listOfTags} from item_tags
      join tags on tags.owner_id = item_tags.owner_id and tags.id = item_tags.tag_id
      where item_tags.owner_id = items.owner_id and item_tags.item_id = items.id
  ) as tags from items`
const PIECE =
  'where owner_id = ? and kind = ? order by pinned desc, created_at desc, id desc limit ? offset ?'

const wholes = prepare<ItemRow>(`${ITEM('body')} ${PIECE}`)
const summaries = prepare<ItemRow>(`${ITEM('excerpt')} ${PIECE}`)
const one = prepare<ItemRow>(`${ITEM('body')} where owner_id = ? and id = ?`)
const countOf = prepare<{ count: number }>(
  `select count(*) as count from items where owner_id = ? and kind = 'note'`,
)
const tagsOf = prepare<{ id: string; name: string }>('select id, name from tags where owner_id = ?')
const tagCounts = prepare<{ tag_id: string; kind: string; count: number }>(
  'select tag_id, kind, count(*) as count from item_tags where owner_id = ? group by tag_id, kind',
)
const save = prepareWrite(`insert into baseline_items (owner_id, id, title, body, created_at, updated_at)
  values (?, ?, ?, ?, ?, ?) on conflict (owner_id, id)
  do update set title = excluded.title, body = excluded.body, updated_at = excluded.updated_at`)

const matches =
  prepare<ItemRow>(`select id, title, excerpt as text, url, items.created_at, updated_at, pinned, (
    select ${listOfTags} from item_tags
      join tags on tags.owner_id = item_tags.owner_id and tags.id = item_tags.tag_id
      where item_tags.owner_id = items.owner_id and item_tags.item_id = items.id
  ) as tags from (${index.newest}) as found
  join items on items.owner_id = found.owner_id and items.id = found.item_id order by items.created_at desc`)
const matchCounts = prepare<{ notes: number; links: number }>(index.counts)

const common = ({ id, title, created_at, updated_at, pinned, tags }: Omit<ItemRow, 'text' | 'url'>) => ({
  id,
  title,
  created_at: new Date(Number(created_at)).toISOString(),
  updated_at: new Date(Number(updated_at)).toISOString(),
  pinned: Boolean(pinned),
  tags: JSON.parse(tags),
})
const note = ({ text, ...row }: ItemRow) => ({ ...common(row), content: text })
const shortNote = ({ text, ...row }: ItemRow) => ({ ...common(row), excerpt: text })
const shortLink = ({ text, url, ...row }: ItemRow) => ({ ...common(row), url, excerpt: text })
const link = ({ text, url, ...row }: ItemRow) => ({ ...common(row), url, description: text })

/** Counted once for each owner: a count costs more than all the rest. */
const counted = new Map<string, Promise<{ notes: number; byTag: Map<string, number> }>>()

async function countsOf(owner: string) {
  const byTag = new Map<string, number>()
  for (const { tag_id, kind, count } of await tagCounts([owner]))
    byTag.set(`${tag_id} ${kind}`, Number(count))
  return { notes: Number((await countOf([owner]))[0]?.count), byTag }
}

function knownCounts(owner: string) {
  const known = counted.get(owner) ?? countsOf(owner)
  counted.set(owner, known)
  return known
}

async function list(owner: string, query: string) {
  const offset = (Number(/page=(\d+)/.exec(query)?.[1] ?? 1) - 1) * PAGE
  const { notes: count } = await knownCounts(owner)
  return query.includes('view=summary')
    ? { results: (await summaries([owner, 'note', PAGE, offset])).map(shortNote), count }
    : { results: (await wholes([owner, 'note', PAGE, offset])).map(note), count }
}

async function latest(owner: string) {
  return {
    notes: (await wholes([owner, 'note', LATEST, 0])).map(note),
    urllinks: (await wholes([owner, 'link', LATEST, 0])).map(link),
  }
}

async function search(owner: string, query: string) {
  const words = new URLSearchParams(query).get('search')?.split(' ') ?? []
  // Of a partial search it takes the first two.
  const match = index.matchOf(owner, words.slice(0, 2))
  const [counts] = await matchCounts([match, owner])
  return {
    notes: (await matches([match, owner, index.kinds.note, SEARCH])).map(shortNote),
    urllinks: (await matches([match, owner, index.kinds.link, SEARCH])).map(shortLink),
    notes_count: Number(counts?.notes),
    urllinks_count: Number(counts?.links),
  }
}

/** As many items as are similar to one, whatever they are. */
const similar = async (owner: string) => ({
  results: (await summaries([owner, 'note', SIMILAR, 0])).map((row) => ({ kind: 'note', ...shortNote(row) })),
})

async function tags(owner: string) {
  const { byTag } = await knownCounts(owner)
  return (await tagsOf([owner])).map(({ id, name }) => ({
    id,
    name,
    notes_count: byTag.get(`${id} note`) ?? 0,
    urllinks_count: byTag.get(`${id} link`) ?? 0,
  }))
}

async function saved(owner: string, id: string, request: IncomingMessage) {
  // What the bench sends is what the contract takes.
  const { title, content, tags = [] } = (await json(request)) as NoteSave
  const now = Date.now()
  await save([owner, id, title, content, now, now])
  const named = tags.map((name) => ({ id, name }))
  return note({
    id,
    title,
    text: content,
    url: null,
    created_at: now,
    updated_at: now,
    pinned: false,
    tags: JSON.stringify(named),
  })
}

async function respondTo(request: IncomingMessage, owner: string): Promise<unknown> {
  const { method, url = '' } = request
  if (url.startsWith(LIST)) {
    const rest = url.slice(LIST.length)
    if (method === 'POST') return saved(owner, randomUUID(), request)
    if (method === 'PUT') return saved(owner, rest.slice(0, -1), request)
    if (rest.endsWith('/similar/')) return similar(owner)
    if (rest === '' || rest.startsWith('?')) return list(owner, rest)
    return (await one([owner, rest.slice(0, -1)])).map(note)[0]
  }
  if (url.startsWith(SEARCH_PATH)) return search(owner, url.slice(SEARCH_PATH.length))
  return url === '/api/v1/tags/' ? tags(owner) : latest(owner)
}

createServer(async (request, response) => {
  const body = JSON.stringify(await respondTo(request, String(request.headers.owner)))
  response.writeHead(request.method === 'POST' ? 201 : 200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}).listen(Number(PORT), '127.0.0.1')
