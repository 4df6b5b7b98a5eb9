import { mkdir, open, readdir, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../../config.ts'
import { codeOf } from '../../errors.ts'
import { sha256 } from '../../hash.ts'
import { type Envelope, type Mailer, type Sender, toMailOptions } from './compose.ts'

const ENDING = '.eml'
/** Bytes in which the headers of our messages end. */
const HEADERS = 8192

/** The folder for messages that no mail server takes. */
export const outboxOf = ({ DATA_DIR }: Pick<Config, 'DATA_DIR'>): string => join(DATA_DIR, 'outbox')

async function compiled(from: Sender, envelope: Envelope): Promise<Buffer> {
  // Loaded lazily: most servers write few messages.
  const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
  return new MailComposer(toMailOptions(from, envelope)).compile().build()
}

/**
 * Writes each message as an `.eml` file into `folder`; `onWritten` gets its path. Only this system user may read it,
 * because the mail opens an account.
 */
export function outboxMailer(folder: string, from: Sender, onWritten: (path: string) => void): Mailer {
  return async (envelope) => {
    const bytes = await compiled(from, envelope)
    const path = join(folder, `${envelope.id}${ENDING}`)
    const unfinished = `${path}.part`
    await mkdir(folder, { recursive: true })
    const file = await open(unfinished, 'w', 0o600)
    try {
      await file.writeFile(bytes)
      await file.datasync()
    } finally {
      await file.close()
    }
    await rename(unfinished, path)
    onWritten(path)
  }
}

/** The hash of the line that names the recipient. */
function recipientIn(message: Buffer): string {
  const headers = message
    .subarray(0, HEADERS)
    .toString('latin1')
    .replace(/\r?\n[ \t]+/g, ' ')
  return sha256(/^to: (.*)$/im.exec(headers)?.[1]?.trim().toLowerCase() ?? '')
}

/** Identifies the messages to an email, for {@link deleteMessages}, without telling the email. */
export async function recipientKey(email: string): Promise<string> {
  const from = { name: '', address: 'no-reply@localhost' }
  const message = { id: '', date: new Date(0), subject: '', text: '', html: '' }
  return recipientIn(await compiled(from, { ...message, to: email }))
}

/** Deletes the messages of a folder that are addressed to the recipient with this key. */
export async function deleteMessages(folder: string, recipient: string): Promise<void> {
  const names = await readdir(folder).catch((error: unknown) => {
    if (codeOf(error) === 'ENOENT') return []
    throw error
  })
  for (const name of names.filter((one) => one.endsWith(ENDING))) {
    const path = join(folder, name)
    const file = await open(path)
    try {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(HEADERS), 0, HEADERS, 0)
      if (recipientIn(buffer.subarray(0, bytesRead)) !== recipient) continue
    } finally {
      await file.close()
    }
    await rm(path, { force: true })
  }
}
