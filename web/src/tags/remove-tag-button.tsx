import { tags } from '@kopilka/contract/tags.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { call } from '../api/call.ts'
import { afterTagRemoval, forgetTagLists } from '../api/queries.ts'
import { Removal } from '../items/removal.tsx'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'

/** Deletes a tag once confirmed and goes to the list. Items stay. */
export function RemoveTagButton({ id }: { id: string }) {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  return (
    <Removal
      question="tags.removeQuestion"
      failure="tags.removeFailure"
      remove={() => call(tags.remove, { params: { id } })}
      onRemoved={async () => {
        showMessage(t('tags.removed'), 'success')
        forgetTagLists(queryClient)
        await navigate({ to: '/tags' })
        void afterTagRemoval(queryClient, id)
      }}
    />
  )
}
