import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { CallFailure } from '../api/failure.ts'
import { afterChange, forgetLists } from '../api/queries.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import type { ItemKind, ItemValues } from './item-kind.ts'
import { useIdempotencyKey } from './use-idempotency-key.ts'

/** Adds an item and goes to the list; a snackbar tells of a failure. `onAdded` comes before the screen is left. */
export const useAdding = (kind: ItemKind, onAdded: () => void) => {
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const keyFor = useIdempotencyKey()
  const creation = useMutation({
    mutationFn: (body: ItemValues) => kind.create(body, keyFor(body)),
    meta: { failure: `${kind.words}.addFailure` },
  })
  /** Answers what the server says of single fields, where that is why it failed. */
  const add = async (body: ItemValues): Promise<FieldMessages> => {
    try {
      await creation.mutateAsync(body)
    } catch (failure) {
      return failure instanceof CallFailure ? failure.fields : {}
    }
    onAdded()
    showMessage(t(`${kind.words}.added`), 'success')
    forgetLists(queryClient, kind.name)
    await navigate({ to: kind.paths.list })
    void afterChange(queryClient)
    return {}
  }
  return { add, busy: creation.isPending }
}
