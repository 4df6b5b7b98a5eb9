import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { composed, type Sender } from './compose.ts'
import type { Deliver } from './message.ts'

/**
 * Where no mail server is set up: each letter becomes an `.eml` file in `folder`, which mail programs open.
 * `written` is told the path. Only this system's user may read it: who reads a letter may do what it allows.
 */
export function outboxDelivery(folder: string, from: Sender, written: (path: string) => void): Deliver {
  return async (envelope) => {
    const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
    const bytes = await new MailComposer(composed(from, envelope)).compile().build()
    const path = join(folder, `${envelope.id}.eml`)
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
    written(path)
  }
}
