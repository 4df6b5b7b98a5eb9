import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { afterChange, forgetItem } from '../api/queries.ts'
import type { Answer } from '../api/send.ts'
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
  theirs: Answer<Item>
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
    mutationFn: ({ body, over }: { body: ItemValues; over: string | undefined }) =>
      kind.update(id, body, over),
    meta: { failure: 'screen' },
  })

  const adding = useAdding(kind, onSaved)

  const tell = (text: string): void => {
    if (kind.alerts) setFailure(text)
    else showMessage(text, 'error')
  }

  const showConflict = async (body: ItemValues): Promise<void> => {
    try {
      setConflict({ theirs: await kind.read(id), body })
    } catch (failure) {
      if (isMissing(failure)) onGone()
      else tell(failureText(failure, `${kind.words}.loadFailure`))
    }
  }

  /** Answers what the server says of single fields, where that is why it failed. */
  const saveOver = async (body: ItemValues, over: string | undefined): Promise<FieldMessages> => {
    setFailure(undefined)
    try {
      await update.mutateAsync({ body, over })
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
      tell(failureText(failure, `${kind.words}.saveFailure`))
      return failure instanceof CallFailure ? failure.fields : {}
    }
    onSaved()
    showMessage(t(`${kind.words}.saved`), 'success')
    forgetItem(queryClient, kind.name, id)
    // In the form's place: Back must not open it again.
    await navigate({ to: kind.paths.item, params: { id }, replace: true })
    void afterChange(queryClient)
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
    theirs: conflict?.theirs.answer,
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
