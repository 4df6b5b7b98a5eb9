import type { Endpoint, RequestOf, ResponseOf } from '@kopilka/contract/endpoint.ts'
import type { FieldMessageRef } from '@kopilka/contract/field-messages.ts'
import type * as z from 'zod/mini'
import { callWithEtag } from '../api/call.ts'
import { CallFailure } from '../api/failure.ts'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import type { Versioned } from '../api/send.ts'
import type { AccountsMessageId } from '../messages/accounts-messages.ts'
import { t } from '../messages/messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { useForm, type ValidValues, type Values } from './use-form.ts'
import type { Shape } from './validator.ts'

type BodyShape<E> = E extends { body: z.ZodMiniObject<infer S extends Shape> } ? S : never

interface CallFormOptions<E extends Endpoint, S extends Shape> {
  initial: Values<NoInfer<S>>
  /** The fields where they are others than those of the call's body. */
  shape?: S
  /** Rules that need more than one field. */
  check?: (values: Values<NoInfer<S>>) => Partial<Record<keyof NoInfer<S>, FieldMessageRef>>
  /** The request, where it is not the fields as body. */
  request?: (valid: ValidValues<NoInfer<S>>) => RequestOf<E>
  /** Says what failed where the server has no sentence; absent: the general catalogue (docs/specification.md, section 8). */
  failure?: AccountsMessageId
  /** Reports a failure in place of the snackbar. */
  showFailure?: (failure: unknown) => void
  onDone: (
    response: ResponseOf<E>,
    valid: ValidValues<NoInfer<S>>,
    operation: string | undefined,
  ) => Promise<void> | void
}

/** The form of one call: its schema, its messages by field, its failures. Returns what {@link useForm} returns. */
export const useCallForm = <E extends Endpoint, S extends Shape = BodyShape<E>>(
  call: E & { body: z.ZodMiniObject },
  options: CallFormOptions<E, S>,
) => {
  const { initial, check, failure: sentence, onDone } = options
  // Without a shape of its own the form has the fields of the body, and so they are the request.
  const shape = options.shape ?? (call.body.shape as unknown as S)
  const request = options.request ?? ((body: ValidValues<S>) => ({ body }) as unknown as RequestOf<E>)
  const showFailure =
    options.showFailure ??
    ((failure) => showMessage(failureText(failure, sentence), 'error', { about: aboutFailure(failure) }))
  const form = useForm({
    initial,
    shape,
    ...(check && { check }),
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (valid: ValidValues<S>) => {
      let response: Versioned<ResponseOf<E>>
      try {
        response = (await callWithEtag<E, RequestOf<E>>(call, request(valid))) as Versioned<ResponseOf<E>>
      } catch (failure) {
        if (failure instanceof CallFailure) form.showServerErrors(failure.fields)
        showFailure(failure)
        return
      }
      await onDone(response.value, valid, response.operation)
    },
  })
  return form
}
