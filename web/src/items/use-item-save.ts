import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { tagNameKey } from '@kopilka/contract/fields.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cacheCreated, cacheUpdated } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import type { Versioned } from '../api/send.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { useIdempotencyKey } from './idempotency-key.ts'
import { type Item, type ItemKind, type ItemValues, namesOf } from './item-kind.ts'

interface SaveOptions {
  kind: ItemKind
  /** Of the item that is changed; absent where one is added. */
  id: string | undefined
  /** The tags that the form began with. */
  tagsBefore: readonly string[]
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

const hasStatus = (failure: unknown, status: number): boolean =>
  failure instanceof CallFailure && failure.status === status

/**
 * A form's values with the tags as changes of those it began with: a tag that was renamed or deleted meanwhile does not
 * come back (docs/behaviour.md, section 8).
 */
const withTagChanges = ({ tags, ...rest }: ItemValues, before: readonly string[]): ItemValues => {
  const after = namesOf(tags)
  const keysOf = (names: readonly string[]) => new Set(names.map(tagNameKey))
  const without = (names: readonly string[], others: readonly string[]) => {
    const keys = keysOf(others)
    return names.filter((name) => !keys.has(tagNameKey(name)))
  }
  return { ...rest, add_tags: without(after, before), remove_tags: without(before, after) }
}

/**
 * Saves an item and opens its screen, or the list where it is new. On a conflict nothing is overwritten before the user
 * has chosen. `save` returns the server's messages by field.
 */
export const useItemSave = ({ kind, id, tagsBefore, onSaved, onGone }: SaveOptions) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const keyFor = useIdempotencyKey()
  const [busy, setBusy] = useState(false)
  const [failure, setFailure] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()

  const whileBusy = async (work: () => Promise<void>): Promise<FieldMessages> => {
    setBusy(true)
    setFailure(undefined)
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

  const add = (values: ItemValues): Promise<FieldMessages> =>
    whileBusy(async () => {
      const body = kind.calls.create.body.parse(values)
      let saved: Versioned<Item>
      try {
        saved = await callWithEtag(kind.calls.create, { body }, { idempotencyKey: keyFor(values) })
      } catch (failure) {
        showMessage(failureText(failure, `${kind.textPrefix}.addFailure`), 'error')
        throw failure
      }
      onSaved()
      showMessage(t(`${kind.textPrefix}.added`), 'success')
      cacheCreated(queryClient, kind, saved)
      // In the form's place: Back must not open it again.
      await navigate({ to: kind.paths.list, replace: true })
    })

  /** A link's form shows failures in an alert, a note's in the snackbar (docs/specification.md, section 2). */
  const sayFailure = (text: string): void => {
    if (kind.alerts) setFailure(text)
    else showMessage(text, 'error')
  }

  const update = (id: string, values: ItemValues, etag: string | undefined): Promise<FieldMessages> =>
    whileBusy(async () => {
      const body = kind.calls.update.body.parse(withTagChanges(values, tagsBefore))
      let saved: Versioned<Item>
      try {
        saved = await callWithEtag(kind.calls.update, { params: { id }, body }, { ifMatch: etag })
      } catch (failure) {
        if (hasStatus(failure, 412)) return showConflict(id, values)
        setConflict(undefined)
        if (hasStatus(failure, 404)) return onGone()
        sayFailure(failureText(failure, `${kind.textPrefix}.saveFailure`))
        throw failure
      }
      onSaved()
      showMessage(t(`${kind.textPrefix}.saved`), 'success')
      cacheUpdated(queryClient, kind, saved)
      await navigate({ to: kind.paths.item, params: { id }, replace: true })
    })

  const showConflict = async (id: string, body: ItemValues): Promise<void> => {
    try {
      setConflict({ theirs: await callWithEtag(kind.calls.read, { params: { id } }), body })
    } catch (failure) {
      if (hasStatus(failure, 404)) onGone()
      else sayFailure(failureText(failure, `${kind.textPrefix}.loadFailure`))
    }
  }

  return {
    busy,
    failure,
    dismissFailure: () => setFailure(undefined),
    /** Saves over the version named, or adds. */
    save: (values: ItemValues, etag: string | undefined): Promise<FieldMessages> =>
      id === undefined ? add(values) : update(id, values, etag),
    /** The choice the user has while two versions of the item stand against each other. */
    conflict: conflict &&
      id !== undefined && {
        theirs: conflict.theirs,
        keepMine: () => update(id, conflict.body, conflict.theirs.etag),
        /** Keeps theirs and adds the rejected body as a new item. */
        keepBoth: () => add(conflict.body),
        leave: () => setConflict(undefined),
      },
  }
}
