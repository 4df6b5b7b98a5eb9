import { Stack, Text, Title } from '@mantine/core'
import { CallFailure } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../text/text.ts'
import type { ItemKind } from './item-kind.ts'
import { LoadFailure } from './load-failure.tsx'
import { ButtonLink } from './router-links.tsx'

interface ItemFailureProps {
  kind: ItemKind
  failure: unknown
  onRetry: () => void
}

/** Stands in place of an item that could not be loaded, or is not there. */
export function ItemFailure({ kind, failure, onRetry }: ItemFailureProps) {
  const missing = failure instanceof CallFailure && failure.status === 404
  return (
    <Stack align="flex-start">
      {missing ? (
        <>
          <Title order={1} size="h2" tabIndex={-1}>
            {t(`${kind.words}.missing`)}
          </Title>
          <Text>{t(`${kind.words}.missing.text`)}</Text>
        </>
      ) : (
        <LoadFailure text={failureText(failure, `${kind.words}.loadFailure`)} onRetry={onRetry} />
      )}
      <ButtonLink to={kind.paths.list} variant={missing ? 'filled' : 'default'}>
        {t(`${kind.words}.toList`)}
      </ButtonLink>
    </Stack>
  )
}
