import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { SMTPServer } from 'smtp-server'
import { type ReceivedMail, readMail } from './read-mail.ts'

interface MailServerOptions {
  /** A port; absent: a free one. */
  port?: number
  /** Accepts connections and sends nothing. */
  silent?: boolean
  /** Rejects the recipient or the text with this SMTP code instead of accepting the message. */
  reject?: { at: 'recipient' | 'text'; code: number }
}

export type MailServer = Awaited<ReturnType<typeof startMailServer>>

/** A real SMTP server on this machine that keeps the messages it receives. */
export async function startMailServer({ port = 0, silent = false, reject }: MailServerOptions = {}) {
  const received: ReceivedMail[] = []
  const rejection = (at: 'recipient' | 'text') =>
    reject?.at === at ? Object.assign(new Error('rejected'), { responseCode: reject.code }) : null
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onConnect: (_session, done) => {
      if (!silent) done()
    },
    onRcptTo: (_address, _session, done) => done(rejection('recipient')),
    onData: (stream, _session, done) => {
      buffer(stream).then((bytes) => {
        const error = rejection('text')
        if (!error) received.push(readMail(bytes))
        done(error)
      }, done)
    },
  })
  // A client that disconnects early is no failure of the test.
  server.on('error', () => {})
  const listening = server.listen(port, '127.0.0.1')
  await once(listening, 'listening')
  const address = listening.address() as AddressInfo

  return {
    port: address.port,
    url: `smtp://127.0.0.1:${address.port}`,
    /** Received mail, oldest first. */
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  }
}
