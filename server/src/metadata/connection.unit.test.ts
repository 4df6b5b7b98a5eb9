import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer, getCACertificates, setDefaultCACertificates, type TLSSocket } from 'node:tls'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { networks } from '../http/ip-address.ts'
import { itIfAvailable } from '../testing/it-if-available.ts'
import { startNameServer, type Zone } from '../testing/name-server.ts'
import { CERTIFICATE, KEY } from '../testing/tls-certificate.ts'
import { createResolver, get, newWireBudget, type Resolve } from './connection.ts'

const ZONE: Zone = {
  'both.test': { aaaa: ['2606:4700:0:0:0:0:0:1111'], a: ['1.1.1.1', '1.0.0.1'] },
  'six.test': { aaaa: ['2606:4700:0:0:0:0:0:1111'] },
  'empty.test': {},
  'chain.test': { cname: 'link.test' },
  'link.test': { cname: 'inside.test' },
  'inside.test': { a: ['10.0.0.1'] },
  'mixed.test': { cname: 'mix.test' },
  'mix.test': { a: ['1.1.1.1', '169.254.169.254'] },
  'circle.test': { cname: 'nobody.test' },
}

const never = new AbortController().signal

describe('name servers', () => {
  let server: Awaited<ReturnType<typeof startNameServer>>
  afterEach(() => server.close())

  async function names(zone?: Zone): Promise<Resolve> {
    server = await startNameServer(zone)
    return createResolver([server.address])
  }

  it.each([
    ['both.test', ['1.1.1.1', '1.0.0.1', '2606:4700::1111']],
    ['six.test', ['2606:4700::1111']],
    ['chain.test', ['10.0.0.1']],
    ['empty.test', []],
    ['circle.test', []],
    ['nobody.test', []],
  ])('say of %s: %j', async (name, addresses) => {
    const resolve = await names(ZONE)
    expect(await resolve(name, never)).toEqual(addresses)
  })

  it.each([
    ['chain.test', 'fetchClosedAddress'],
    ['mixed.test', 'fetchClosedAddress'],
    ['nobody.test', 'fetchUnknownHost'],
  ])('say where %s leads, and it is refused: %s', async (name, reason) => {
    const network = { resolve: await names(ZONE), allow: networks([]) }
    const sending = { headers: {}, signal: never, budget: newWireBudget() }
    const asking = get(new URL(`http://${name}/`), sending, network)
    await expect(asking).rejects.toThrow(reason)
    // Once for each family.
    expect(server.queries()).toBe(2)
  })

  it('that do not respond are not waited for after the signal', async () => {
    const resolve = await names()
    const ending = new AbortController()
    const asking = resolve('silent.test', ending.signal)
    await vi.waitFor(() => expect(server.queries()).toBe(2))
    ending.abort()
    expect(await asking).toEqual([])
  })
})

describe('over TLS', () => {
  beforeAll(() => setDefaultCACertificates([...getCACertificates(), CERTIFICATE]))

  const HEAD = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'

  /** Requests a page of which 100,000 bytes may come over the wire. */
  async function ask(port: number, signal = never): Promise<number | undefined> {
    const network = { resolve: async () => ['127.0.0.1'], allow: networks(['127.0.0.1']) }
    const sending = { headers: {}, signal, budget: newWireBudget(100_000) }
    const response = await get(new URL(`https://pages.test:${port}/`), sending, network)
    response.destroy()
    return response.statusCode
  }

  /** Sends empty lines before the status, so many in each record, which has 22 bytes more. */
  async function sendLines(socket: TLSSocket, records: number, lines: number): Promise<void> {
    await once(socket, 'data')
    for (let record = 0; record < records && !socket.destroyed; record += 1)
      await new Promise((resolve) => socket.write('\r\n'.repeat(lines), resolve))
    socket.end(HEAD)
  }

  it.each([
    ['small records are read', 1_500, 10, 200],
    [
      'records end the connection once they come to more bytes than a page may have',
      2_000,
      20,
      'fetchBroken',
    ],
    ['thousands of tiny records end the connection', 3_000, 1, 'fetchBroken'],
  ] as const)('%s', async (_, records, lines, outcome) => {
    const server = createServer({ key: KEY, cert: CERTIFICATE }, (socket) => {
      socket.on('error', () => {})
      void sendLines(socket, records, lines)
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const { port } = server.address() as AddressInfo
    expect(await ask(port).catch(({ message }: Error) => message)).toBe(outcome)
    server.close()
  })

  it('offers no key exchange whose numbers the server chooses', async () => {
    const hello = Promise.withResolvers<Buffer>()
    const server = createTcpServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (bytes) => {
        hello.resolve(bytes)
        socket.destroy()
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    await expect(ask((server.address() as AddressInfo).port)).rejects.toThrow()
    const suites = suitesIn(await hello.promise)
    // ECDHE and DHE, with RSA, AES-128 and GCM (RFC 5289, RFC 5288).
    expect(suites).toContain(0xc02f)
    expect(suites.filter((suite) => DHE.has(suite))).toEqual([])
    server.close()
  })

  it('repeats no handshake', async () => {
    const renegotiated = Promise.withResolvers<unknown>()
    const server = createServer({ key: KEY, cert: CERTIFICATE, maxVersion: 'TLSv1.2' }, (socket) => {
      socket.on('error', renegotiated.resolve)
      socket.once('data', () => socket.renegotiate({}, renegotiated.resolve))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const asking = ask((server.address() as AddressInfo).port, AbortSignal.timeout(10_000)).catch(() => {})
    expect(await renegotiated.promise).toMatchObject({ code: 'ERR_SSL_NO_RENEGOTIATION' })
    await asking
    server.close()
  })

  const openssl = spawnSync('openssl', ['version']).status === 0 ? 'openssl' : undefined

  itIfAvailable(openssl, 'key updates without end end the connection (openssl)', async (command) => {
    const folder = mkdtempSync(join(tmpdir(), 'kopilka-tls-'))
    const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
    writeFileSync(key, KEY)
    writeFileSync(cert, CERTIFICATE)
    const args = ['s_server', '-accept', '127.0.0.1:0', '-tls1_3', '-key', key, '-cert', cert]
    const server = spawn(command, args)
    const ended = once(server, 'close')
    try {
      const port = await portOf(server)
      // It sends one for each line with this letter.
      const pour = () => {
        while (server.stdin.writable && server.stdin.write('k\n'.repeat(1_000)));
      }
      server.stdin.on('error', () => {}).on('drain', pour)
      const asking = ask(port, AbortSignal.timeout(10_000))
      pour()
      await expect(asking).rejects.toThrow('fetchBroken')
    } finally {
      server.kill()
      await ended
      rmSync(folder, { recursive: true })
    }
  })
})

/** Cipher suites of TLS 1.2 with DHE that Node has (IANA's registry). */
const DHE = new Set([0x33, 0x39, 0x67, 0x6b, 0x9e, 0x9f, 0xa2, 0xa3, 0xccaa, 0xc09e, 0xc09f, 0xc0a2, 0xc0a3])

/** The cipher suites in a record with a ClientHello (RFC 8446, section 4.1.2). */
function suitesIn(record: Buffer): number[] {
  const start = 44 + record.readUInt8(43)
  const count = record.readUInt16BE(start) / 2
  return Array.from({ length: count }, (_, at) => record.readUInt16BE(start + 2 + 2 * at))
}

/** The port on which `openssl s_server` says that it listens. Reads what it writes after that as well. */
const portOf = ({ stdout }: ChildProcess): Promise<number> =>
  new Promise((resolve) => {
    let said = ''
    stdout?.on('data', (piece) => {
      said = `${said}${piece}`.slice(0, 1_000)
      const port = Number(/ACCEPT \S+:(\d+)/.exec(said)?.[1])
      if (port) resolve(port)
    })
  })
