import { execFile } from 'node:child_process'
import { once } from 'node:events'
import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { networks } from '../http/ip-address.ts'
import { type PageServer, startPageServer } from '../testing/page-server.ts'
import type { Network } from './connection.ts'
import { fetchPage } from './fetch-page.ts'

const run = promisify(execFile)
const HERE = ['127.0.0.0/8', '::1']
const HTML = { 'content-type': 'text/html' }

const servers: PageServer[] = []
afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
})

async function serve(respond: RequestListener, at?: { host?: string; port?: number }): Promise<PageServer> {
  const server = await startPageServer(respond, at)
  servers.push(server)
  return server
}

/** A network whose names resolve as in `names`: each look-up takes the next list. */
function network(names: Record<string, string[][]> = {}, allow: string[] = HERE): Network {
  return {
    resolve: async (name) => names[name]?.shift() ?? [],
    allow: networks(allow),
  }
}

interface Options {
  network?: Network
  signal?: AbortSignal
}

async function read(url: string, { network: reached = network(), signal }: Options = {}): Promise<string> {
  const ending = signal ?? new AbortController().signal
  const { bytes } = await fetchPage(url, { locale: 'ru', signal: ending, network: reached })
  return Buffer.from(bytes).toString()
}

const sends =
  (headers: Record<string, string | string[]>, body: string | Buffer = '', status = 200): RequestListener =>
  (_, response) => {
    response.writeHead(status, headers).end(body)
  }

describe('a request for a page', () => {
  it('contains nothing of the user except the language', async () => {
    const seen: IncomingMessage[] = []
    const { url, port } = await serve((request, response) => {
      seen.push(request)
      response.writeHead(302, { location: '/next?a=1#there', 'set-cookie': 'a=b' }).end()
    })
    await expect(read(url)).rejects.toThrow('fetchTooManyRedirects')
    expect(seen.map((request) => request.url)).toEqual(['/', ...Array(5).fill('/next?a=1')])
    for (const { method, headers } of seen) {
      expect(method).toBe('GET')
      expect(headers).toEqual({
        host: `127.0.0.1:${port}`,
        'user-agent': 'Mozilla/5.0 (compatible; Kopilka)',
        accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.1',
        'accept-language': 'ru,en;q=0.5',
        'accept-encoding': 'gzip, br, zstd',
        connection: 'close',
      })
    }
  })

  it('ignores proxies of the environment', async () => {
    const { url } = await serve(sends(HTML, 'here'))
    const proxy = await serve(sends(HTML, 'proxy'))
    const program = `
      import { networks } from '${import.meta.resolve('../http/ip-address.ts')}'
      import { fetchPage } from '${import.meta.resolve('./fetch-page.ts')}'
      const network = { resolve: async () => [], allow: networks(['127.0.0.1']) }
      const signal = new AbortController().signal
      const { bytes } = await fetchPage('${url}', { locale: 'ru', signal, network })
      process.stdout.write(bytes)`
    const env = {
      NODE_USE_ENV_PROXY: '1',
      http_proxy: proxy.url,
      HTTP_PROXY: proxy.url,
      all_proxy: proxy.url,
    }
    const { stdout } = await run(process.execPath, ['--input-type=module', '--eval', program], { env })
    expect([stdout, proxy.connections()]).toEqual(['here', 0])
  })

  it('has the host and port of the address', async () => {
    const { port } = await serve(({ headers }, response) => response.writeHead(200, HTML).end(headers.host))
    const names = { 'page.test': [['127.0.0.1']] }
    expect(await read(`http://PAGE.test.:${port}/`, { network: network(names) })).toBe(`page.test.:${port}`)
  })
})

describe('redirects', () => {
  it.each([301, 302, 303, 307, 308])('are followed with %i, up to five', async (status) => {
    let left = 5
    const { url } = await serve((_, response) => {
      if (left === 0) return void response.writeHead(200, HTML).end('there')
      left -= 1
      response.writeHead(status, { location: `/${left}` }).end('elsewhere')
    })
    expect(await read(url)).toBe('there')
  })

  it('may have an address in UTF-8, as browsers accept it', async () => {
    const { url } = await serve((request, response) => {
      if (request.url !== '/') return void response.writeHead(200, HTML).end(request.url)
      response.writeHead(302, { location: Buffer.from('/страница').toString('latin1') }).end()
    })
    expect(await read(url)).toBe(encodeURI('/страница'))
  })

  it.each([
    ['ftp://127.0.0.1/', 'fetchScheme'],
    ['file:///etc/passwd', 'fetchScheme'],
    ['data:text/html,x', 'fetchScheme'],
    ['javascript:1', 'fetchScheme'],
    ['http://', 'fetchBroken'],
    ['http://user:secret@127.0.0.1/', 'fetchCredentials'],
    ['http://10.0.0.1/', 'fetchClosedAddress'],
    ['//169.254.169.254/latest/meta-data/', 'fetchClosedAddress'],
    ['//169.254.169.254./', 'fetchClosedAddress'],
    ['//[fd00:ec2::254]/', 'fetchClosedAddress'],
    ['http://nobody.test/', 'fetchUnknownHost'],
    ['http://closed.test/', 'fetchClosedAddress'],
  ])('to %s are refused: %s', async (location, reason) => {
    const { url } = await serve(sends({ location }, '', 302))
    const names = { 'closed.test': [['192.168.0.1']] }
    await expect(read(url, { network: network(names) })).rejects.toThrow(reason)
  })

  it('without an address are responses like any other', async () => {
    const { url } = await serve(sends({}, '', 302))
    await expect(read(url)).rejects.toThrow('fetchFailed')
  })
})

/** Starts one server on 127.0.0.1 and one on ::1, on the same allowed port. */
async function serveOnOnePort(
  ipv4: RequestListener,
  ipv6: RequestListener,
): Promise<[PageServer, PageServer]> {
  for (let port = 8000; ; port += 1) {
    try {
      return [await serve(ipv4, { port }), await serve(ipv6, { port, host: '::1' })]
    } catch (error) {
      if (port === 8999) throw error
    }
  }
}

/** Listens where no connection may arrive. */
async function setTraps(): Promise<{ port: number; connections: () => number }> {
  const [one, other] = await serveOnOnePort(sends(HTML, 'trapped'), sends(HTML, 'trapped'))
  return { port: one.port, connections: () => one.connections() + other.connections() }
}

describe('a trap on this machine sees no connection', () => {
  it('for any notation of its address', async () => {
    const { port, connections } = await setTraps()
    const hosts = [
      ...[
        '127.0.0.1',
        '127.1',
        '127.0.0.1.',
        '0177.0.0.1',
        '0x7f.1',
        '2130706433',
        '0x7f000001',
        '0',
        '0.0.0.0',
      ],
      ...['127.127.127.127', 'localhost', 'LOCALHOST.', 'a.localhost', '[::1]', '[::]', '[0:0:0:0:0:0:0:1]'],
      ...[
        '[::ffff:127.0.0.1]',
        '[::ffff:7f00:1]',
        '[::127.0.0.1]',
        '[64:ff9b::127.0.0.1]',
        '[2002:7f00:1::]',
      ],
      ...[
        '[::ffff:0:127.0.0.1]',
        '①②⑦.⓪.⓪.①',
        '127。0。0。1',
        '%31%32%37.0.0.1',
        '１２７.0.0.1',
        'a@127.0.0.1',
      ],
      ...['user:secret@localhost', '\t127.0.0.1'],
    ]
    for (const host of hosts) {
      for (const url of [
        `http://${host}:${port}/`,
        `https://${host}:${port}/`,
        `http:\\\\${host}:${port}\\`,
      ]) {
        await expect(read(url, { network: network({}, []) }), url).rejects.toThrow(
          /^fetch(?:ClosedAddress|Credentials)$/,
        )
      }
    }
    expect(connections()).toBe(0)
  })

  it.each([
    ['leads there', ['127.0.0.1']],
    ['leads there by IPv6', ['::1']],
    ['leads elsewhere as well', ['93.184.216.34', '127.0.0.1']],
    ['leads elsewhere first, by another family', ['93.184.216.34', '2606:4700::1111', '::1']],
    ['leads there disguised', ['::ffff:127.0.0.1']],
    ['leads to no address at all', ['trap.test']],
    ['leads to half an address', ['127.1']],
  ])('where a name %s', async (_, addresses) => {
    const { port, connections } = await setTraps()
    const names = network({ 'trap.test': [addresses] }, [])
    await expect(read(`http://trap.test:${port}/`, { network: names })).rejects.toThrow('fetchClosedAddress')
    expect(connections()).toBe(0)
  })

  it('if the second look-up of a name leads there', async () => {
    const again: RequestListener = ({ headers }, response) =>
      void response.writeHead(302, { location: `http://${headers.host}/again` }).end()
    const [trap, first] = await serveOnOnePort(sends(HTML, 'trapped'), again)
    const asked: string[] = []
    const answers = [['::1'], ['127.0.0.1']]
    const changing: Network = {
      allow: networks(['::1']),
      resolve: async (name) => {
        asked.push(name)
        return answers.shift() ?? []
      },
    }
    await expect(read(`http://rebinding.test:${trap.port}/`, { network: changing })).rejects.toThrow(
      'fetchClosedAddress',
    )
    expect(asked).toEqual(['rebinding.test', 'rebinding.test'])
    expect([first.connections(), trap.connections()]).toEqual([1, 0])
  })

  it('and open and closed ports get the same refusal before connecting', async () => {
    const { port } = await setTraps()
    for (const asked of [port, 1, 22, 65_535])
      await expect(read(`http://127.0.0.1:${asked}/`, { network: network({}, []) })).rejects.toThrow(
        'fetchClosedAddress',
      )
  })
})

describe('a name with several addresses', () => {
  it('is looked up once, and the next address is tried if the first accepts no connection', async () => {
    const { port } = await serve(sends(HTML, 'here'))
    const names = network({ 'many.test': [['::1', '127.0.0.1']] })
    expect(await read(`http://many.test:${port}/`, { network: names })).toBe('here')
  })
})

/**
 * Starts a server that sends `head`, then `piece` repeatedly until the connection closes. Resolves to the text that is
 * read from it.
 */
async function readFlood(head: string, piece: string): Promise<string> {
  const block = piece.repeat(Math.ceil(32_768 / piece.length))
  const server = createServer((socket) => {
    const pour = () => {
      while (socket.writable && socket.write(block));
    }
    socket.on('error', () => {})
    socket.on('drain', pour)
    socket.once('data', () => {
      socket.write(head)
      pour()
    })
  })
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const bound = server.address()
  return read(`http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/`).finally(() =>
    server.close(),
  )
}

describe('a flood', () => {
  it.each([
    ['of informational responses', '', 'HTTP/1.1 103 Early Hints\r\nlink: </x>\r\n\r\n'],
    ['of empty lines before the status', '', '\r\n'],
  ])('%s ends the connection', async (_, head, piece) => {
    await expect(readFlood(head, piece)).rejects.toThrow('fetchBroken')
  })

  it('of chunks of one byte is read up to some thousands', async () => {
    const head = 'HTTP/1.1 200 OK\r\ncontent-type: text/html\r\ntransfer-encoding: chunked\r\n\r\n'
    const text = await readFlood(head, '1\r\nx\r\n')
    // The rest of what is read at once, 4 KB, is parsed as well.
    expect(text.length).toBeLessThan(2_048 + 4_096 / 6)
    expect(text.length).toBeGreaterThan(2_000)
  })

  it('before each of several redirects counts as one', async () => {
    // Two of these are more than may come over the wire for a page, one is not.
    const blank = '\r\n'.repeat(1024 * 1024)
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', (head) => {
        const status = head.includes('GET / ') ? '302 Found\r\nlocation: /next' : '200 OK'
        socket.end(`${blank}HTTP/1.1 ${status}\r\ncontent-type: text/html\r\ncontent-length: 4\r\n\r\nhere`)
      })
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const bound = server.address()
    const url = `http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}`
    expect(await read(`${url}/next`)).toBe('here')
    await expect(read(`${url}/`)).rejects.toThrow('fetchBroken')
    server.close()
  })

  it('is assumed after eleven early hints, whatever follows them, and not after ten', async () => {
    const hinted = async (hints: number): Promise<string> => {
      const { url } = await serve((_, response) => {
        for (let hint = 0; hint < hints; hint += 1)
          response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        response.writeHead(200, HTML).end('here')
      })
      return read(url)
    }
    expect(await hinted(10)).toBe('here')
    await expect(hinted(11)).rejects.toThrow('fetchBroken')
  })

  it('is assumed after eleven early hints of a page and those that redirect to it', async () => {
    const hinted = async (hints: number): Promise<string> => {
      const { url } = await serve((request, response) => {
        for (let hint = 0; hint < hints; hint += 1)
          response.writeEarlyHints({ link: '</a.css>; rel=preload' })
        if (request.url === '/') response.writeHead(302, { location: '/next' }).end()
        else response.writeHead(200, HTML).end('here')
      })
      return read(url)
    }
    expect(await hinted(5)).toBe('here')
    await expect(hinted(6)).rejects.toThrow('fetchBroken')
  })
})

describe('ports', () => {
  it.each([0, 79, 81, 444, 3000, 7999, 9000, 6379])('%i of a public address is refused', async (port) => {
    await expect(read(`http://93.184.216.34:${port}/`)).rejects.toThrow('fetchClosedPort')
  })
})

describe('the body', () => {
  const page = Buffer.from(`<title>Сжато</title>${'страница '.repeat(5_000)}`)
  const cases: [string, Buffer][] = [
    ['gzip', gzipSync(page)],
    ['x-gzip', gzipSync(page)],
    ['GZIP, identity', gzipSync(page)],
    ['br', brotliCompressSync(page)],
    ['zstd', zstdCompressSync(page)],
    ['deflate', deflateSync(page)],
    ['gzip, br', brotliCompressSync(gzipSync(page))],
    ['zstd, gzip', gzipSync(zstdCompressSync(page))],
    ['', page],
  ]

  it.each(cases)('is decompressed: %j', async (encoding, body) => {
    const { url } = await serve(sends({ ...HTML, 'content-encoding': encoding }, body))
    expect(await read(url)).toBe(page.toString())
  })

  it('may have two Content-Encoding headers', async () => {
    const body = brotliCompressSync(gzipSync(page))
    const { url } = await serve(sends({ ...HTML, 'content-encoding': ['gzip', 'br'] }, body))
    expect(await read(url)).toBe(page.toString())
  })

  it.each(['gzip', 'br', 'zstd', 'deflate', 'compress', 'rot13', 'gzip, gzip, gzip'])(
    'is refused where it is not what it says: %s',
    async (encoding) => {
      const { url } = await serve(sends({ ...HTML, 'content-encoding': encoding }, page))
      await expect(read(url)).rejects.toThrow('fetchDamaged')
    },
  )

  it.each(cases.filter(([encoding]) => !encoding.includes(',')))(
    'counts as far as it came, where the connection broke: %j',
    async (encoding, body) => {
      const { url } = await serve((_, response) => {
        response.writeHead(200, {
          ...HTML,
          'content-encoding': encoding,
          'content-length': String(body.length + 100),
        })
        response.write(body, () => response.socket?.destroySoon())
      })
      expect((await read(url)).startsWith('<title>Сжато</title>')).toBe(true)
    },
  )

  it('may be longer than announced, or of unknown length', async () => {
    const raw = async (head: string): Promise<string> => {
      const server = createServer((socket) => {
        socket.on('error', () => {})
        socket.once('data', () =>
          socket.end(`HTTP/1.1 200 OK\r\ncontent-type: text/html\r\n${head}\r\n12345`),
        )
      })
      await once(server.listen(0, '127.0.0.1'), 'listening')
      const bound = server.address()
      const text = await read(`http://127.0.0.1:${typeof bound === 'object' ? bound?.port : ''}/`)
      server.close()
      return text
    }
    expect(await raw('content-length: 3\r\n')).toBe('123')
    expect(await raw('')).toBe('12345')
  })

  it('is read up to two megabytes', async () => {
    let written = 0
    const endless = Buffer.alloc(64 * 1024, 'я')
    const server = await serve((_, response) => {
      response.writeHead(200, HTML)
      const write = () => {
        while (!response.destroyed && response.write(endless)) written += endless.length
      }
      response.on('drain', write)
      write()
    })
    expect(Buffer.from(await read(server.url)).length).toBeGreaterThanOrEqual(2 * 1024 * 1024)
    await vi.waitFor(() => expect(server.open()).toBe(0))
    expect(written).toBeLessThan(20 * 1024 * 1024)
  })

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['zstd', zstdCompressSync],
  ])('of a bomb is read up to two megabytes: %s', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(50 * 1024 * 1024, 'x'))
    const { url } = await serve(sends({ ...HTML, 'content-encoding': encoding }, bomb))
    expect((await read(url)).length).toBe(2 * 1024 * 1024)
  })

  it('of a nested compression bomb is read up to two megabytes', async () => {
    const bomb = gzipSync(gzipSync(Buffer.alloc(50 * 1024 * 1024, 'x')))
    const { url } = await serve(sends({ ...HTML, 'content-encoding': 'gzip, gzip' }, bomb))
    expect((await read(url)).length).toBeLessThanOrEqual(2 * 1024 * 1024)
  })
})

describe('refuses', () => {
  it.each([
    [404, 'fetchMissing'],
    [410, 'fetchMissing'],
    [401, 'fetchForbidden'],
    [403, 'fetchForbidden'],
    [429, 'fetchBusy'],
    [400, 'fetchFailed'],
    [500, 'fetchFailed'],
    [503, 'fetchFailed'],
    [304, 'fetchFailed'],
  ])('status %i as %s', async (status, reason) => {
    const { url } = await serve(sends(HTML, '', status))
    await expect(read(url)).rejects.toThrow(reason)
  })

  it.each(['application/pdf', 'image/svg+xml', 'text/plain', 'application/json', 'text/htmlx', 'nonsense'])(
    '%s, which is no page',
    async (type) => {
      const server = await serve((_, response) => {
        response.writeHead(200, { 'content-type': type })
        response.write('x')
      })
      await expect(read(server.url)).rejects.toThrow('fetchNotPage')
      await vi.waitFor(() => expect(server.open()).toBe(0))
    },
  )

  it.each(['text/html', 'TEXT/HTML; charset=utf-8', 'application/xhtml+xml', ''])('not %j', async (type) => {
    const { url } = await serve(sends(type === '' ? {} : { 'content-type': type }, 'page'))
    expect(await read(url)).toBe('page')
  })

  it('a server that accepts no connections', async () => {
    const server = await startPageServer(sends(HTML))
    await server.close()
    await expect(read(server.url)).rejects.toThrow('fetchRefused')
  })

  it('a server without TLS or with an unknown certificate', async () => {
    const { url } = await serve(sends(HTML))
    await expect(read(url.replace('http:', 'https:'))).rejects.toThrow('fetchTls')
  })

  it.each([
    ['no HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['nothing', ''],
    ['another protocol', 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n'],
    ['headers without end', `HTTP/1.1 200 OK\r\nx: ${'x'.repeat(70_000)}`],
    ['too many headers', `HTTP/1.1 200 OK\r\n${'xxxxxxxxxx: yyyyyyyyyy\r\n'.repeat(4_000)}\r\n`],
    ['two lengths', 'HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nxx'],
  ])('a response that is %s', async (_, response) => {
    const server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => socket.end(response))
    })
    await once(server.listen(0, '127.0.0.1'), 'listening')
    const bound = server.address()
    const port = typeof bound === 'object' ? bound?.port : ''
    await expect(read(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetchBroken')
    server.close()
  })
})

describe('a signal ends', () => {
  const silent: Record<string, RequestListener> = {
    'the wait for a response': () => {},
    'a body of one byte at a time': async (_, response: ServerResponse) => {
      response.writeHead(200, HTML)
      while (!response.destroyed) {
        response.write('x')
        await sleep(20)
      }
    },
    'a body that stops': (_, response) => {
      response.writeHead(200, HTML).write('x')
    },
    'a compressed body that stops': (_, response) => {
      response.writeHead(200, { ...HTML, 'content-encoding': 'gzip' }).write(gzipSync('x').subarray(0, 12))
    },
    'redirects without end': async (_, response) => {
      await sleep(50)
      response.writeHead(302, { location: '/' }).write('x')
    },
  }

  it.each(Object.entries(silent))('%s, and closes the connection', async (_, respond) => {
    const ending = new AbortController()
    const server = await serve((request, response) => {
      respond(request, response)
      setTimeout(() => ending.abort(), 100)
    })
    await expect(read(server.url, { signal: ending.signal })).rejects.toThrow('fetchTooSlow')
    await vi.waitFor(() => expect(server.open()).toBe(0))
  })
})
