// A thread that attacks a server of this machine: see bench/README.md. Posts the status of each response.
import { once } from 'node:events'
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { accounts } from '@kopilka/contract/accounts.ts'
import { bulk } from '@kopilka/contract/bulk.ts'
import { changes } from '@kopilka/contract/changes.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { files } from '@kopilka/contract/files.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { links } from '@kopilka/contract/links.ts'
import { metadata } from '@kopilka/contract/metadata.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { operations } from '@kopilka/contract/operations.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'
import { pictureOf } from './picture.ts'

/** `workerData` of an attack. */
export interface Target {
  readonly name: AttackName
  readonly port: number
  /**
   * Of the attacker's accounts: the first has a hundred long notes and some long links with one tag, the second ten thousand tags
   * at its links, the third links, each twice; the fourth has nothing, the fifth links and a hundred long notes that have one of the
   * `words` each, and links of quotes alone.
   */
  readonly authorizations: readonly string[]
  /** How the fifth signs in. */
  readonly credentials: { readonly email: string; readonly password: string }
  readonly words: readonly string[]
  readonly tag: string
  /** The long notes; the first has an earlier version. */
  readonly notes: readonly string[]
  readonly revision: number
  /** Some of the third account's links. */
  readonly links: readonly string[]
  /** A token for the feed of the first account, and the address of its picture. */
  readonly feed: string
  readonly picture: string
  /** A token for the feed of the fifth account. */
  readonly quotes: string
}

/** An address other than that of the user whose requests are measured. */
const ADDRESS = '127.0.0.2'

const {
  name,
  port,
  authorizations,
  tag,
  notes: longNotes,
  revision,
  feed,
  picture,
  ...target
} = workerData as Target
const [longNote = ''] = longNotes
const [authorization = '', manyTags = '', manyLinks = '', empty = '', wordsApart = ''] = authorizations
const responded = (status: number | string) => parentPort?.postMessage(String(status))

interface Received {
  /** The operation that can be undone. */
  readonly operation: string
  readonly body: string
}

/** Sends a request and reads its response to the end. */
const sendTo = (
  method: string,
  path: string,
  {
    body = '',
    as = authorization,
    type = 'application/json',
    headers: more = {},
  }: { body?: string | Buffer; as?: string; type?: string; headers?: Record<string, string> } = {},
) =>
  new Promise<Received>((resolve) => {
    const settle = (status: number | string, received: Received = { operation: '', body: '' }) => {
      responded(status)
      resolve(received)
    }
    const headers = {
      ...{ authorization: as, 'content-type': type, 'content-length': Buffer.byteLength(body) },
      ...more,
    }
    const options = { host: '127.0.0.1', port, localAddress: ADDRESS, agent: false, method, headers }
    request({ ...options, path })
      .on('response', (response) => {
        const parts: Buffer[] = []
        response.on('data', (part: Buffer) => parts.length < 10 && parts.push(part))
        response.on('close', () => {
          const operation = String(response.headers.operation ?? '')
          settle(response.statusCode ?? 0, { operation, body: Buffer.concat(parts).toString() })
        })
      })
      .on('error', () => settle('closed'))
      .end(body)
  })

/** Sends a call. */
const send = (
  { method, path }: Endpoint,
  { query = '', id = tag, ...sent }: { query?: string; id?: string } & Parameters<typeof sendTo>[2] = {},
) =>
  sendTo(
    method,
    `${API_PREFIX}${path.replace(':id', id).replace(':revision', String(revision))}${query}`,
    sent,
  )

/** Runs `connections` loops until the thread is ended. */
const forever = (connections: number, act: (connection: number, round: number) => Promise<unknown>) =>
  Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let round = 0; ; round += 1) await act(connection, round)
    }),
  )

/** Half of the links, so that two connections change different ones. */
const linksOf = (connection: number): readonly string[] => {
  const half = Math.floor(target.links.length / 2)
  return target.links.slice(connection * half, (connection + 1) * half)
}

const note = (content: string, tags = '[]') => `{"title":"x","content":"${content}","tags":${tags}}`

const BODIES = [
  () => note('x', `[${'1,'.repeat(4_150_000)}1]`),
  () => note('x', `[${'1,'.repeat(130_000)}1]`),
  () => `{${Array.from({ length: 700_000 }, (_, at) => `"k${at}":1`).join()}}`,
  () => note('x', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`),
  () => note('e\u0301'.repeat(2_600_000)),
  () => note('<>'.repeat(4_000_000)),
  () => `{"title":"${'e\u0301'.repeat(2_600_000)}","content":"x"}`,
]

const raw = (localAddress = ADDRESS): Socket =>
  connect({ host: '127.0.0.1', port, localAddress })
    .on('error', () => responded('closed'))
    .on('data', (bytes) => {
      for (const [, status = ''] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)) responded(status)
    })

/** Requests on each connection of a burst: as many as the server takes. */
const PIPELINED = 20

/** Sends `count` requests at once, on connections that are open by then, from an address with limits of its own. */
async function burst(localAddress: string, count: number, requestOf: (at: number) => string): Promise<void> {
  const requests = Array.from({ length: count }, (_, at) => requestOf(at))
  const sockets = Array.from({ length: Math.ceil(count / PIPELINED) }, () => raw(localAddress))
  await Promise.all(sockets.map((socket) => once(socket, 'connect')))
  for (const [at, socket] of sockets.entries())
    socket.write(requests.slice(at * PIPELINED, (at + 1) * PIPELINED).join(''))
}

/** The bytes of a call. */
function callOf({ method, path }: Endpoint, { as = '', body = '' }: { as?: string; body?: string }): string {
  const headers = { host: 'x', ...(as && { authorization: as }), 'content-type': 'application/json' }
  const lines = Object.entries({ ...headers, 'content-length': Buffer.byteLength(body) })
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')
  return `${method} ${API_PREFIX}${path} HTTP/1.1\r\n${head}\r\n${body}`
}

/** Writes `text` repeatedly, as fast as the other side reads. */
function pour(socket: Socket, text: string): void {
  const go = () => {
    while (socket.writable && socket.write(text));
  }
  socket.on('drain', go)
  go()
}

/** Pages that never end, by their paths. */
const PAGES: Readonly<Record<string, (socket: Socket) => void>> = {
  '/silent': () => {},
  '/hints': (socket) => pour(socket, 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'.repeat(100)),
  '/lines': (socket) => pour(socket, '\r\n'.repeat(4_000)),
  '/chunks': (socket) => {
    socket.write('HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n')
    pour(socket, '1\r\nx\r\n'.repeat(1_000))
  },
}

async function servePages(): Promise<string> {
  const server = createServer((socket) => {
    socket.on('error', () => socket.destroy())
    socket.once('data', (head) => PAGES[head.toString('latin1').split(' ')[1] ?? '']?.(socket))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** Opens connections that send `head`, then `drop` every second, and read nothing. */
function openSlow(count: number, head: string, drop: string): void {
  for (let opened = 0; opened < count; opened += 1) {
    const socket = connect({ host: '127.0.0.1', port, localAddress: ADDRESS })
    socket.on('error', () => responded('closed'))
    socket.on('close', () => responded('ended'))
    socket.write(head)
    if (drop !== '') setInterval(() => socket.writable && socket.write(drop), 1_000)
  }
}

const headOf = ({ method, path }: Endpoint, id = tag): string =>
  `${method} ${API_PREFIX}${path.replace(':id', id)} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`

export const ATTACKS = {
  /** The machine's own noise. */
  nothing: async () => {},
  'large bodies': () =>
    forever(2, async (connection, round) => {
      const body = BODIES[(round + connection) % BODIES.length]
      if (body) await send(notes.create, { body: body(), as: empty })
    }),
  'saves of <td>x': () => {
    const body = note('<td>x'.repeat(100_000))
    return forever(6, () => send(notes.create, { body, as: empty }))
  },
  'short saves': () => {
    const body = note('<td>x'.repeat(1_500))
    return forever(100, () => send(notes.create, { body, as: empty }))
  },
  'calls behind saves': () => {
    const body = note('<td>x'.repeat(1_500))
    const text = encodeURIComponent('слово1')
    const others = [
      () => send(search, { query: `?search=${text}`, as: empty }),
      () => send(exports.file, { query: '?format=json', as: empty }),
      () => send(trash.list, { query: `?search=${text}`, as: empty }),
    ]
    return forever(120, (connection, round) => {
      const other = connection % 10 === 0 ? others[round % others.length] : undefined
      return other ? other() : send(notes.create, { body, as: empty })
    })
  },
  phrases: () =>
    forever(6, (connection, round) => {
      const words = [round, round + 1, round + 2].map((at) => `слово${(at + connection) % 500}`)
      return send(search, { query: `?search=${encodeURIComponent(`"${words.join(' ')}"`)}` })
    }),
  'partial searches': () =>
    forever(6, (connection, round) => {
      const { words } = target
      const some = words.map((_, at) => words[(at + round) % words.length]).slice(0, 4 + (round % 12))
      // In every long note, but never one after the other.
      const phrase = `"слово${(round + 2) % 500} слово${round % 500}"`
      const queries = [some.join(' '), `${some.join(' ')} ${phrase}`, phrase]
      const query = queries[connection % queries.length] ?? ''
      return send(search, { query: `?search=${encodeURIComponent(query)}`, as: wordsApart })
    }),
  'unfinished bodies': async () => {
    for (let count = 0; count < 250; count += 1) {
      const head = {
        authorization: empty,
        'content-type': 'application/json',
        'content-length': '8000000',
        host: 'x',
      }
      const lines = Object.entries(head).map((pair) => `${pair.join(': ')}\r\n`)
      const path = `${API_PREFIX}${notes.create.path}`
      raw().write(`POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n${'x'.repeat(7_000_000)}`)
    }
  },
  'items of a tag': () => forever(8, () => send(tags.items)),
  'unread lists': async () => openSlow(60, headOf(tags.items), ''),
  'unread items': async () => openSlow(600, headOf(notes.read, longNote), ''),
  'ten thousand tags': () => forever(8, () => send(tags.list, { as: manyTags })),
  'idle and slow connections': async () => {
    openSlow(300, '', '')
    openSlow(300, 'GET / HTTP/1.1\r\nhost: x\r\n', 'x: y\r\n')
  },
  'unfinished heads': async () => openSlow(4_000, `GET /add?text=${'x'.repeat(125_000)}`, ''),
  'tiny chunks': () => {
    const heads = [
      `POST /none HTTP/1.1\r\nhost: x\r\n`,
      `POST ${API_PREFIX}${notes.create.path} HTTP/1.1\r\nhost: x\r\nauthorization: ${empty}\r\n`,
    ].map((head) => `${head}content-type: application/json\r\ntransfer-encoding: chunked\r\n\r\n`)
    return forever(20, async (connection) => {
      const socket = raw()
      socket.write(heads[connection % heads.length] ?? '')
      pour(socket, '1\r\nx\r\n'.repeat(10_000))
      await new Promise((resolve) => socket.once('close', resolve))
    })
  },
  'hostile pages': async () => {
    const host = await servePages()
    const pages = Object.keys(PAGES)
    await forever(authorizations.length * 4, (connection, round) =>
      send(metadata.extract, {
        body: JSON.stringify({ url: `${host}${pages[(connection + round) % pages.length]}` }),
        as: authorizations[connection % authorizations.length] ?? '',
      }),
    )
  },
  'long heads': () => {
    const query = `/healthz?${Array.from({ length: 20_000 }, (_, at) => `a${at}`).join('&')}`
    const languages = { 'accept-language': 'a,'.repeat(60_000) }
    return forever(20, (connection) =>
      connection % 2 === 0 ? sendTo('GET', query) : sendTo('GET', '/none', { headers: languages }),
    )
  },
  pipelining: async () => {
    for (let count = 0; count < 20; count += 1) raw().write('GET / HTTP/1.1\r\nhost: x\r\n\r\n'.repeat(2_000))
  },
  'nonsense words': () =>
    forever(6, (connection, round) => {
      const word = (at: number) =>
        Array.from(
          { length: 33 },
          (_, letter) => 'абвгдежзиклмнопрст'[(at * 7 + letter * (at + 3)) % 18],
        ).join('')
      const words = Array.from({ length: 10 }, (_, at) => word(at + connection * 10 + round * 100))
      return send(search, { query: `?search=${encodeURIComponent(words.join(' '))}`, as: manyTags })
    }),
  'similar items': () => forever(6, () => send(notes.similar, { id: longNote })),
  'linkding lists': () =>
    forever(6, () => sendTo('GET', '/linkding/api/bookmarks/?limit=500', { as: manyTags })),
  'linkding searches': () =>
    forever(6, (_, round) => {
      const query = encodeURIComponent(`(example or https) (page or org) (${round} or links)`)
      return sendTo('GET', `/linkding/api/bookmarks/?limit=500&q=${query}`, { as: manyLinks })
    }),
  'linkding tags': () => forever(6, () => sendTo('GET', '/linkding/api/tags/?limit=10000', { as: manyTags })),
  'linkding saves': () => {
    const notes = 'слово '.repeat(40_000)
    const path = '/linkding/api/bookmarks/?disable_scraping'
    return forever(6, (connection, round) => {
      // As linkding shows them.
      const nameOf = (at: number) => `Категория-${((connection + round) * 50 + at) % 10_000}`
      const tag_names = Array.from({ length: 50 }, (_, at) => nameOf(at))
      const body = JSON.stringify({ url: `https://example.org/${connection}`, notes, tag_names })
      return sendTo('POST', path, { body, as: manyTags })
    })
  },
  'unread feeds': async () => openSlow(600, `GET /feed.xml?token=${feed} HTTP/1.1\r\nhost: x\r\n\r\n`, ''),
  'feeds of quotes': () =>
    forever(6, (connection) =>
      sendTo(connection % 2 === 0 ? 'GET' : 'HEAD', `/feed.xml?token=${target.quotes}`),
    ),
  'unread pictures': async () =>
    openSlow(600, `GET ${picture} HTTP/1.1\r\nhost: x\r\nauthorization: ${authorization}\r\n\r\n`, ''),
  'read pictures': () => forever(20, () => sendTo('GET', picture)),
  'unread exports': async () => openSlow(600, headOf(exports.file), ''),
  'pictures in texts': () => {
    let number = 0
    const image = () => {
      number += 1
      return `<img src='data:image/png;base64,${pictureOf(1, number, 1).toString('base64')}'>`
    }
    // So many fit into a body that is parsed at once.
    const body = () => note(Array.from({ length: 400 }, image).join(''))
    return forever(20, () => send(notes.create, { body: body(), as: empty }))
  },
  'uploads of pictures': () =>
    forever(6, async (connection, round) => {
      const body = pictureOf(9_000_000, round * 10 + connection)
      await send(files.create, { body, as: empty, type: 'image/png' })
    }),
  imports: () => {
    const lines = Array.from({ length: 100_000 }, (_, at) => `https://example.com/${at}?${'x'.repeat(100)}`)
    return forever(2, async () => {
      const options = { body: Buffer.from(lines.join('\n')), as: empty, type: 'application/octet-stream' }
      const { id = '' }: { id?: string } = JSON.parse((await send(imports.create, options)).body || '{}')
      // Its first entries are read by then, and saved once it is read.
      await new Promise((resolve) => setTimeout(resolve, 3_000))
      await send(imports.rows, { id, as: empty })
      await send(imports.run, { id, as: empty, body: '{}' })
    })
  },
  'slow imports': () => {
    const content = `<en-note>${'<td>x'.repeat(90_000)}</en-note>`
    const entry = `<note><title>x</title><content><![CDATA[${content}]]></content></note>`
    const bookmark = (href: string, description: string, tags = '') =>
      JSON.stringify({ href, description, tags, time: '' })
    const names = (row: number) => Array.from({ length: 50 }, (_, at) => `${'x'.repeat(30)}${row * 50 + at}`)
    const listed = (count: number, make: (row: number) => string) =>
      `[${Array.from({ length: count }, (_, row) => make(row)).join()}]`
    const bodies = [
      `<en-export>${entry.repeat(50)}</en-export>`,
      listed(20, () => bookmark('javascript:x', 'й'.repeat(1_000_000))),
      listed(18_000, (row) => bookmark(`https://example.org/${row}`, 'x', names(row).join(' '))),
    ].map((text) => Buffer.from(text))
    return forever(3 * authorizations.length, async (connection, round) => {
      const as = authorizations[connection % authorizations.length] ?? ''
      const body = bodies[(connection + round) % bodies.length] ?? ''
      const options = { body, as, type: 'application/octet-stream' }
      const { id }: { id?: string } = JSON.parse((await send(imports.create, options)).body || '{}')
      await new Promise((resolve) => setTimeout(resolve, 10_000))
      if (id === undefined) return
      await send(imports.rows, { id, as })
      await send(imports.cancel, { id, as })
    })
  },
  duplicates: () => forever(6, () => send(links.duplicates, { as: manyLinks })),
  merges: () => {
    const [keep, ...merge] = longNotes
    const body = JSON.stringify({ keep, merge: merge.slice(0, 50) })
    return forever(6, () => send(bulk.merge, { body }))
  },
  'restored versions': () =>
    forever(6, async () => {
      await send(notes.versions, { id: longNote })
      await send(notes.restoreVersion, { id: longNote })
    }),
  'change feed': () =>
    forever(8, async (connection) => {
      const as = connection % 2 === 0 ? authorization : manyLinks
      let since = ''
      for (let page = 0; page < 100; page += 1) {
        const { body } = await send(changes.follow, { query: `?limit=1000${since}`, as })
        // The end of a long page is not kept.
        const [, next] = /"next":"([^"]+)","has_more":true\}$/.exec(body) ?? []
        if (next === undefined) break
        since = `&since=${next}`
      }
    }),
  'far pages': () =>
    forever(6, (connection, round) => {
      const page = `page=${1_300 - (round % 50)}`
      const paths = [
        [links.list, `?sort=title&${page}`],
        [links.list, `?untagged=1&${page}`],
        [links.list, `?search=example&sort=updated&${page}`],
        [operations.list, `?${page}`],
        [trash.list, `?search=example&${page}`],
        [links.check, `?url=https://example.org/${'x'.repeat(2_000)}`],
      ] as const
      const [call, query] = paths[connection % paths.length] ?? [links.list, '']
      return send(call, { query, as: manyLinks })
    }),
  'undone changes': () =>
    forever(2, async (connection) => {
      const body = JSON.stringify({ ids: linksOf(connection), add_tags: [`x${connection}`] })
      const { operation } = await send(bulk.change, { body, as: manyLinks })
      if (operation !== '') await send(operations.undo, { id: operation, as: manyLinks })
    }),
  'merged tags': () =>
    forever(2, async (connection) => {
      const as = manyLinks
      const names = [`y${connection}`, `z${connection}`]
      const ids = linksOf(connection)
      for (const add_tags of names.map((name) => [name]))
        await send(bulk.change, { body: JSON.stringify({ ids, add_tags }), as })
      const found: { id: string; name: string }[] = JSON.parse((await send(tags.list, { as })).body)
      const [id, into] = names.map((name) => found.find((tag) => tag.name === name)?.id)
      const { operation } = await send(tags.merge, { id: id ?? '', body: JSON.stringify({ into }), as })
      if (operation !== '') await send(operations.undo, { id: operation, as })
      await send(tags.remove, { id: into ?? '', as })
    }),
  'sign-ins': () => {
    const wrong = { email: 'user-1@example.org', password: 'not the secret' }
    return forever(6, (connection) =>
      send(accounts.login, {
        body: JSON.stringify(connection % 2 === 0 ? wrong : target.credentials),
        as: '',
      }),
    )
  },
  'unknown tokens': () => forever(20, () => send(notes.list, { as: 'Bearer kop_unknown' })),
  'readiness at once': () => burst('127.0.0.3', 2_500, () => 'GET /readyz HTTP/1.1\r\nhost: x\r\n\r\n'),
  'pages at once': () => burst('127.0.0.4', 2_500, () => 'GET / HTTP/1.1\r\nhost: x\r\n\r\n'),
  'calls at once': () => {
    const summaries = { ...latest, path: `${latest.path}?view=summary` }
    const calls = [accounts.me, summaries].map((call) => callOf(call, { as: empty }))
    return burst(ADDRESS, 590, (at) => calls[at % calls.length] ?? '')
  },
  'sign-ins at once': () => {
    const body = JSON.stringify(target.credentials)
    return burst('127.0.0.5', 550, () => callOf(accounts.login, { body }))
  },
  'saves at once': () => burst(ADDRESS, 590, () => callOf(notes.create, { as: empty, body: note('x') })),
  exports: () => forever(6, () => send(exports.file, { query: '?format=archive&versions=1' })),
  'changes of all items': () =>
    forever(4, (_, round) =>
      send(bulk.change, {
        body: JSON.stringify({ filter: { search: 'example' }, pinned: round % 2 === 0 }),
        as: manyLinks,
      }),
    ),
  'deleted and restored items': () =>
    forever(2, async (connection) => {
      const ids = linksOf(connection)
      await send(bulk.change, { body: JSON.stringify({ ids, delete: true }), as: manyLinks })
      await send(trash.list, { query: '?search=example', as: manyLinks })
      await send(trash.restore, { body: JSON.stringify({ ids }), as: manyLinks })
    }),
  'deleting and restoring all items': () =>
    forever(2, async () => {
      await send(bulk.change, { body: JSON.stringify({ filter: {}, delete: true }), as: manyLinks })
      await send(trash.list, { query: '?search=example', as: manyLinks })
      await send(trash.restore, { body: JSON.stringify({ filter: {} }), as: manyLinks })
    }),
} as const satisfies Record<string, () => Promise<unknown>>

export type AttackName = keyof typeof ATTACKS

await ATTACKS[name]()
