import type { ShownPicture } from '@kopilka/text/html-pictures.ts'
import { Paper, SimpleGrid, Text, VisuallyHidden } from '@mantine/core'
import { Suspense, useId, useMemo } from 'react'
import type { ItemField } from '../items/item-kind.ts'
import { type LazyMessageId, t } from '../messages/lazy-messages.ts'
import { lazy } from '../ui/lazy.tsx'
import classes from './comparison.module.css'
import { type Changes, nameChanges, type Piece, wordChanges } from './word-changes.ts'

const HtmlView = lazy(() => import('../ui/html-view.tsx'), 'HtmlView')

/** The texts of an item's fields by their names, as they are shown; of tags the list of names. */
export type FieldTexts = Record<string, string | readonly string[]>

const namesIn = (texts: FieldTexts[string]): readonly string[] => (typeof texts === 'string' ? [] : texts)

const changesBetween = (
  before: FieldTexts[string] = '',
  now: FieldTexts[string] = '',
): Changes | undefined =>
  typeof before === 'string' && typeof now === 'string'
    ? wordChanges(before, now)
    : nameChanges(namesIn(before), namesIn(now))

interface ComparisonProps {
  /** What the earlier version is called. */
  name: string
  fields: readonly ItemField[]
  before: FieldTexts
  now: FieldTexts
  /** Whether the formatting and the addresses of links are the same as well. */
  isSameSource: boolean
  pictures: Record<keyof Changes, readonly ShownPicture[]>
}

const addressesOf = (pictures: readonly ShownPicture[]): string => pictures.map(({ src }) => src).join(' ')

/** An earlier version beside the present one, with the words marked that were taken out and added. */
export function Comparison({ name, fields, before, now, isSameSource, pictures }: ComparisonProps) {
  const changes = useMemo(
    () =>
      fields.map((field) => ({
        field,
        changes: changesBetween(before[field.name], now[field.name]),
      })),
    [fields, before, now],
  )
  const isSame =
    addressesOf(pictures.before) === addressesOf(pictures.after) &&
    changes.every(
      ({ changes }) =>
        changes?.after.every(({ changed }) => !changed) === true &&
        changes.before.every(({ changed }) => !changed),
    )
  const panelOf = (side: keyof Changes, name: string, texts: FieldTexts) => (
    <Panel
      name={name}
      side={side}
      pictures={pictures}
      parts={changes.map(({ field, changes }) => ({
        field,
        pieces: changes?.[side] ?? [{ text: String(texts[field.name] ?? ''), changed: false }],
      }))}
    />
  )
  return (
    <>
      {isSame && <Text size="sm">{t(isSameSource ? 'versions.same' : 'versions.sameText')}</Text>}
      {changes.some(({ changes }) => changes === undefined) && (
        <Text size="sm">{t('versions.tooDifferent')}</Text>
      )}
      <SimpleGrid cols={{ base: 1, sm: 2 }} style={{ alignItems: 'start' }}>
        {panelOf('before', name, before)}
        {panelOf('after', t('versions.present'), now)}
      </SimpleGrid>
    </>
  )
}

interface PanelProps {
  name: string
  side: keyof Changes
  pictures: ComparisonProps['pictures']
  parts: { field: ItemField; pieces: Piece[] }[]
}

function Panel({ name, side, pictures, parts }: PanelProps) {
  const id = useId()
  return (
    <Paper withBorder component="section" aria-labelledby={id} p="md" className={classes.panel ?? ''}>
      <Text component="h2" fw={600} size="md" id={id}>
        {name}
      </Text>
      <dl className={classes.field}>
        {parts.map(({ field, pieces }) => (
          <div key={field.name} className={classes.field}>
            <dt>{t(field.label)}</dt>
            <dd dir="auto">
              {pieces.length === 0
                ? '—'
                : // biome-ignore lint/suspicious/noArrayIndexKey: a piece has no other identity than its place.
                  pieces.map((piece, at) => <Change key={`${at}`} side={side} {...piece} />)}
            </dd>
          </div>
        ))}
      </dl>
      {pictures[side].length > 0 && <Pictures side={side} pictures={pictures} />}
    </Paper>
  )
}

const MARKS = {
  before: ['del', 'versions.removed'],
  after: ['ins', 'versions.added'],
} as const satisfies Record<keyof Changes, [string, LazyMessageId]>

/** The pictures of one side; those that the other lacks stand below. */
function Pictures({ side, pictures }: Pick<PanelProps, 'side' | 'pictures'>) {
  const [Mark, said] = MARKS[side]
  const others = new Set(pictures[side === 'before' ? 'after' : 'before'].map(({ src }) => src))
  const htmlOf = (isCommon: boolean) =>
    pictures[side]
      .filter(({ src }) => others.has(src) === isCommon)
      .map(({ html }) => html)
      .join('')
  const [common, changed] = [htmlOf(true), htmlOf(false)]
  return (
    <Suspense>
      {common !== '' && <HtmlView html={common} />}
      {changed !== '' && (
        <Mark className={classes.pictures}>
          {t(said)}
          <HtmlView html={changed} />
        </Mark>
      )}
    </Suspense>
  )
}

/** A piece, marked where it was taken out or added: for screen readers as well. */
function Change({ side, text, changed }: Piece & { side: keyof Changes }) {
  if (!changed) return text
  const [Mark, said] = MARKS[side]
  return (
    <Mark>
      <VisuallyHidden component="span">{t(said)} </VisuallyHidden>
      {text}
    </Mark>
  )
}
