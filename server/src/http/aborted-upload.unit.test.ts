import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import fastify, { type FastifyError } from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { sendError } from './errors.ts'
import { receivedFileOf, takeFile } from './received-file.ts'

const ERROR = 50

/**
 * A server that runs `handler` with the file of each request. `abort` sends the beginning of one, breaks the connection once
 * the handler has begun, and resolves to the levels of what was logged.
 */
async function serving(handler: (bytes: AsyncIterable<Uint8Array>) => Promise<void>) {
  const levels: number[] = []
  const stream = { write: (line: string) => void levels.push(JSON.parse(line).level) }
  const app = fastify({ forceCloseConnections: true, logger: { level: 'info', stream } })
  const [begun, responded] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  app.setErrorHandler<FastifyError>((error, request, reply) => sendError(error, request, reply))
  app.addHook('onSend', async () => responded.resolve())
  takeFile(app, 'file', (scope) =>
    scope.post('/', async (request) => {
      const { bytes } = receivedFileOf(request, 'file')
      begun.resolve()
      await handler(bytes)
    }),
  )
  await app.listen({ host: '127.0.0.1', port: 0 })
  onTestFinished(() => app.close())
  return async () => {
    const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
    await once(socket, 'connect')
    const head =
      'POST / HTTP/1.1\r\nhost: x\r\ncontent-type: application/octet-stream\r\ncontent-length: 99\r\n\r\n'
    socket.write(`${head}beginning`)
    await begun.promise
    socket.destroy()
    await responded.promise
    return levels
  }
}

const write = (bytes: AsyncIterable<Uint8Array>) =>
  pipeline(bytes, new Writable({ write: (_chunk, _encoding, done) => done() }))

it('an upload that the client aborts is no error of the server', async () => {
  const abort = await serving(write)
  expect(await abort()).not.toContain(ERROR)
})

it('an upload whose bytes cannot be written is an error of the server, whatever the client does', async () => {
  const abort = await serving((bytes) =>
    pipeline(bytes, new Writable({ write: (_chunk, _encoding, done) => done(new Error('EIO')) })),
  )
  expect(await abort()).toContain(ERROR)
})
