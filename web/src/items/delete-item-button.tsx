import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cacheRemoved, forgetRemoved } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { keys, meQuery } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { DeleteButton } from './delete-button.tsx'
import type { ItemKind } from './item-kind.ts'

/** Loaded when it is needed: the form brings it, this screen does without. */
const dropDrafts = async (userId: string, kind: ItemKind, id: string): Promise<void> => {
  const { dropDraftsOf, formOf } = await import('./draft.ts')
  await dropDraftsOf(formOf(userId, kind, id))
}

/** Deletes an item once confirmed and goes to the list. */
export function DeleteItemButton({ kind, id }: { kind: ItemKind; id: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <DeleteButton
      question={`${kind.textPrefix}.removeQuestion`}
      failure={`${kind.textPrefix}.removeFailure`}
      remove={() => callWithEtag(kind.calls.remove, { params: { id } })}
      onRemoved={async ({ operation }) => {
        showMessage(t(`${kind.textPrefix}.removed`), 'success', undoable(queryClient, operation))
        cacheRemoved(queryClient, kind, id)
        const user = queryClient.getQueryData(meQuery.queryKey)
        if (user) void dropDrafts(user.id, kind, id)
        await navigate({ to: kind.paths.list })
        forgetRemoved(queryClient, keys.item(kind, id))
      }}
    />
  )
}
