import { accounts, type User } from '@kopilka/contract/accounts.ts'
import { Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useId, useState } from 'react'
import { PasswordField } from '../accounts/password-field.tsx'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { trashQuery } from '../api/history-queries.ts'
import { listQuery, meQuery } from '../api/queries.ts'
import { endSession } from '../api/session.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { t } from '../messages/data-messages.ts'
import { Dialog } from '../ui/dialog.tsx'
import { TrashIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { forgetUser } from './forget-user.ts'

/** The way to the end of the account. */
export function AccountDeletion() {
  const heading = useId()
  const { data: me } = useQuery(meQuery)
  const [opened, setOpened] = useState(false)
  const close = () => setOpened(false)
  return (
    <Paper withBorder component="section" aria-labelledby={heading} p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4" id={heading}>
          {t('deletion.title')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('deletion.about')}
        </Text>
        <Button
          variant="light"
          color="red"
          leftSection={<TrashIcon size={18} />}
          aria-haspopup="dialog"
          style={{ alignSelf: 'start' }}
          disabled={!me}
          onClick={() => setOpened(true)}
        >
          {t('deletion.open')}
        </Button>
      </Stack>
      <Dialog opened={opened} title={t('deletion.title')} width={500} onClose={close}>
        {me && <DeletionForm me={me} onClose={close} />}
      </Dialog>
    </Paper>
  )
}

/** Counts and says itself where it could not. */
const fresh = { staleTime: 0, meta: { failure: 'screen' } } as const

/** How much goes with the account; absent while that is not known. */
const useCounts = () => {
  const notes = useQuery({ ...listQuery(noteKind, {}), ...fresh })
  const links = useQuery({ ...listQuery(linkKind, {}), ...fresh })
  const trash = useQuery({ ...trashQuery({}), ...fresh })
  return {
    failed: notes.isError || links.isError || trash.isError,
    counts: notes.data &&
      links.data &&
      trash.data && { notes: notes.data.count, links: links.data.count, trashed: trash.data.count },
  }
}

function DeletionForm({ me, onClose }: { me: User; onClose: () => void }) {
  const navigate = useNavigate()
  const { counts, failed } = useCounts()
  const form = useCallForm(accounts.remove, {
    initial: { password: '' },
    showFailure: (failure) =>
      showMessage(failureText(failure, 'deletion.failure'), 'error', { about: aboutFailure(failure) }),
    onDone: async () => {
      await forgetUser(me.id)
      endSession('left')
      await navigate({ to: '/auth/login' })
      showMessage(t('deletion.done'), 'success')
    },
  })
  return (
    <form {...form.form}>
      <Stack gap="md">
        <Text role="status" style={{ overflowWrap: 'anywhere' }}>
          {counts
            ? t('deletion.question', { ...counts, email: me.email })
            : t(failed ? 'deletion.countFailure' : 'deletion.counting')}
        </Text>
        <input type="text" autoComplete="username" value={me.email} readOnly hidden />
        <PasswordField
          {...form.text('password')}
          label={t('deletion.password')}
          autoComplete="current-password"
          required
          data-autofocus
        />
        <Group justify="flex-end">
          <Button variant="default" disabled={form.submitting} onClick={onClose}>
            {t('items.cancel')}
          </Button>
          <Button type="submit" color="red.9" loading={form.submitting}>
            {t('deletion.confirm')}
          </Button>
        </Group>
      </Stack>
    </form>
  )
}
