import { Stack } from '@mantine/core'
import { isMissing } from '../api/failure.ts'
import { failureText } from '../api/failure-text.ts'
import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { LoadFailure } from '../ui/load-failure.tsx'

interface TagFailureProps {
  failure: unknown
  onRetry: () => void
}

/** Shown in place of what could not be loaded of a tag; where there is no such tag there is nothing to retry. */
export const TagFailure = ({ failure, onRetry }: TagFailureProps) => (
  <Stack>
    <LoadFailure
      text={failureText(failure, 'tags.loadFailure')}
      onRetry={isMissing(failure) ? undefined : onRetry}
    />
    <ButtonLink to="/tags" variant="default" style={{ alignSelf: 'start' }}>
      {t('tags.toList')}
    </ButtonLink>
  </Stack>
)
