import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { afterItemRemoval } from '../api/queries.ts'
import { t } from '../text/text.ts'
import { showMessage } from '../ui/snackbar.tsx'
import type { AnyItem, AnySummary, ItemKind } from './item-kind.ts'
import { Removal } from './removal.tsx'

interface RemoveButtonProps<Whole extends AnyItem, Summary extends AnySummary, Save> {
  kind: ItemKind<Whole, Summary, Save>
  id: string
}

/** Deletes an item once confirmed and goes to the list. */
export function RemoveButton<Whole extends AnyItem, Summary extends AnySummary, Save>({
  kind,
  id,
}: RemoveButtonProps<Whole, Summary, Save>) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Removal
      question={`${kind.words}.removeQuestion`}
      failure={`${kind.words}.removeFailure`}
      remove={() => kind.remove(id)}
      onRemoved={async () => {
        showMessage(t(`${kind.words}.removed`), 'success')
        // Otherwise the list shows for a moment what was just deleted.
        queryClient.removeQueries({ queryKey: [kind.name, 'list'] })
        await navigate({ to: kind.paths.list })
        void afterItemRemoval(queryClient, kind.name, id)
      }}
    />
  )
}
