import { Stack } from '@mantine/core'
import { useSearch } from '@tanstack/react-router'
import { useState } from 'react'
import { t } from '../messages/messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { type Given, givenItem } from './given-content.ts'
import { ItemBreadcrumbs } from './item-breadcrumbs.tsx'
import { ItemForm } from './item-form.tsx'
import type { ItemKind, ItemValues } from './item-kind.ts'
import { linkKind } from './link-kind.ts'
import { noteKind } from './note-kind.ts'
import { useOpenDraft } from './use-draft.ts'

/** Adds an item of a kind. */
export function AddPage({ kind }: { kind: ItemKind }) {
  const { title } = useSearch({ from: `/main${kind.paths.add}` })
  return <AddForm kind={kind} {...(title !== undefined && { given: { title } })} />
}

/** Adds what another program or page handed over in the address, as a link or a note. */
export function AddGivenPage() {
  const given = useSearch({ from: '/main/add' })
  return <GivenForm key={JSON.stringify(given)} given={given} />
}

function GivenForm({ given }: { given: Given }) {
  const [item] = useState(() => givenItem(given))
  const kind = item.kind === 'link' ? linkKind : noteKind
  usePageTitle(t(`${kind.textPrefix}.create`))
  return <AddForm kind={kind} given={item.values} />
}

/** The form waits for its draft: unsaved text of another visit is offered, never overwritten. */
function AddForm({ kind, given }: { kind: ItemKind; given?: ItemValues }) {
  const opened = useOpenDraft(kind)
  return (
    <Stack gap="md" maw={600} mx="auto">
      <ItemBreadcrumbs current={t(`${kind.textPrefix}.create`)}>
        <AnchorLink to={kind.paths.list}>{t(`${kind.textPrefix}.list`)}</AnchorLink>
      </ItemBreadcrumbs>
      {opened ? <ItemForm key={opened.place} kind={kind} opened={opened} given={given} /> : <PageSkeleton />}
    </Stack>
  )
}
