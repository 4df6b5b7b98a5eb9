import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cacheRemoved, forgetRemoved } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { keys } from '../api/queries.ts'
import { t } from '../messages/main-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'
import { DeleteButton } from './delete-button.tsx'
import type { ItemKind } from './item-kind.ts'

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
        await navigate({ to: kind.paths.list })
        forgetRemoved(queryClient, keys.item(kind, id))
      }}
    />
  )
}
