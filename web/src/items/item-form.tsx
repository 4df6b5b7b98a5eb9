import { Alert, Button, Group, Paper, Stack, Text, Title } from '@mantine/core'
import { useCanGoBack, useNavigate, useRouter } from '@tanstack/react-router'
import {
  type FormEvent,
  type KeyboardEvent,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
} from 'react'
import type { Versioned } from '../api/send.ts'
import { UnsavedChangesDialog } from '../forms/unsaved-changes-dialog.tsx'
import { useForm } from '../forms/use-form.ts'
import { t } from '../messages/editor-messages.ts'
import type { Uploads } from '../pictures/editor-uploads.ts'
import { ErrorAlert } from '../ui/error-alert.tsx'
import { lazy } from '../ui/lazy.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { showMessage } from '../ui/snackbar.ts'
import { useKeyboardInset } from '../ui/use-keyboard-inset.ts'
import { applyDraft, applyDraftToItem, type Draft, dropDraft, isSame, keepDraft } from './draft.ts'
import { DraftNotice } from './draft-notice.tsx'
import { ItemFields } from './item-fields.tsx'
import classes from './item-form.module.css'
import {
  addFields,
  emptyForm,
  type Item,
  type ItemField,
  type ItemKind,
  type ItemValues,
  namesOf,
  toForm,
} from './item-kind.ts'
import { namesWithout } from './names-without.ts'
import type { OpenDraft } from './open-draft.ts'
import { useDraft } from './use-draft.ts'
import { useItemSave } from './use-item-save.ts'
import { useReadingPage } from './use-page-metadata.ts'

// Rarely needed, and it shows HTML: what cleans that need not load with the form.
const ConflictDialog = lazy(() => import('./conflict-dialog.tsx'), 'ConflictDialog')

interface ItemFormProps {
  kind: ItemKind
  /** The saved item; absent where one is added. */
  item?: Versioned<Item>
  /** The item has been deleted: the typed text is all that is left, and can become a new item. */
  gone?: boolean
  /** Called when a save finds the item deleted. */
  onGone?: () => void
  opened: OpenDraft
  /** What a new item begins with, by field. Its page is read at once where an address is given. */
  given?: ItemValues | undefined
}

/** The form of an item: for a new one, for one that exists and for the text of one that was deleted. No failure loses text. */
export function ItemForm({ kind, item, gone = false, onGone = () => {}, opened, given }: ItemFormProps) {
  const { textPrefix } = kind
  const isNew = item === undefined || gone
  const [empty] = useState(() => emptyForm(kind))
  /** The saved values, ETag and tags: they change when the user takes another version. */
  const [saved, setSaved] = useState(() => ({
    // Of an item that is gone only its draft knows the tags.
    values: item
      ? toForm(kind, item.value)
      : { ...empty, ...(gone && { tags: [...(opened.draft?.tagsBefore ?? [])] }) },
    etag: item?.etag,
    tags: item?.value.tags ?? [],
  }))
  const baseline = gone ? empty : saved.values
  const [restored, setRestored] = useState(() => {
    const values = opened.draft && (isNew ? applyDraft : applyDraftToItem)(baseline, opened.draft)
    return values && !isSame(values, baseline) ? { values, etag: opened.draft?.etag } : undefined
  })
  /** The version that the form's text was typed over. */
  const [etag, setEtag] = useState(restored ? restored.etag : saved.etag)
  const [abandoned, setAbandoned] = useState(opened.abandoned)
  const [picked, setPicked] = useState(opened.draft?.picked ?? [])
  const { save, conflict, busy, failure, dismissFailure } = useItemSave({
    kind,
    id: isNew ? undefined : item.value.id,
    tagsBefore: namesOf(saved.values.tags),
    tagRefs: saved.tags,
    picked,
    onSaved: () => draft.forget(),
    onGone,
  })
  const { readingPage, isReadingPage } = useReadingPage()
  const [savesOnceRead, setSavesOnceRead] = useState(false)
  const [uploads, setUploads] = useState<Uploads>({ uploading: 0, failed: 0 })
  const [savesOnceUploaded, setSavesOnceUploaded] = useState(false)
  const form = useForm({
    initial: restored?.values ?? { ...baseline, ...given },
    shape: kind.shape,
    onInvalid: () => showMessage(t('form.invalid'), 'error'),
    onSubmit: async (body) => {
      form.showServerErrors(await save(body, etag))
    },
  })
  const draft = useDraft(
    opened.place,
    { values: form.values, etag, picked },
    { baseline, item: saved.values },
  )
  const element = useRef<HTMLFormElement>(null)
  const saving = form.submitting || busy
  useKeyboardInset()

  // Before the screen's arrival is noticed: it would give the focus to the heading.
  useLayoutEffect(() => {
    if (item === undefined && !gone) element.current?.querySelector('input')?.focus({ preventScroll: true })
  }, [item, gone])

  useEffect(() => {
    if (!savesOnceRead || readingPage || isReadingPage()) return
    // Not within the effect: React would render the messages too late to get the focus.
    const timer = setTimeout(() => {
      setSavesOnceRead(false)
      element.current?.requestSubmit()
    })
    return () => clearTimeout(timer)
  }, [savesOnceRead, readingPage, isReadingPage])

  useEffect(() => {
    if (!savesOnceUploaded || uploads.uploading > 0) return
    const timer = setTimeout(() => {
      setSavesOnceUploaded(false)
      element.current?.requestSubmit()
    })
    return () => clearTimeout(timer)
  }, [savesOnceUploaded, uploads])

  const submit = (event: FormEvent<HTMLFormElement>) => {
    const { uploading, failed } = uploads
    if (uploading === 0 && failed === 0 && !isReadingPage()) return form.submit(event)
    event.preventDefault()
    if (uploading > 0) setSavesOnceUploaded(true)
    else if (failed > 0) showMessage(t('items.uploadFailed'), 'error')
    else setSavesOnceRead(true)
  }
  /** Enter in a line of text submits even while the button is disabled: messages show, or the page is awaited. */
  const submitByEnter = (event: KeyboardEvent) => {
    const { target } = event
    const isLine = target instanceof HTMLInputElement && target.matches('[type=text], [type=url]')
    if (event.key !== 'Enter' || event.nativeEvent.isComposing || event.defaultPrevented) return
    if (!isLine || target.matches('[role=combobox]')) return
    event.preventDefault()
    element.current?.requestSubmit()
  }

  const restore = async (other: Draft) => {
    // The form's present text replaces the draft that is restored.
    if (draft.isThere()) await keepDraft(other.place, { values: form.values, etag, picked })
    else await dropDraft(other.place)
    const values = applyDraft(baseline, other)
    form.fill(values)
    setPicked(other.picked ?? [])
    setRestored({ values, etag: undefined })
    setAbandoned([])
  }
  const discard = () => {
    form.fill(saved.values)
    setEtag(saved.etag)
    setRestored(undefined)
  }
  const takeTheirs = (theirs: Versioned<Item>) => {
    const values = toForm(kind, theirs.value)
    form.fill(values)
    setSaved({ values, etag: theirs.etag, tags: theirs.value.tags })
    setEtag(theirs.etag)
    setRestored(undefined)
  }
  const hasUploads = uploads.uploading + uploads.failed > 0
  const isDirty = () => draft.isThere() || hasUploads
  const keep = async () => {
    const isKept = (await draft.keep()) && draft.isThere()
    return isKept ? t(hasUploads ? 'items.draftWithoutPictures' : 'leave.draftStays') : undefined
  }
  const [offered] = abandoned
  const fields = isNew && !gone ? addFields(kind) : kind.fields

  return (
    <Paper
      ref={element}
      withBorder
      component="form"
      className={classes.form ?? ''}
      noValidate
      onSubmit={submit}
      onKeyDown={submitByEnter}
      p={{ base: 'md', xs: 'lg' }}
    >
      <Stack gap="md">
        <Title order={1} size="h2" tabIndex={-1}>
          {t(`${textPrefix}.${gone ? 'missing' : isNew ? 'create' : 'edit'}`)}
        </Title>
        {gone && (
          <Alert color="yellow" role="status" autoContrast>
            {t(`${textPrefix}.gone`)}
          </Alert>
        )}
        {restored && !gone && <DraftNotice text={t('items.draft')} onDiscard={discard} />}
        {isNew && !gone && offered && (
          <DraftNotice
            key={offered.place}
            text={t('items.draft.offered', { title: titleOf(offered) })}
            onRestore={() => void restore(offered)}
            onDiscard={() => {
              void dropDraft(offered.place)
              setAbandoned(abandoned.slice(1))
            }}
          />
        )}
        <ItemFields
          fields={fields}
          form={form}
          frozen={saving}
          given={given !== undefined && restored === undefined}
          ownId={isNew ? undefined : item.value.id}
          onUploads={setUploads}
          // A name that was taken out and is typed anew may be that of a new tag.
          onTagsPicked={(tags, names) =>
            setPicked((before) => [
              ...before.filter(({ name }) => namesWithout([name], names).length === 0),
              ...tags,
            ])
          }
        />
        {failure !== undefined && <ErrorAlert message={failure} onClose={dismissFailure} />}
        <LoadingBar shown={saving} />
        <div className={classes.actions}>
          <Group>
            <Button type="submit" disabled={!form.valid || saving || readingPage}>
              {t(gone ? `${textPrefix}.saveAsNew` : 'items.save')}
            </Button>
            {gone ? <DontSave kind={kind} disabled={saving} onDiscard={draft.forget} /> : null}
            {item && !gone && <Cancel kind={kind} id={item.value.id} />}
          </Group>
          <Text size="sm" c="dimmed" className={classes.hint ?? ''}>
            {savesOnceUploaded ? (
              t('items.savesOnceUploaded')
            ) : savesOnceRead ? (
              t('items.savesOnceRead')
            ) : (
              <Missing fields={fields} form={form} />
            )}
          </Text>
        </div>
      </Stack>
      <UnsavedChangesDialog isDirty={isDirty} keep={keep} onDiscard={draft.forget} />
      {conflict && (
        <Suspense>
          <ConflictDialog
            textPrefix={textPrefix}
            fields={kind.fields}
            theirs={toForm(kind, conflict.theirs.value)}
            mine={form.values}
            tagsBefore={namesOf(saved.values.tags)}
            busy={saving}
            onTheirs={() => {
              takeTheirs(conflict.theirs)
              conflict.takeTheirs()
            }}
            onMine={async () => form.showServerErrors(await conflict.keepMine())}
            onBoth={async () => form.showServerErrors(await conflict.keepBoth())}
            onClose={conflict.leave}
          />
        </Suspense>
      )}
    </Paper>
  )
}

const titleOf = ({ values }: Draft): string =>
  [values.title, values.url].find((text): text is string => typeof text === 'string' && text !== '') ??
  t('items.draft.untitled')

interface MissingProps {
  /** In the order in which they stand. */
  fields: readonly ItemField[]
  form: { invalid: string[]; blank: string[] }
}

/** Which fields keep the form from being saved: the button is disabled and says nothing. */
function Missing({ fields, form: { invalid, blank } }: MissingProps) {
  const labelsOf = (names: string[]) =>
    fields
      .filter(({ name }) => names.includes(name))
      .map(({ label }) => t(label))
      .join(', ')
  const empty = labelsOf(invalid.filter((name) => blank.includes(name)))
  const wrong = labelsOf(invalid.filter((name) => !blank.includes(name)))
  return [empty && t('items.toFill', { fields: empty }), wrong && t('items.toCorrect', { fields: wrong })]
    .filter(Boolean)
    .join(' ')
}

/** Back to where the form was opened from, or to the item. */
function Cancel({ kind, id }: { kind: ItemKind; id: string }) {
  const router = useRouter()
  const canGoBack = useCanGoBack()
  const leave = () => {
    if (canGoBack) router.history.back()
    else void router.navigate({ to: kind.paths.item, params: { id } })
  }
  return (
    <Button variant="default" onClick={leave}>
      {t('items.cancel')}
    </Button>
  )
}

interface DontSaveProps {
  kind: ItemKind
  disabled: boolean
  onDiscard: () => void
}

/** Gives up the text of a deleted item. */
function DontSave({ kind, disabled, onDiscard }: DontSaveProps) {
  const navigate = useNavigate()
  const leave = () => {
    onDiscard()
    void navigate({ to: kind.paths.list })
  }
  return (
    <Button variant="default" disabled={disabled} onClick={leave}>
      {t('items.dontSave')}
    </Button>
  )
}
