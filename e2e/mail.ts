import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** Which of a message's two bodies is read. */
type Form = 'plain' | 'html'

/** The bodies of the messages in the outbox of a server that has no SMTP server, oldest first. */
async function messages(dataDir: string, form: Form): Promise<string[]> {
  const outbox = join(dataDir, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const written = files.filter((file) => file.endsWith('.eml')).sort()
  return Promise.all(written.map(async (file) => bodyOf(await readFile(join(outbox, file), 'utf8'), form)))
}

/** Waits until `count` messages were sent; returns the body of the last one. */
export async function nthMessage(count: number, dataDir: string, form: Form = 'plain'): Promise<string> {
  await expect.poll(async () => (await messages(dataDir, form)).length).toBe(count)
  return (await messages(dataDir, form)).at(-1) ?? ''
}

const BODIES: Record<Form, RegExp> = {
  plain: /^content-type: text\/plain.*?\r?\n\r?\n(?<body>.*?)(?=\r?\n--|$(?![\r\n]))/ims,
  html: /^content-type: text\/html.*?\r?\n\r?\n(?<body>.*?)(?=\r?\n--|$(?![\r\n]))/ims,
}

function bodyOf(message: string, form: Form): string {
  const part = BODIES[form].exec(message)
  const body = part?.groups?.body ?? ''
  return /^content-transfer-encoding: base64/im.test(part?.[0] ?? '')
    ? Buffer.from(body, 'base64').toString()
    : fromQuotedPrintable(body)
}

const fromQuotedPrintable = (text: string): string =>
  Buffer.from(
    text
      .replace(/=\r?\n/g, '')
      .replace(/=([\dA-F]{2})/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
    'latin1',
  ).toString()
