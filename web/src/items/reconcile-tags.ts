import { tagNameKey } from '@kopilka/contract/fields.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { callWithEtag } from '../api/call.ts'
import type { Versioned } from '../api/send.ts'
import { t } from '../messages/lazy-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { type Item, type ItemKind, type ItemValues, namesOf } from './item-kind.ts'

interface Known {
  /** The tags that the form began with. */
  before: readonly TagRef[]
  /** Those of the version that it was saved over, which the user has seen. */
  theirs: readonly TagRef[]
}

/**
 * Compares the tags of a saved item with those of its form. A tag that the form removed is still there if it was renamed
 * meanwhile, as the server did not find its old name: removes it by its new name. Names others, which a merge may have brought.
 */
export const reconcileTags = async (
  kind: ItemKind,
  saved: Versioned<Item>,
  { tags, ...rest }: ItemValues,
  { before, theirs }: Known,
): Promise<Versioned<Item>> => {
  const keys = new Set(namesOf(tags).map(tagNameKey))
  const isWanted = ({ name }: TagRef) => keys.has(tagNameKey(name))
  const removed = new Set(before.filter((tag) => !isWanted(tag)).map(({ id }) => id))
  if (removed.size === 0) return saved
  const known = new Set([...before, ...theirs].map(({ id }) => id))
  const left = saved.value.tags.filter((tag) => !isWanted(tag))
  const others = left.filter(({ id }) => !known.has(id)).map(({ name }) => name)
  if (others.length > 0) showMessage(t('items.otherTags', { tags: others.join(', ') }))
  const renamed = left.filter(({ id }) => removed.has(id)).map(({ name }) => name)
  if (renamed.length === 0) return saved
  const { update } = kind.calls
  const body = update.body.parse({ ...rest, remove_tags: renamed })
  const changing = callWithEtag(update, { params: { id: saved.value.id }, body }, { ifMatch: saved.etag })
  return changing.catch(() => {
    // The form is saved all the same.
    showMessage(t('items.tagsStay', { tags: renamed.join(', ') }), 'error')
    return saved
  })
}
