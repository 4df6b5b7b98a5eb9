import { setTimeout as sleep } from 'node:timers/promises'
import type { Client } from '../client.ts'
import { type Account, newAccount } from '../new-account.ts'
import { largePng, readPicture, sendPicture } from '../pictures.ts'
import { createRandom } from '../random.ts'

/** A server, where it listens now. */
interface Reached {
  readonly address: string
  readonly client: Client
}

/** Uploads of pictures that an incident interrupts. */
export interface Pictures {
  /** Stops sending; resolves once nothing is under way. */
  stop(): Promise<void>
  /** Resolves to what is missing of those acknowledged, half there of the others, or not taken a second time. */
  faults(server: Reached): Promise<string[]>
}

/** Milliseconds between two uploads of one sender. */
const WAIT = 20
const SENDERS = 2

/** Sends pictures of several chunks, one after the other. */
export async function beginPictures({ address, client }: Reached, seed: number): Promise<Pictures> {
  const account: Account = await newAccount(client)
  const random = createRandom(seed)
  const acknowledged: { id: string; bytes: Buffer }[] = []
  const unanswered: Buffer[] = []
  const found: string[] = []
  let isWorking = true

  async function send(sender: number): Promise<void> {
    for (let number = sender; isWorking; number += SENDERS) {
      const bytes = largePng(random.between(1, 1_500_000), seed + number)
      const reply = await sendPicture({ address }, account, bytes).catch(() => undefined)
      if (reply?.status === 201) acknowledged.push({ id: reply.body.id, bytes })
      else unanswered.push(bytes)
      if (reply && reply.status !== 201 && reply.status !== 503) found.push(`картинка: ответ ${reply.status}`)
      await sleep(WAIT)
    }
  }

  const working = Array.from({ length: SENDERS }, (_, sender) => send(sender))
  return {
    async stop() {
      isWorking = false
      await Promise.all(working)
    },

    async faults(server) {
      const isThere = async ({ id, bytes }: (typeof acknowledged)[number]): Promise<boolean> =>
        (await readPicture(server, account, id)).bytes.equals(bytes)
      for (const one of acknowledged)
        if (!(await isThere(one))) found.push(`картинка ${one.id} подтверждена, но её нет`)
      for (const bytes of unanswered) {
        const { status, body } = await sendPicture(server, account, bytes)
        if (status !== 201 || !(await isThere({ id: body.id, bytes })))
          found.push(`картинка без ответа не принята снова: ${status}`)
      }
      return found
    },
  }
}
