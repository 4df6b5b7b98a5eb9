import { ButtonLink } from '../navigation/router-links.tsx'
import { t } from '../text/text.ts'
import { DeadEnd } from '../ui/dead-end.tsx'
import type { ItemKind } from './item-kind.ts'

/** Stands in place of an item whose address lacks its id. */
export const NoId = ({ kind }: { kind: ItemKind }) => (
  <DeadEnd heading={t(`${kind.words}.item`)} text={t(`${kind.words}.noId`)}>
    <ButtonLink to={kind.paths.list}>{t(`${kind.words}.toList`)}</ButtonLink>
  </DeadEnd>
)
