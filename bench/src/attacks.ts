// A thread that attacks a server of this machine: see bench/README.md. Posts the status of each response.
import { request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { connect, createServer, type Socket } from 'node:net'
import { parentPort, workerData } from 'node:worker_threads'
import { bulk } from '@kopilka/contract/bulk.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { exports } from '@kopilka/contract/exports.ts'
import { metadata } from '@kopilka/contract/metadata.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { search } from '@kopilka/contract/search.ts'
import { tags } from '@kopilka/contract/tags.ts'
import { trash } from '@kopilka/contract/trash.ts'

/** `workerData` of an attack. */
export interface Target {
  readonly name: AttackName
  readonly port: number
  /** Of the attacker's accounts: the first has a hundred long notes with one tag, the second ten thousand tags, the third links. */
  readonly authorizations: readonly string[]
  readonly tag: string
  /** One of the long notes. */
  readonly note: string
}

/** An address other than that of the user whose requests are measured. */
const ADDRESS = '127.0.0.2'

const { name, port, authorizations, tag, note: longNote } = workerData as Target
const [authorization = '', manyTags = '', manyLinks = '', empty = ''] = authorizations
const responded = (status: number | string) => parentPort?.postMessage(String(status))

/** Sends a call and reads its response to the end. */
const send = ({ method, path }: Endpoint, { query = '', body = '', as = authorization, id = tag } = {}) =>
  new Promise<void>((resolve) => {
    const settle = (status: number | string) => {
      responded(status)
      resolve()
    }
    const headers = {
      authorization: as,
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
    }
    const options = { host: '127.0.0.1', port, localAddress: ADDRESS, agent: false, method, headers }
    request({ ...options, path: `${API_PREFIX}${path.replace(':id', id)}${query}` })
      .on('response', (response) => {
        response.resume().on('close', () => settle(response.statusCode ?? 0))
      })
      .on('error', () => settle('closed'))
      .end(body)
  })

/** Runs `connections` loops until the thread is ended. */
const forever = (connections: number, act: (connection: number, round: number) => Promise<void>) =>
  Promise.all(
    Array.from({ length: connections }, async (_, connection) => {
      for (let round = 0; ; round += 1) await act(connection, round)
    }),
  )

const note = (content: string, tags = '[]') => `{"title":"x","content":"${content}","tags":${tags}}`

const BODIES = [
  () => note('x', `[${'1,'.repeat(4_200_000)}1]`),
  () => note('x', `[${'1,'.repeat(130_000)}1]`),
  () => `{${Array.from({ length: 700_000 }, (_, at) => `"k${at}":1`).join()}}`,
  () => note('x', `${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}`),
  () => note('e\u0301'.repeat(2_600_000)),
  () => note('<>'.repeat(4_000_000)),
  () => `{"title":"${'e\u0301'.repeat(2_600_000)}","content":"x"}`,
]

const raw = (): Socket =>
  connect({ host: '127.0.0.1', port, localAddress: ADDRESS })
    .on('error', () => responded('closed'))
    .on('data', (bytes) => {
      for (const [, status = ''] of bytes.toString('latin1').matchAll(/HTTP\/1\.1 (\d+)/g)) responded(status)
    })

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
  phrases: () =>
    forever(6, (connection, round) => {
      const words = [round, round + 1, round + 2].map((at) => `слово${(at + connection) % 500}`)
      return send(search, { query: `?search=${encodeURIComponent(`"${words.join(' ')}"`)}` })
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
  exports: () => forever(6, () => send(exports.file, { query: '?format=archive&versions=1' })),
  'changes of all items': () =>
    forever(4, (_, round) =>
      send(bulk.change, {
        body: JSON.stringify({ filter: { search: 'example' }, pinned: round % 2 === 0 }),
        as: manyLinks,
      }),
    ),
  'deleting and restoring all items': () =>
    forever(2, async () => {
      await send(bulk.change, { body: JSON.stringify({ filter: {}, delete: true }), as: manyLinks })
      await send(trash.list, { query: '?search=example', as: manyLinks })
      await send(trash.restore, { body: JSON.stringify({ filter: {} }), as: manyLinks })
    }),
} as const satisfies Record<string, () => Promise<unknown>>

export type AttackName = keyof typeof ATTACKS

await ATTACKS[name]()
