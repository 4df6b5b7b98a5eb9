import { t } from '../messages/main-messages.ts'
import { ButtonLink } from '../navigation/router-links.tsx'
import { NotFound } from '../ui/not-found.tsx'
import type { ItemKind } from './item-kind.ts'

/** Shown in place of an item whose address lacks its id. */
export const NoId = ({ kind }: { kind: ItemKind }) => (
  <NotFound heading={t(`${kind.textPrefix}.item`)} text={t(`${kind.textPrefix}.noId`)}>
    <ButtonLink to={kind.paths.list}>{t(`${kind.textPrefix}.toList`)}</ButtonLink>
  </NotFound>
)
