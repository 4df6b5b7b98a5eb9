import { Group, Stack, Title } from '@mantine/core'
import { useRouter } from '@tanstack/react-router'
import type { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { LoadFailure, Retry } from '../ui/load-failure.tsx'
import { NotFound } from '../ui/not-found.tsx'
import type { ItemKind } from './item-kind.ts'

/** Shown in place of an item that does not exist; it may be in the trash. */
export const ItemNotFound = ({ kind, failure }: { kind: ItemKind; failure: unknown }) => (
  <NotFound
    heading={t(`${kind.textPrefix}.missing`)}
    text={failureText(failure, `${kind.textPrefix}.loadFailure`)}
  >
    <Group>
      <ButtonLink to={kind.paths.list}>{t(`${kind.textPrefix}.toList`)}</ButtonLink>
      <ButtonLink to="/trash" variant="default">
        {t('title.trash')}
      </ButtonLink>
    </Group>
  </NotFound>
)

interface ItemFailureProps {
  kind: ItemKind
  /** Absent where a snackbar says what failed. */
  failure?: CallFailure
}

/** Shown in place of an item that could not be loaded. */
export function ItemFailure({ kind, failure }: ItemFailureProps) {
  const router = useRouter()
  const onRetry = () => void router.invalidate()
  return (
    <Stack align="flex-start">
      <Title order={1} size="h2" tabIndex={-1}>
        {t(`${kind.textPrefix}.item`)}
      </Title>
      {failure ? (
        <LoadFailure text={failureText(failure, `${kind.textPrefix}.loadFailure`)} onRetry={onRetry} />
      ) : (
        <Retry onRetry={onRetry} />
      )}
      <ButtonLink to={kind.paths.list} variant="default">
        {t(`${kind.textPrefix}.toList`)}
      </ButtonLink>
    </Stack>
  )
}
