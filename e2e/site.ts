import { once } from 'node:events'
import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test as journey } from './fixtures.ts'
import { png } from './picture-files.ts'
import { startServer } from './server.ts'

const PAGE = `<!doctype html><meta charset="utf-8"><title>Как варить кофе</title>
<meta name="description" content="Зёрна &amp; вода: &lt;просто&gt;">
<meta name="keywords" content="кофе, Кухня, кофе, ${Array.from({ length: 12 }, (_, at) => `слово ${at}`)}">`

interface Site {
  /** Its address, with the slash. */
  readonly url: string
  /** How many pages were asked for. */
  readonly asked: () => number
  /** Holds the responses back until the returned function is called. */
  readonly hold: () => () => void
}

/** A site on this machine, which the server of these journeys may reach. */
export const test = journey.extend<{ site: Site }, { address: string }>({
  address: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
    async ({}, use) => {
      const server = await startServer({ FETCH_ALLOW: '127.0.0.0/8' })
      await use(server.address)
      await server.stop()
    },
    { scope: 'worker' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the fixtures a function needs from this pattern
  site: async ({}, use) => {
    let asked = 0
    let held: Promise<void> | undefined
    const respond: RequestListener = async (request, response) => {
      asked += 1
      await held
      if (request.url?.startsWith('/picture.png'))
        return void response.writeHead(200, { 'content-type': 'image/png' }).end(png(40, 30))
      const page = request.url === '/empty' ? '<!doctype html>' : PAGE
      response.writeHead(request.url === '/gone' ? 404 : 200, { 'content-type': 'text/html' }).end(page)
    }
    const server = createServer(respond).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    await use({
      url: `http://127.0.0.1:${port}/`,
      asked: () => asked,
      hold: () => {
        const { promise, resolve } = Promise.withResolvers<void>()
        held = promise
        return resolve
      },
    })
    server.close()
    server.closeAllConnections()
  },
})
