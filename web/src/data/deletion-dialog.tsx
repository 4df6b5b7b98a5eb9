import { accounts, type User } from '@kopilka/contract/accounts.ts'
import { Button, Group, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { PasswordField } from '../accounts/password-field.tsx'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { trashQuery } from '../api/history-queries.ts'
import { listQuery } from '../api/queries.ts'
import { endSession } from '../api/session.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { t } from '../messages/data-messages.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { forgetUser } from './forget-user.ts'

/** Asks for the password, says what goes with the account, and deletes it. */
export const DeletionDialog = ({ me, opened, onClose }: OverlayProps & { me: User }) => (
  <Dialog opened={opened} title={t('deletion.title')} width={500} onClose={onClose}>
    <DeletionForm me={me} onClose={onClose} />
  </Dialog>
)

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
