import { Button } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { afterItemRemoval } from '../api/queries.ts'
import { t } from '../text/text.ts'
import { ConfirmDialog } from '../ui/confirm-dialog.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.tsx'
import type { AnyItem, AnySummary, ItemKind } from './item-kind.ts'

interface RemoveButtonProps<Whole extends AnyItem, Summary extends AnySummary, Save> {
  kind: ItemKind<Whole, Summary, Save>
  id: string
}

/** Deletes an item once confirmed and goes to the list. */
export function RemoveButton<Whole extends AnyItem, Summary extends AnySummary, Save>({
  kind,
  id,
}: RemoveButtonProps<Whole, Summary, Save>) {
  const [asking, setAsking] = useState(false)
  const queryClient = useQueryClient()
  const navigate = useNavigate()
  const removal = useMutation({
    mutationFn: () => kind.remove(id),
    meta: { failure: `${kind.words}.removeFailure` },
    onSuccess: async () => {
      showMessage(t(`${kind.words}.removed`), 'success')
      // Otherwise the list shows for a moment what was just deleted.
      queryClient.removeQueries({ queryKey: [kind.name, 'list'] })
      await navigate({ to: kind.paths.list })
      void afterItemRemoval(queryClient, kind.name, id)
    },
    onError: () => setAsking(false),
  })
  return (
    <>
      <Button
        variant="light"
        color="red"
        leftSection={<TrashIcon size={18} />}
        onClick={() => setAsking(true)}
      >
        {t('items.remove')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('items.removal.title')}
        text={t(`${kind.words}.removeQuestion`)}
        confirm={t('items.remove')}
        cancel={t('items.cancel')}
        busy={removal.isPending}
        onConfirm={() => removal.mutate()}
        onClose={() => setAsking(false)}
      />
    </>
  )
}
