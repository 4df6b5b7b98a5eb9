import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { type ReadLetter, readLetter } from './read-letter.ts'

interface MailServerOptions {
  /** A port that was used before; absent: a free one. */
  port?: number
  /** Takes connections and says nothing. */
  silent?: boolean
  /** What it answers to the recipient or to the text instead of taking the letter. */
  refuse?: { at: 'recipient' | 'text'; code: number }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** A real mail server on this machine, which keeps what it is sent. */
export async function startMailServer({ port = 0, silent = false, refuse }: MailServerOptions = {}) {
  const letters: ReadLetter[] = []
  const refusal = (at: 'recipient' | 'text') =>
    refuse?.at === at ? Object.assign(new Error('refused'), { responseCode: refuse.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      if (!silent) done()
    },
    onRcptTo: (_address, _session, done) => done(refusal('recipient')),
    onData: (stream, _session, done) => {
      buffer(stream).then((bytes) => {
        const refused = refusal('text')
        if (!refused) letters.push(readLetter(bytes))
        done(refused)
      }, done)
    },
  })
  // Clients that leave in the middle are no fault of a test.
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address() as AddressInfo

  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    /** What came, oldest first. */
    letters,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
