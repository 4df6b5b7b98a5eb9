import { type Clock, endsWithin } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import type { Caller } from '../http/caller.ts'
import { hashSecret, newSecret, readToken, type Token, writeToken } from '../sessions/tokens.ts'

/** Milliseconds that a link works (docs/behaviour.md, section 10). */
const LINK_LIFE = 60_000

interface NewLink extends Caller {
  token_hash: string
  /** JSON of what is exported. */
  request: string
  now: number
}

/** Also deletes links of the owner that are over. */
export const createExportLink = command(
  'exports.create-link',
  async (trx, { owner_id, now, ...link }: NewLink) => {
    const { after, until } = endsWithin(now, LINK_LIFE)
    await trx
      .deleteFrom('export_links')
      .where('owner_id', '=', owner_id)
      .where(({ or, eb }) => or([eb('expires_at', '<=', after), eb('expires_at', '>', until)]))
      .execute()
    await trx
      .insertInto('export_links')
      .values({ owner_id, ...link, expires_at: now + LINK_LIFE })
      .execute()
  },
)

/** Deletes a link and resolves to what it gives; undefined where it is over, used, or of a session or token that has ended. */
export const useExportLink = command(
  'exports.use-link',
  async (
    trx,
    { owner_id, session_id, token_hash, now }: Omit<NewLink, 'request'>,
  ): Promise<string | undefined> => {
    const { after, until } = endsWithin(now, LINK_LIFE)
    const [link] = await trx
      .deleteFrom('export_links')
      .where('owner_id', '=', owner_id)
      .where('token_hash', '=', token_hash)
      .where('session_id', '=', session_id)
      .where('expires_at', '>', after)
      .where('expires_at', '<=', until)
      .returning('request')
      .execute()
    if (!link) return undefined
    const caller = (table: 'sessions' | 'api_tokens') =>
      trx
        .selectFrom(table)
        .select('id')
        .where('owner_id', '=', owner_id)
        .where('id', '=', session_id)
        .executeTakeFirst()
    return ((await caller('sessions')) ?? (await caller('api_tokens'))) && link.request
  },
)

/** Links that give a file once: a browser downloads without a header that signs it in. */
export function createExportLinks(db: Database, clock: Clock) {
  const keyOf = ({ secret, owner_id, session_id }: Token) => ({
    ...{ owner_id, session_id },
    ...{ token_hash: hashSecret(secret), now: clock() },
  })
  return {
    /** Resolves to the token of the link. */
    async create(caller: Caller, request: unknown): Promise<string> {
      const token = { ...caller, secret: newSecret() }
      await db.write(createExportLink, { ...keyOf(token), request: JSON.stringify(request) })
      return writeToken(token)
    },

    /** Resolves to the owner and to what was passed to `create`. */
    async use(text: string): Promise<{ owner_id: string; request: unknown } | undefined> {
      const token = readToken(text)
      const request = token && (await db.write(useExportLink, keyOf(token)))
      return request === undefined
        ? undefined
        : { owner_id: token?.owner_id ?? '', request: JSON.parse(request) }
    },
  }
}
