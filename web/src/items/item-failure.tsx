import { Stack, Title } from '@mantine/core'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { NotFound } from '../ui/not-found.tsx'
import type { ItemKind } from './item-kind.ts'
import { LoadFailure, Retry } from './load-failure.tsx'

/** Whether there is no such item, or no longer. */
export const isMissing = (failure: unknown): boolean =>
  failure instanceof CallFailure && failure.status === 404

interface ItemFailureProps {
  kind: ItemKind
  failure: unknown
  /** Whether to say what failed; else a snackbar has. */
  alert: boolean
  onRetry: () => void
}

/** Stands in place of an item that could not be loaded, or is not there. */
export function ItemFailure({ kind, failure, alert, onRetry }: ItemFailureProps) {
  const text = failureText(failure, `${kind.words}.loadFailure`)
  if (isMissing(failure)) {
    return (
      <NotFound heading={t(`${kind.words}.missing`)} text={text}>
        <ButtonLink to={kind.paths.list}>{t(`${kind.words}.toList`)}</ButtonLink>
      </NotFound>
    )
  }
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2" tabIndex={-1}>
        {t(`${kind.words}.item`)}
      </Title>
      {alert ? <LoadFailure text={text} onRetry={onRetry} /> : <Retry onRetry={onRetry} />}
      <ButtonLink to={kind.paths.list} variant="default">
        {t(`${kind.words}.toList`)}
      </ButtonLink>
    </Stack>
  )
}
