import { lengthOf } from '@kopilka/contract/fields.ts'
import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import type { Clock } from '../clock.ts'
import { command } from '../db/command.ts'
import type { Database } from '../db/open.ts'
import { addToUsage, type Quotas } from '../db/usage.ts'
import { AppError } from '../errors.ts'
import type { Caller } from '../http/caller.ts'
import { changedTags, newOperation, recordChanges } from '../journal/journal.ts'
import { removeTag, type StepWriters } from '../operations/steps.ts'
import { createTags } from '../tags/item-tags.ts'
import type { TagStore } from '../tags/store.ts'
import { inParts } from '../threads/yield-to-event-loop.ts'
import type { Numbers } from './numbers.ts'
import { InvalidFields } from './sent.ts'
import { hyphenated, isStateTag, namesIn, resolveTagNames, TAGS, tagSpellings } from './tag-names.ts'

interface Creation {
  owner_id: string
  name: string
  now: number
  quotas: Quotas
}

/** Creates a tag without items; resolves to its id, or to that of the tag that has the name. */
export const createTag = command(
  'linkding.create-tag',
  async (trx, { owner_id, name, now, quotas }: Creation) => {
    const totals = { tags: 0 }
    const [tag] = await createTags(trx, owner_id, [name], { now, totals })
    if (!tag) throw new AppError('tagNotFound')
    if (totals.tags > 0) {
      await addToUsage(trx, owner_id, totals, quotas)
      await recordChanges(trx, { owner_id, session_id: null, now }, changedTags([tag.id]), { reverted: true })
    }
    return tag.id
  },
)

/** When a UUIDv7 was made (RFC 9562, section 5.7). */
const madeAt = (id: string): string =>
  new Date(Number.parseInt(id.replaceAll('-', '').slice(0, 12), 16)).toISOString()

const toTag = ({ id, name }: Pick<Tag, 'id' | 'name'>, number: number) => ({
  id: number,
  name: hyphenated(name),
  date_added: madeAt(id),
})

interface Dependencies {
  db: Database
  stepWriters: StepWriters
  clock: Clock
  quotas: Quotas
  tags: TagStore
  numbers: Numbers
}

export type LinkdingTags = ReturnType<typeof createLinkdingTags>

/** Tags as linkding's clients know them; those of states (tag-names.ts) are none. */
export function createLinkdingTags({ db, stepWriters, clock, quotas, tags, numbers }: Dependencies) {
  async function find(owner_id: string, number: string): Promise<Tag> {
    const id = await numbers.idOf(owner_id, number)
    const tag = id === undefined ? undefined : await tags.find(owner_id, id)
    if (!tag || isStateTag(tag.name)) throw new AppError('tagNotFound')
    return tag
  }

  async function shown(owner_id: string, some: readonly Pick<Tag, 'id' | 'name'>[]) {
    const ids = await numbers.of(
      owner_id,
      some.map(({ id }) => id),
    )
    const parts = await inParts(some, TAGS, (part) => part.map((tag) => toTag(tag, ids.get(tag.id) ?? 0)))
    return parts.flat()
  }

  const shownOne = async (owner_id: string, tag: Pick<Tag, 'id' | 'name'>) =>
    (await shown(owner_id, [tag]))[0]

  return {
    async list(owner_id: string, { limit, offset }: { limit: number; offset: number }) {
      const all = await tagSpellings(await tags.list(owner_id))
      return { count: all.length, results: await shown(owner_id, all.slice(offset, offset + limit)) }
    },

    read: async (owner_id: string, number: string) => shownOne(owner_id, await find(owner_id, number)),

    /** Creates a tag; one that the name means is returned as it is. Throws {@link InvalidFields} and 'tagQuota'. */
    async create({ owner_id }: Caller, sent: string) {
      const [name] = namesIn([sent])
      if (name === undefined) throw new InvalidFields({ name: ['This field may not be blank.'] })
      const all = await tags.list(owner_id)
      const [meant = name] = await resolveTagNames(
        [name],
        [],
        all.map((tag) => tag.name),
      )
      const known = all.find((tag) => tag.name === meant)
      if (known) return shownOne(owner_id, known)
      if (lengthOf(name) > MAX_LENGTH.tagName)
        throw new InvalidFields({
          name: [`Ensure this field has no more than ${MAX_LENGTH.tagName} characters.`],
        })
      const id = await db.write(createTag, { owner_id, name, now: clock(), quotas })
      return shownOne(owner_id, { id, name })
    },

    async remove(caller: Caller, number: string): Promise<void> {
      const { id } = await find(caller.owner_id, number)
      await removeTag(stepWriters(caller.owner_id), newOperation(caller, 'delete_tag', clock()), id)
    },
  }
}
