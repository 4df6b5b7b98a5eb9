import { Stack } from '@mantine/core'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { AddForm } from './add-form.tsx'
import type { ItemKind } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { Trail } from './trail.tsx'
import { useDraftPlace } from './use-draft.ts'

export const AddNotePage = () => <AddPage kind={noteKind} />
export const AddLinkPage = () => <AddPage kind={linkKind} />

function AddPage({ kind }: { kind: ItemKind }) {
  const place = useDraftPlace(kind.name, 'new')
  return (
    <Stack gap="md" maw={600} mx="auto">
      <Trail current={t(`${kind.words}.create`)}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.words}.list`)}</AnchorLink>
      </Trail>
      {place === undefined ? (
        <PageSkeleton label={t('items.loading')} />
      ) : (
        <AddForm key={place} kind={kind} place={place} />
      )}
    </Stack>
  )
}
