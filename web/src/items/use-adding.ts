import type { FieldMessages } from '@kopilka/contract/errors.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { cacheCreated } from '../api/cache.ts'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
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
    mutationFn: (values: ItemValues) => {
      const body = kind.calls.create.body.parse(values)
      return callWithEtag(kind.calls.create, { body }, { idempotencyKey: keyFor(values) })
    },
    meta: { failure: `${kind.textPrefix}.addFailure` },
  })
  /** Answers what the server says of single fields, where that is why it failed. */
  const add = async (body: ItemValues): Promise<FieldMessages> => {
    let saved: Awaited<ReturnType<typeof creation.mutateAsync>>
    try {
      saved = await creation.mutateAsync(body)
    } catch (failure) {
      return failure instanceof CallFailure ? failure.fields : {}
    }
    onAdded()
    showMessage(t(`${kind.textPrefix}.added`), 'success')
    cacheCreated(queryClient, kind, saved)
    // In the form's place: Back must not open it again.
    await navigate({ to: kind.paths.list, replace: true })
    return {}
  }
  return { add, busy: creation.isPending }
}
