import { type ApiToken, TOKEN_SCOPES, tokens } from '@kopilka/contract/tokens.ts'
import { Button, Group, Radio, Stack, Text, TextInput } from '@mantine/core'
import { useId, useState } from 'react'
import { aboutFailure, failureText } from '../api/failure-text.ts'
import { useCallForm } from '../forms/use-call-form.ts'
import { t } from '../messages/programs-messages.ts'
import { PlusIcon } from '../ui/icons.tsx'
import { showMessage } from '../ui/snackbar.ts'

const DAY = 24 * 60 * 60 * 1000
const PERIODS = { never: undefined, month: 30 * DAY, quarter: 90 * DAY, year: 365 * DAY } as const
type Period = keyof typeof PERIODS
const PERIOD_NAMES: readonly Period[] = ['never', 'month', 'quarter', 'year']

/** A token with its secret, which is known this once. */
export type NewToken = ApiToken & { token: string }

/** Makes a token: for whom, for what and for how long. */
export function TokenForm({ onCreated }: { onCreated: (created: NewToken) => void }) {
  const scopes = useId()
  const periods = useId()
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
        <Stack gap="sm" role="radiogroup" aria-labelledby={scopes}>
          <Text size="sm" fw={600} id={scopes}>
            {t('tokens.scope')}
          </Text>
          {TOKEN_SCOPES.map((scope) => (
            <Radio
              key={scope}
              name={scopes}
              checked={form.values.scope === scope}
              label={t(`tokens.scope.${scope}`)}
              description={t(`tokens.scope.${scope}.about`)}
              onChange={() => form.set('scope', scope)}
            />
          ))}
        </Stack>
        <Stack gap="sm" role="radiogroup" aria-labelledby={periods}>
          <Text size="sm" fw={600} id={periods}>
            {t('tokens.expires')}
          </Text>
          <Group gap="lg">
            {PERIOD_NAMES.map((name) => (
              <Radio
                key={name}
                name={periods}
                checked={period === name}
                label={t(`tokens.expires.${name}`)}
                onChange={() => setPeriod(name)}
              />
            ))}
          </Group>
        </Stack>
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
