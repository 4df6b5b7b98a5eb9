import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import type { ComponentType } from 'react'
import { latestQuery, searchQuery, tagListQuery } from '../api/queries.ts'
import type { ItemKind, ItemSummary } from '../items/item-kind.ts'
import { linkKind } from '../items/link-kind.ts'
import { noteKind } from '../items/note-kind.ts'
import { type LazyMessageId, t } from '../messages/lazy-messages.ts'
import {
  DownloadIcon,
  ExternalLinkIcon,
  HistoryIcon,
  HomeIcon,
  type IconProps,
  LinkIcon,
  NoteIcon,
  PlusIcon,
  TagIcon,
  TrashIcon,
  UserIcon,
} from '../ui/icons.tsx'

const SEARCH_AFTER_MS = 150
/** Choices of each group at most; the search of home shows the rest. */
const MOST = 6
/** Tags to choose the best from: they come in alphabetical order. */
const MAX_TAGS = 50

/** A screen, tag or item that the palette can open. */
export interface Choice {
  href: string
  name: string
  /** A tag's counts or an item's excerpt. */
  about?: string
  /** What of an item's name and excerpt a search found. */
  highlights?: ItemSummary['highlights']
  Icon: ComponentType<IconProps>
}

interface ChoiceGroup {
  name: LazyMessageId
  choices: Choice[]
}

/** Where the choice leads that opens the field for a link or a note: a new tab has the same as a form. */
export const QUICK_ADD = '/add'

const SCREENS = [
  { href: '/home', name: 'layout.nav.home', Icon: HomeIcon },
  { href: '/notes', name: 'layout.nav.notes', Icon: NoteIcon },
  { href: '/url-links', name: 'layout.nav.links', Icon: LinkIcon },
  { href: '/tags', name: 'layout.nav.tags', Icon: TagIcon },
  { href: '/notes/add', name: 'layout.actions.newNote', Icon: PlusIcon },
  { href: '/urllinks/add', name: 'layout.actions.newLink', Icon: PlusIcon },
  { href: QUICK_ADD, name: 'quickAdd.title', Icon: PlusIcon },
  { href: '/profile', name: 'title.profile', Icon: UserIcon },
  { href: '/profile/history', name: 'title.operations', Icon: HistoryIcon },
  { href: '/profile/data', name: 'title.data', Icon: DownloadIcon },
  { href: '/profile/programs', name: 'title.programs', Icon: ExternalLinkIcon },
  { href: '/profile/duplicates', name: 'title.duplicates', Icon: LinkIcon },
  { href: '/trash', name: 'title.trash', Icon: TrashIcon },
] as const satisfies ({ name: LazyMessageId } & Omit<Choice, 'name'>)[]

const folded = (text: string): string => text.toLowerCase().replaceAll('ё', 'е')

/** Sorts names equal to the text first, then those that begin with it, then the rest in their order. */
const bestFirst = (choices: Choice[], text: string): Choice[] => {
  const rank = ({ name }: Choice): number =>
    folded(name) === folded(text) ? 0 : folded(name).startsWith(folded(text)) ? 1 : 2
  return choices.toSorted((one, other) => rank(one) - rank(other))
}

const screensWith = (text: string): Choice[] => {
  const screens = SCREENS.map(({ name, ...screen }) => ({ ...screen, name: t(name) }))
  return bestFirst(
    // From the beginning of a word: «втор» means no «Повторы».
    screens.filter(({ name }) => ` ${folded(name)}`.includes(` ${folded(text)}`)),
    text,
  )
}

interface PaletteChoices {
  /** Best first. */
  groups: ChoiceGroup[]
  /** Whether the results are those of this text, not of the one before. */
  settled: boolean
  /** Set: the items are those of a correction, or have some of the words only. */
  instead: { corrected?: { query: string } | undefined; partial?: true | undefined } | undefined
}

/** The choices for a text. */
export const usePaletteChoices = (text: string): PaletteChoices => {
  const router = useRouter()
  const [debounced] = useDebouncedValue(text, SEARCH_AFTER_MS)
  const enabled = debounced !== ''
  const tags = useQuery({ ...tagListQuery(debounced, MAX_TAGS), enabled })
  const { data: latest, isLoading: isLoadingLatest } = useQuery({ ...latestQuery, enabled: text === '' })
  const found = useQuery({ ...searchQuery(debounced), enabled })
  const isUnderWay = enabled && [tags, found].some((query) => query.isPending || query.isPlaceholderData)

  const itemOf = (kind: ItemKind, { id, title, excerpt, highlights }: ItemSummary): Choice => ({
    href: router.buildLocation({ to: kind.paths.item, params: { id } }).href,
    name: title,
    about: excerpt,
    highlights,
    Icon: kind.Icon,
  })
  const itemsOf = (kind: ItemKind, items: ItemSummary[] = []): Choice[] =>
    items.slice(0, MOST).map((item) => itemOf(kind, item))
  const recent = [
    ...(latest?.notes ?? []).map((item) => ({ kind: noteKind, item })),
    ...(latest?.urllinks ?? []).map((item) => ({ kind: linkKind, item })),
  ]
    .toSorted((one, other) => (one.item.created_at < other.item.created_at ? 1 : -1))
    .slice(0, MOST)
    .map(({ kind, item }) => itemOf(kind, item))
  const tagChoices = (tags.data ?? []).map(({ id, name, notes_count, urllinks_count }) => ({
    href: `/tags/${id}`,
    name,
    about: t('tags.totals', { notes: notes_count, links: urllinks_count }),
    Icon: TagIcon,
  }))
  const screens = { name: 'palette.screens', choices: screensWith(text) } as const
  const groups: ChoiceGroup[] =
    text === ''
      ? // The screens alone are longer than the list.
        [{ name: 'palette.recent', choices: recent }, screens]
      : [
          screens,
          { name: 'layout.nav.tags', choices: bestFirst(tagChoices, text).slice(0, MOST) },
          { name: 'notes.list', choices: itemsOf(noteKind, found.data?.notes) },
          { name: 'links.list', choices: itemsOf(linkKind, found.data?.urllinks) },
        ]
  return {
    groups: groups.filter(({ choices }) => choices.length > 0),
    settled: debounced === text && !(text === '' ? isLoadingLatest : isUnderWay),
    instead: text !== '' && (found.data?.corrected || found.data?.partial) ? found.data : undefined,
  }
}
