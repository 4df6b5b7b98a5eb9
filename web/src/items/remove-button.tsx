import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { afterItemRemoval, takeFromLists } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import type { ItemKind } from './item-kind.ts'
import { Removal } from './removal.tsx'

interface RemoveButtonProps {
  kind: ItemKind
  id: string
}

/** Deletes an item once confirmed and goes to the list. */
export function RemoveButton({ kind, id }: RemoveButtonProps) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Removal
      question={`${kind.words}.removeQuestion`}
      failure={`${kind.words}.removeFailure`}
      remove={() => kind.remove(id)}
      onRemoved={async () => {
        showMessage(t(`${kind.words}.removed`), 'success')
        takeFromLists(queryClient, kind.name, id)
        await navigate({ to: kind.paths.list })
        void afterItemRemoval(queryClient, kind.name, id)
      }}
    />
  )
}
