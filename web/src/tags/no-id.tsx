import { ButtonLink } from '../navigation/router-links.tsx'
import { t } from '../text/text.ts'
import { DeadEnd } from '../ui/dead-end.tsx'

/** Stands in place of a tag whose address lacks its id. */
export const NoId = () => (
  <DeadEnd heading={t('title.tag')} text={t('tags.noId')}>
    <ButtonLink to="/tags">{t('tags.toList')}</ButtonLink>
  </DeadEnd>
)
