import { tags } from '@kopilka/contract/tags.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cacheTagRemoved, forgetRemoved } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { keys } from '../api/queries.ts'
import { DeleteButton } from '../items/delete-button.tsx'
import { t } from '../messages/main-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { undoable } from '../undo/undoable.ts'

/** Deletes a tag once confirmed and goes to the list. Items stay. */
export function DeleteTagButton({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <DeleteButton
      question="tags.removeQuestion"
      failure="tags.removeFailure"
      mayTakeLong
      remove={() => callWithEtag(tags.remove, { params: { id } })}
      onRemoved={async ({ operation }) => {
        showMessage(t('tags.removed'), 'success', undoable(queryClient, operation))
        cacheTagRemoved(queryClient, id)
        await navigate({ to: '/tags' })
        forgetRemoved(queryClient, keys.tag(id), keys.tagItems(id))
      }}
    />
  )
}
