import { type ApiToken, tokens } from '@kopilka/contract/tokens.ts'
import { Alert, Button, Stack, Text, Title } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../api/call.ts'
import { tokensQuery } from '../api/token-queries.ts'
import { passFocusToHeading } from '../lib/focus-heading.ts'
import { formatDate, formatDateTime } from '../lib/format-date.ts'
import { t } from '../messages/programs-messages.ts'
import { ConfirmDialog } from '../navigation/confirm-dialog.tsx'
import { ListFrame } from '../ui/list-frame.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { CopyField } from './copy-field.tsx'
import { Section } from './section.tsx'
import { type NewToken, TokenForm } from './token-form.tsx'
import classes from './tokens-section.module.css'

/** Personal API tokens: making one, and those there are. */
export function TokensSection() {
  const list = useQuery(tokensQuery)
  const queryClient = useQueryClient()
  const [created, setCreated] = useState<NewToken>()
  const refresh = () => queryClient.invalidateQueries({ queryKey: tokensQuery.queryKey })
  return (
    <Section title={t('tokens.title')} about={t('tokens.about')}>
      <TokenForm
        onCreated={(token) => {
          setCreated(token)
          void refresh()
        }}
      />
      {created && <CreatedToken key={created.id} created={created} onClose={() => setCreated(undefined)} />}
      <Title order={3} size="h5">
        {t('tokens.list')}
      </Title>
      <ListFrame list={list} empty={list.data?.count === 0 ? t('tokens.empty') : undefined}>
        {list.data && (
          <ul className={classes.list}>
            {list.data.results.map((token) => (
              <TokenRow
                key={token.id}
                token={token}
                onRevoked={() => {
                  if (created?.id === token.id) setCreated(undefined)
                  void refresh()
                }}
              />
            ))}
          </ul>
        )}
      </ListFrame>
    </Section>
  )
}

/** The secret of a new token, shown until it is closed or the screen is left. */
function CreatedToken({ created, onClose }: { created: NewToken; onClose: () => void }) {
  const { name, scope, token } = created
  const { origin } = window.location
  return (
    <Alert
      ref={passFocusToHeading}
      role="status"
      classNames={{ body: classes.text ?? '' }}
      title={t('tokens.created', { name })}
      withCloseButton
      closeButtonLabel={t('items.alert.close')}
      onClose={onClose}
    >
      <Stack gap="sm">
        <Text size="sm">{t('tokens.created.about')}</Text>
        <CopyField label={t('tokens.secret')} value={token} />
        {scope === 'feed' && (
          <CopyField label={t('tokens.feedAddress')} value={`${origin}/feed.xml?token=${token}`} />
        )}
      </Stack>
    </Alert>
  )
}

function TokenRow({ token, onRevoked }: { token: ApiToken; onRevoked: () => void }) {
  const { id, name, scope, created_at } = token
  const [asking, setAsking] = useState(false)
  const revoking = useMutation({
    mutationFn: () => call(tokens.remove, { params: { id } }),
    meta: { failure: 'tokens.revokeFailure' },
    onSuccess: () => {
      showMessage(t('tokens.revoked', { name }), 'success')
      onRevoked()
    },
    onSettled: () => setAsking(false),
  })
  return (
    <li className={classes.row}>
      <div className={classes.text}>
        <Text fw={600} dir="auto">
          {name}
        </Text>
        <Text size="sm" c="dimmed">
          {[
            t(`tokens.scope.${scope}`),
            t('tokens.made', { at: formatDate(created_at) }),
            ...statesOf(token),
          ].join(' · ')}
        </Text>
      </div>
      <Button
        variant="default"
        size="sm"
        aria-label={t('tokens.revokeOne', { name })}
        onClick={() => setAsking(true)}
      >
        {t('tokens.revoke')}
      </Button>
      <ConfirmDialog
        opened={asking}
        title={t('tokens.revoke.title')}
        text={t('tokens.revoke.question', { name })}
        confirm={t('tokens.revoke')}
        busy={revoking.isPending}
        onConfirm={() => {
          if (!revoking.isPending) revoking.mutate()
        }}
        onClose={() => setAsking(false)}
      />
    </li>
  )
}

/** Until when it works, and when and from where it last did. */
const statesOf = ({ expires_at, last_used_at, last_used_from }: ApiToken): string[] => {
  const isOver = expires_at !== null && new Date(expires_at) <= new Date()
  const used = last_used_at === null ? undefined : formatDateTime(last_used_at)
  return [
    ...(expires_at === null
      ? []
      : [t(isOver ? 'tokens.expired' : 'tokens.until', { at: formatDate(expires_at) })]),
    used === undefined
      ? t('tokens.unused')
      : last_used_from === null
        ? t('tokens.used', { at: used })
        : t('tokens.usedFrom', { at: used, address: last_used_from }),
  ]
}
