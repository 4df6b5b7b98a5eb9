import { tokens } from '@kopilka/contract/tokens.ts'
import { Alert, Button, Stack, Text } from '@mantine/core'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { call } from '../api/call.ts'
import { tokensQuery } from '../api/token-queries.ts'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { t } from '../messages/programs-messages.ts'
import { CopyField } from './copy-field.tsx'

/** Makes a token for the browser extension in one press: its popup, opened over this page, takes it from here. */
export function ExtensionConnection() {
  const queryClient = useQueryClient()
  const connecting = useMutation({
    meta: { failure: 'tokens.createFailure' },
    mutationFn: () => call(tokens.create, { body: { name: t('extension.tokenName'), scope: 'write' } }),
    onSuccess: () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey }),
  })
  const token = connecting.data?.token
  return (
    <Stack gap="sm">
      <Text size="sm" c="dimmed">
        {t('extension.about')}
      </Text>
      {token === undefined ? (
        <Button
          variant="default"
          loading={connecting.isPending}
          style={{ alignSelf: 'start' }}
          onClick={() => connecting.mutate()}
        >
          {t('extension.connect')}
        </Button>
      ) : (
        <Alert ref={passFocusToHeading} role="status" title={t('extension.next')}>
          <Stack gap="sm" data-extension-token={token}>
            <Text size="sm">{t('extension.next.about')}</Text>
            <CopyField label={t('tokens.secret')} value={token} />
          </Stack>
        </Alert>
      )}
    </Stack>
  )
}
