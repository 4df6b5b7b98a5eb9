import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect } from '@playwright/test'

/** As what a letter is read. */
type Form = 'plain' | 'html'

/** The letters a server without a mail server has written so far, as people read them. */
async function letters(dataDir: string, form: Form): Promise<string[]> {
  const outbox = join(dataDir, 'outbox')
  const files = await readdir(outbox).catch(() => [])
  const written = files.filter((file) => file.endsWith('.eml')).sort()
  return Promise.all(written.map(async (file) => partOf(await readFile(join(outbox, file), 'utf8'), form)))
}

/** Waits until there are so many letters; answers the last one. */
export async function letterNumber(count: number, dataDir: string, form: Form = 'plain'): Promise<string> {
  await expect.poll(async () => (await letters(dataDir, form)).length).toBe(count)
  return (await letters(dataDir, form)).at(-1) ?? ''
}

const PARTS: Record<Form, RegExp> = {
  plain: /^content-type: text\/plain.*?\r?\n\r?\n(?<body>.*?)(?=\r?\n--|$(?![\r\n]))/ims,
  html: /^content-type: text\/html.*?\r?\n\r?\n(?<body>.*?)(?=\r?\n--|$(?![\r\n]))/ims,
}

function partOf(letter: string, form: Form): string {
  const part = PARTS[form].exec(letter)
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
