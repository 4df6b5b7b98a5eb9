import { Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { ItemBreadcrumbs } from './item-breadcrumbs.tsx'
import { ItemForm } from './item-form.tsx'
import type { ItemKind } from './item-kind.ts'
import { useOpenDraft } from './use-draft.ts'

/** Adds an item of a kind. */
export function AddPage({ kind }: { kind: ItemKind }) {
  const { title } = useSearch({ from: `/main${kind.paths.add}` })
  const opened = useOpenDraft(kind)
  return (
    <Stack gap="md" maw={600} mx="auto">
      <ItemBreadcrumbs current={t(`${kind.textPrefix}.create`)}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.textPrefix}.list`)}</AnchorLink>
      </ItemBreadcrumbs>
      {opened ? <ItemForm key={opened.place} kind={kind} opened={opened} title={title} /> : <PageSkeleton />}
    </Stack>
  )
}
