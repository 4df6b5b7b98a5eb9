import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { NotFound } from '../ui/not-found.tsx'

/** Shown in place of a tag whose address lacks its id. */
export const NoId = () => (
  <NotFound heading={t('title.tag')} text={t('tags.noId')}>
    <ButtonLink to="/tags">{t('tags.toList')}</ButtonLink>
  </NotFound>
)
