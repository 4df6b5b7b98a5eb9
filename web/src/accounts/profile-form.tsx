import { accounts, type User } from '@kopilka/contract/accounts.ts'
import { anyName } from '@kopilka/contract/fields.ts'
import { Button, Paper, Stack, TextInput, Title } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { meQuery } from '../api/queries.ts'
import { removeStoredValues, storedValuesOr, useStoredValues } from '../forms/stored-values.ts'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/accounts-messages.ts'
import { showMessage } from '../ui/snackbar.ts'
import { keepChangedProfile } from './changed-profile.ts'

/** Blank names are allowed here (docs/specification.md, section 5). */
const shape = { first_name: anyName, last_name: anyName }
const namesOf = ({ first_name, last_name }: User) => ({ first_name, last_name })

/** The user's names; the email is for reading. */
export function ProfileForm({ me }: { me: User }) {
  const queryClient = useQueryClient()
  const place = `profile:${me.id}`
  const [initial] = useState(() => storedValuesOr(place, namesOf(me)))
  const form = useCallForm(accounts.changeProfile, {
    initial,
    shape,
    failure: 'profile.saveFailure',
    onDone: (changed) => {
      queryClient.setQueryData(meQuery.queryKey, changed)
      keepChangedProfile(changed)
      form.fill(namesOf(changed))
      showMessage(t('profile.saved'), 'success')
    },
  })
  useStoredValues(place, form.values, namesOf(me))
  const isChanged = () => form.values.first_name !== me.first_name || form.values.last_name !== me.last_name
  return (
    <Paper withBorder component="form" {...form.form} p={{ base: 'md', xs: 'lg' }}>
      <Stack gap="md">
        <Title order={2} size="h4">
          {t('profile.general')}
        </Title>
        <TextInput {...form.text('first_name')} label={t('profile.firstName')} autoComplete="given-name" />
        <TextInput {...form.text('last_name')} label={t('profile.lastName')} autoComplete="family-name" />
        <TextInput label={t('profile.email')} type="email" value={me.email} readOnly variant="filled" />
        <Button type="submit" loading={form.submitting} style={{ alignSelf: 'start' }}>
          {t('profile.save')}
        </Button>
      </Stack>
      <UnsavedChangesDialog isDirty={isChanged} onLost={() => removeStoredValues(place)} />
    </Paper>
  )
}
