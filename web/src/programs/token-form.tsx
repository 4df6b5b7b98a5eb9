import { type ApiToken, TOKEN_SCOPES, tokens } from '@kopilka/contract/tokens.ts'
import { Button, Stack, TextInput } from '@mantine/core'
import { useState } from 'react'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/programs-messages.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { RadioChoice } from '../ui/radio-choice.tsx'
import { showMessage } from '../ui/snackbar.ts'

const DAY = 24 * 60 * 60 * 1000
const PERIODS = { never: undefined, month: 30 * DAY, quarter: 90 * DAY, year: 365 * DAY } as const
type Period = keyof typeof PERIODS
const PERIOD_NAMES: readonly Period[] = ['never', 'month', 'quarter', 'year']

/** A token with its secret, which is known this once. */
export type NewToken = ApiToken & { token: string }

/** Makes a token: for whom, for what and for how long. */
export function TokenForm({ onCreated }: { onCreated: (created: NewToken) => void }) {
  const [period, setPeriod] = useState<Period>('never')
  const form = useCallForm(tokens.create, {
    initial: { name: '', scope: 'write', expires_at: undefined },
    request: (body) => {
      const milliseconds = PERIODS[period]
      const expires_at =
        milliseconds === undefined ? undefined : new Date(Date.now() + milliseconds).toISOString()
      return { body: { ...body, expires_at } }
    },
    showFailure: (failure) =>
      showMessage(failureText(failure, 'tokens.createFailure'), 'error', { about: aboutFailure(failure) }),
    onDone: (created) => {
      form.fill({ ...form.values, name: '' })
      onCreated(created)
    },
  })
  return (
    <form {...form.form}>
      <Stack gap="md">
        <TextInput {...form.text('name')} label={t('tokens.name')} autoComplete="off" required />
        <RadioChoice
          label={t('tokens.scope')}
          choices={TOKEN_SCOPES.map((value) => ({
            value,
            label: t(`tokens.scope.${value}`),
            description: t(`tokens.scope.${value}.about`),
          }))}
          value={form.values.scope}
          onChange={(scope) => form.set('scope', scope)}
        />
        <RadioChoice
          label={t('tokens.expires')}
          choices={PERIOD_NAMES.map((value) => ({ value, label: t(`tokens.expires.${value}`) }))}
          value={period}
          onChange={setPeriod}
          inline
        />
        <Button
          type="submit"
          loading={form.submitting}
          leftSection={<PlusIcon size={18} />}
          style={{ alignSelf: 'start' }}
        >
          {t('tokens.create')}
        </Button>
      </Stack>
    </form>
  )
}
