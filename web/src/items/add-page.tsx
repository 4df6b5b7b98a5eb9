import { Stack } from '@mantine/core'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { AddForm } from './add-form.tsx'
import { ItemBreadcrumbs } from './item-breadcrumbs.tsx'
import type { ItemKind } from './item-kind.ts'
import { useDraftPlace } from './use-draft.ts'

/** Adds an item of a kind. */
export function AddPage({ kind }: { kind: ItemKind }) {
  const place = useDraftPlace(kind.name, 'new')
  return (
    <Stack gap="md" maw={600} mx="auto">
      <ItemBreadcrumbs current={t(`${kind.textPrefix}.create`)}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.textPrefix}.list`)}</AnchorLink>
      </ItemBreadcrumbs>
      {place === undefined ? <PageSkeleton /> : <AddForm key={place} kind={kind} place={place} />}
    </Stack>
  )
}
