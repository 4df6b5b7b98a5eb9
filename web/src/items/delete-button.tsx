import { Button } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { type MainMessageId, t } from '../messages/main-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { OperationProgress } from '../navigation/late-operation-progress.ts'
import { TrashIcon } from '../ui/icons.tsx'

interface DeleteButtonProps<Removed> {
  question: MainMessageId
  /** Says that it did not work, where the server does not say why. */
  failure: MainMessageId
  /** The deletion may concern many items, and takes a while then. */
  mayTakeLong?: boolean
  remove: () => Promise<Removed>
  onRemoved: (removed: Removed) => Promise<void>
}

/** The button that deletes what a screen shows, once confirmed; so does the key Delete (selection/gestures.ts). */
export function DeleteButton<Removed>(props: DeleteButtonProps<Removed>) {
  const { question, failure, mayTakeLong = false, remove, onRemoved } = props
  const [asking, setAsking] = useState(false)
  const started = useRef(false)
  const deletion = useMutation({
    mutationFn: remove,
    meta: { failure },
    onSuccess: onRemoved,
    onError: () => {
      started.current = false
      setAsking(false)
    },
  })
  // The second of two quick clicks comes before the dialog shows that it is busy.
  const removeOnce = () => {
    if (started.current) return
    started.current = true
    deletion.mutate()
  }
  return (
    <>
      <Button
        variant="light"
        color="red"
        leftSection={<TrashIcon size={18} />}
        aria-keyshortcuts="Delete"
        onClick={() => setAsking(true)}
      >
        {t('items.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('items.deletion.title')}
        text={t(question)}
        confirm={t('items.remove')}
        busy={deletion.isPending}
        {...(mayTakeLong && {
          progress: asking && (
            // Loaded as the question is asked, before the network has anything else to do.
            <Suspense>
              <OperationProgress busy={deletion.isPending} />
            </Suspense>
          ),
        })}
        onConfirm={removeOnce}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
