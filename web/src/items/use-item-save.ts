import type { FieldMessages } from '@kopilka/contract/errors.ts'
import type { TagRef } from '@kopilka/contract/items.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import { cacheCreated, cacheUpdated } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure, isMissing, WaitingConflict } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import type { Versioned } from '../api/send.ts'
import { t } from '../messages/editor-messages.ts'
import { useReturn } from '../navigation/use-return.ts'
import { showMessage } from '../ui/snackbar.ts'
import { type Item, type ItemKind, type ItemValues, namesOf } from './item-kind.ts'
import { namesWithout } from './names-without.ts'
import { useCreation } from './use-creation.ts'
import { useServerBack } from './use-server-back.ts'

interface SaveOptions {
  kind: ItemKind
  /** Of the item that is changed; absent where one is added. */
  id: string | undefined
  /** The tags that the form began with, also that of an item which was deleted. */
  tagsBefore: readonly string[]
  /** The same with their ids, which renaming does not change; none where the item was deleted. */
  tagRefs: readonly TagRef[]
  /** Tags that existed when the form added their names. */
  picked: readonly TagRef[]
  /** Called once it is saved, before the screen is left. */
  onSaved: () => void
  /** The item has been deleted meanwhile. */
  onGone: () => void
}

/** Someone else saved the item meanwhile: their version, and the body that was rejected. */
interface Conflict {
  theirs: Versioned<Item>
  body: ItemValues
}

/** What a form sends over the version named. */
interface Change {
  /** With the names that its tags have by now. */
  values: ItemValues
  /** As the form has them. */
  typed: ItemValues
  etag: string | undefined
}

const namesIn = (tags: readonly TagRef[]): string[] => tags.map(({ name }) => name)

const isConflict = (failure: unknown): boolean => failure instanceof CallFailure && failure.status === 412

/**
 * A form's values with the tags as changes of those it began with: a tag that was renamed or deleted meanwhile does not
 * come back (docs/behaviour.md, section 8).
 */
const withTagChanges = ({ tags, ...rest }: ItemValues, before: readonly string[]): ItemValues => {
  const after = namesOf(tags)
  return { ...rest, add_tags: namesWithout(after, before), remove_tags: namesWithout(before, after) }
}

/**
 * Saves an item and opens its screen, or the list where it is new. On a conflict nothing is overwritten before the user
 * has chosen. `save` returns the server's messages by field.
 */
export const useItemSave = ({ kind, id, tagsBefore, tagRefs, picked, onSaved, onGone }: SaveOptions) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const returnTo = useReturn()
  const create = useCreation(kind)
  const [busy, setBusy] = useState(false)
  /** What failed, and what an alert says of it. */
  const [failed, setFailed] = useState<{ failure: unknown; text: string }>()
  useServerBack(failed?.failure, () => setFailed(undefined))
  const [conflict, setConflict] = useState<Conflict>()
  /** Changes sent without a response: the server may have saved them. */
  const unanswered = useRef<Change[]>([])

  const whileBusy = async (work: () => Promise<void>): Promise<FieldMessages> => {
    setBusy(true)
    setFailed(undefined)
    try {
      await work()
      return {}
    } catch (failure) {
      if (failure instanceof CallFailure) return failure.fields
      throw failure
    } finally {
      setBusy(false)
    }
  }

  const report = (failure: unknown, sentence: 'addFailure' | 'saveFailure' | 'loadFailure'): void => {
    const text = failureText(failure, `${kind.textPrefix}.${sentence}`)
    // The form of a link that is changed shows failures in an alert (docs/specification.md, section 2).
    if (kind.alerts && sentence !== 'addFailure') setFailed({ failure, text })
    else showMessage(text, 'error', { about: aboutFailure(failure) })
  }

  /** The values with the names that picked tags have by now: one that was renamed, merged or deleted since does not come back. */
  const withTagsByNow = async (
    values: ItemValues,
  ): Promise<{ values: ItemValues; gone: readonly string[] }> => {
    const added = namesWithout(namesOf(values.tags), tagsBefore)
    const named = picked.filter(({ name }) => namesWithout([name], added).length === 0)
    if (named.length === 0) return { values, gone: [] }
    const module = await import('./new-item-tags.ts').catch(() => undefined)
    if (!module) return { values, gone: [] }
    const { names, gone } = await module.pickedByNow(added, named)
    const others = namesWithout(namesOf(values.tags), added)
    return { values: { ...values, tags: [...others, ...namesWithout(names, others)] }, gone }
  }
  const reportGone = (gone: readonly string[]): void => {
    if (gone.length > 0) showMessage(t('items.tagsGone', { tags: gone.join(', ') }))
  }

  /** `theirs`: the tags of the item that stays beside the new one; absent where there is none. */
  const add = (typed: ItemValues, theirs?: readonly string[]): Promise<FieldMessages> =>
    whileBusy(async () => {
      const { values, gone } = await withTagsByNow(typed)
      let saved: Versioned<Item>
      try {
        let { tags } = values
        if (theirs || tagsBefore.length > 0) {
          const { tagsForCopy, tagsForReplacement } = await import('./new-item-tags.ts')
          const named = namesOf(tags)
          tags = theirs ? tagsForCopy(named, tagsBefore, theirs) : await tagsForReplacement(named, tagsBefore)
        }
        saved = await create(typed, kind.calls.create.body.parse({ ...values, tags }))
      } catch (failure) {
        report(failure, 'addFailure')
        throw failure
      }
      onSaved()
      showMessage(t(`${kind.textPrefix}.added`), 'success')
      reportGone(gone)
      cacheCreated(queryClient, kind, saved)
      // In the form's place: Back must not open it again.
      await navigate({ to: kind.paths.list, replace: true })
    })

  const put = (id: string, { values, etag }: Change, before = tagsBefore): Promise<Versioned<Item>> => {
    const body = kind.calls.update.body.parse(withTagChanges(values, before))
    return callWithEtag(kind.calls.update, { params: { id }, body }, { ifMatch: etag })
  }

  /** Saves a change, also over one of this form that was saved although no response came: that is no conflict. */
  const putOverOwn = async (id: string, change: Change): Promise<Versioned<Item>> => {
    try {
      return await put(id, change)
    } catch (failure) {
      const isUnanswered = failure instanceof CallFailure && failure.isUnreachable
      // Sent again without a version it would overwrite anything.
      if (isUnanswered && change.etag !== undefined) unanswered.current.push(change)
      if (!isConflict(failure)) throw failure
      for (const sent of unanswered.current) {
        const { values } = await withTagsByNow(sent.typed)
        // The server accepts what it has saved already, whatever the version: it was this form.
        const own = await put(id, { ...sent, values }).catch(() => undefined)
        if (own) return put(id, { ...change, etag: own.etag }, namesOf(values.tags))
      }
      throw failure
    }
  }

  /** `theirs`: the tags of the version that it is saved over, which the user has seen. */
  const update = (
    id: string,
    typed: ItemValues,
    etag: string | undefined,
    theirs: readonly TagRef[] = [],
  ): Promise<FieldMessages> =>
    whileBusy(async () => {
      const { values, gone } = await withTagsByNow(typed)
      let saved: Versioned<Item>
      try {
        saved = await putOverOwn(id, { values, typed, etag })
      } catch (failure) {
        if (isConflict(failure)) return showConflict(id, typed, failure)
        setConflict(undefined)
        if (isMissing(failure)) return onGone()
        report(failure, 'saveFailure')
        throw failure
      }
      onSaved()
      showMessage(t(`${kind.textPrefix}.saved`), 'success')
      reportGone(gone)
      if (namesWithout(namesIn(saved.value.tags), namesOf(values.tags)).length > 0) {
        const module = await import('./reconcile-tags.ts').catch(() => undefined)
        saved = (await module?.reconcileTags(kind, saved, values, { before: tagRefs, theirs })) ?? saved
      }
      cacheUpdated(queryClient, kind, saved)
      await returnTo({ to: kind.paths.item, params: { id } })
    })

  const showConflict = async (id: string, body: ItemValues, cause: unknown): Promise<void> => {
    // A text that waits is in this browser alone.
    const options = cause instanceof WaitingConflict ? {} : { ofServer: true as const }
    try {
      setConflict({ theirs: await callWithEtag(kind.calls.read, { params: { id } }, options), body })
    } catch (failure) {
      if (isMissing(failure)) onGone()
      else report(failure, 'loadFailure')
    }
  }

  return {
    busy,
    failure: failed?.text,
    dismissFailure: () => setFailed(undefined),
    /** Saves over the version named, or adds. */
    save: (values: ItemValues, etag: string | undefined): Promise<FieldMessages> =>
      id === undefined ? add(values) : update(id, values, etag),
    /** The choice the user has while two versions of the item stand against each other. */
    conflict: conflict &&
      id !== undefined && {
        theirs: conflict.theirs,
        keepMine: () => update(id, conflict.body, conflict.theirs.etag, conflict.theirs.value.tags),
        /** Keeps theirs and adds the rejected body as a new item. */
        keepBoth: () => add(conflict.body, namesIn(conflict.theirs.value.tags)),
        takeTheirs: () => {
          cacheUpdated(queryClient, kind, conflict.theirs)
          setConflict(undefined)
        },
        leave: () => setConflict(undefined),
      },
  }
}
