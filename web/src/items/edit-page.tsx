import { Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useEffect, useState } from 'react'
import type { CallFailure } from '../api/failure.ts'
import { itemQuery } from '../api/queries.ts'
import { t } from '../messages/editor-messages.ts'
import { AnchorLink } from '../navigation/router-links.tsx'
import { Breadcrumbs } from '../ui/breadcrumbs.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { usePageTitle } from '../ui/use-page-title.ts'
import { ItemFailure, ItemNotFound } from './item-failure.tsx'
import { ItemForm } from './item-form.tsx'
import type { ItemKind } from './item-kind.ts'
import { endReading } from './page-readings.ts'
import { useOpenDraft } from './use-draft.ts'

interface KindProps {
  kind: ItemKind
}

const Frame = ({ children }: { children: ReactNode }) => (
  <Stack gap="md" maw={600} mx="auto">
    {children}
  </Stack>
)

export const EditPending = () => (
  <Frame>
    <LoadingBar shown />
    <PageSkeleton />
  </Frame>
)

/** Of a note a snackbar says what failed, of a link an alert. */
export const EditFailure = ({ kind, failure }: KindProps & { failure: CallFailure }) => (
  <Frame>
    <ItemFailure kind={kind} {...(kind.alerts && { failure })} />
  </Frame>
)

/** The item is not there; unsaved text of it can become a new one. */
export function EditNotFound({ kind, data }: KindProps & { data?: unknown }) {
  const { id } = useParams({ from: `/main${kind.paths.edit}` })
  const opened = useOpenDraft(kind, id)
  if (!opened) return <EditPending />
  return (
    <Frame>
      {opened.draft ? (
        <ItemForm kind={kind} gone opened={opened} />
      ) : (
        <ItemNotFound kind={kind} failure={data} />
      )}
    </Frame>
  )
}

/** The form over the item as it is now. */
export function EditPage({ kind }: KindProps) {
  const { id } = useParams({ from: `/main${kind.paths.edit}` })
  return <LoadedForm key={id} kind={kind} id={id} />
}

function LoadedForm({ kind, id }: KindProps & { id: string }) {
  // The loader has just asked for it.
  const query = useSuspenseQuery({ ...itemQuery(kind, id), staleTime: Number.POSITIVE_INFINITY })
  // The first response: the query may refetch behind the form.
  const [loaded] = useState(query.data)
  const opened = useOpenDraft(kind, id)
  const [gone, setGone] = useState(false)
  // What its page says must not change the link beneath the form.
  useEffect(() => endReading(id), [id])
  const { title } = query.data.value
  usePageTitle(t(`${kind.textPrefix}.editing`, { title }))
  if (!opened) return <EditPending />
  return (
    <Frame>
      {!gone && (
        <Breadcrumbs current={t(`${kind.textPrefix}.edit`)}>
          <AnchorLink to={kind.paths.item} params={{ id }}>
            {title}
          </AnchorLink>
        </Breadcrumbs>
      )}
      <ItemForm
        key={opened.place}
        kind={kind}
        item={loaded}
        gone={gone}
        onGone={() => setGone(true)}
        opened={opened}
      />
    </Frame>
  )
}
