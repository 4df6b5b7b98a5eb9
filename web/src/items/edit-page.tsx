import { Stack } from '@mantine/core'
import { useSuspenseQuery } from '@tanstack/react-query'
import { useParams } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { CallFailure } from '../api/failure.ts'
import { itemQuery } from '../api/queries.ts'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { PageSkeleton } from '../ui/skeletons.tsx'
import { readDraft, typedOver } from './draft.ts'
import { EditForm } from './edit-form.tsx'
import { ItemFailure, ItemNotFound } from './item-failure.tsx'
import { emptyForm, type ItemKind, type ItemValues } from './item-kind.ts'
import { RescueForm } from './rescue-form.tsx'
import { useDraftPlace } from './use-draft.ts'

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
  const place = useDraftPlace(kind.name, id)
  if (place === undefined) return <EditPending />
  const draft = readDraft(place)
  return (
    <Frame>
      {draft ? (
        <RescueForm kind={kind} place={place} typed={typedOver(emptyForm(kind), draft)} />
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
  const { data: loaded } = useSuspenseQuery({ ...itemQuery(kind, id), staleTime: Number.POSITIVE_INFINITY })
  const place = useDraftPlace(kind.name, id)
  const [orphan, setOrphan] = useState<ItemValues>()
  if (place === undefined) return <EditPending />
  return (
    <Frame>
      {orphan ? (
        <RescueForm kind={kind} place={place} typed={orphan} />
      ) : (
        <EditForm kind={kind} loaded={loaded} place={place} onGone={setOrphan} />
      )}
    </Frame>
  )
}
