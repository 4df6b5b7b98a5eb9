import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { cacheUpdated } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import type { Versioned } from '../api/send.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { isMissing } from './item-failure.tsx'
import type { Item, ItemKind, ItemValues } from './item-kind.ts'
import { useAdding } from './use-adding.ts'

interface SavingOptions {
  kind: ItemKind
  id: string
  /** The ETag of what the form was filled with. */
  etag: string | undefined
  onSaved: () => void
  /** The item has been deleted meanwhile. */
  onGone: () => void
}

/** Someone else saved the item meanwhile: their version, and what was to be saved over it. */
interface Conflict {
  theirs: Versioned<Item>
  body: ItemValues
}

/** Saves a changed item and goes to it; where someone else was faster, nothing is overwritten before the user chose. */
export const useSaving = (options: SavingOptions) => {
  const { kind, id, onSaved, onGone } = options
  const [etag, setEtag] = useState(options.etag)
  const [failure, setFailure] = useState<string>()
  const [conflict, setConflict] = useState<Conflict>()
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const update = useMutation({
    mutationFn: ({ values, over }: { values: ItemValues; over: string | undefined }) => {
      const body = kind.calls.update.body.parse(values)
      return callWithEtag(kind.calls.update, { params: { id }, body }, { ifMatch: over })
    },
    meta: { failure: 'screen' },
  })

  const adding = useAdding(kind, onSaved)

  const tell = (text: string): void => {
    if (kind.alerts) setFailure(text)
    else showMessage(text, 'error')
  }

  const showConflict = async (body: ItemValues): Promise<void> => {
    try {
      setConflict({ theirs: await callWithEtag(kind.calls.read, { params: { id } }), body })
    } catch (failure) {
      if (isMissing(failure)) onGone()
      else tell(failureText(failure, `${kind.textPrefix}.loadFailure`))
    }
  }

  /** Answers what the server says of single fields, where that is why it failed. */
  const saveOver = async (body: ItemValues, over: string | undefined): Promise<FieldMessages> => {
    setFailure(undefined)
    let saved: Versioned<Item>
    try {
      saved = await update.mutateAsync({ values: body, over })
    } catch (failure) {
      if (failure instanceof CallFailure && failure.status === 412) {
        await showConflict(body)
        return {}
      }
      setConflict(undefined)
      if (isMissing(failure)) {
        onGone()
        return {}
      }
      tell(failureText(failure, `${kind.textPrefix}.saveFailure`))
      return failure instanceof CallFailure ? failure.fields : {}
    }
    onSaved()
    showMessage(t(`${kind.textPrefix}.saved`), 'success')
    cacheUpdated(queryClient, kind, saved)
    // In the form's place: Back must not open it again.
    await navigate({ to: kind.paths.item, params: { id }, replace: true })
    return {}
  }

  return {
    busy: update.isPending || adding.busy,
    /** What the form stands on. */
    etag,
    startOver: setEtag,
    save: (body: ItemValues) => saveOver(body, etag),
    failure,
    dismissFailure: () => setFailure(undefined),
    /** What is saved now, while the user has to choose. */
    theirs: conflict?.theirs.value,
    keepMine: async (): Promise<FieldMessages> =>
      conflict ? saveOver(conflict.body, conflict.theirs.etag) : {},
    /** Theirs stays as it is, and what was to be saved over it becomes a new item. */
    keepBoth: async (): Promise<FieldMessages> => (conflict ? adding.add(conflict.body) : {}),
    /** From now on the form stands on their version. */
    keepTheirs: () => {
      setEtag(conflict?.theirs.etag)
      setConflict(undefined)
    },
    leaveConflict: () => setConflict(undefined),
  }
}
