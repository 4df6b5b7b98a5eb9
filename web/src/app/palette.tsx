import { MAX_SEARCH_LENGTH } from '@kopilka/contract/limits.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { Text, TextInput, VisuallyHidden } from '@mantine/core'
import { useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { type KeyboardEvent, useEffect, useId, useState } from 'react'
import { wholeAddress } from '../items/given-content.ts'
import { useIdempotencyKey } from '../items/idempotency-key.ts'
import { findExistingLink, saveQuickly } from '../items/quick-save.ts'
import { t } from '../messages/lazy-messages.ts'
import { useBackCloses } from '../navigation/use-back-closes.ts'
import { Dialog, type OverlayProps } from '../ui/dialog.tsx'
import { Highlight } from '../ui/highlight.tsx'
import { LinkIcon, PlusIcon, SearchIcon } from '../ui/icons.tsx'
import { LoadingBar } from '../ui/loading-bar.tsx'
import { isPlainClick } from '../ui/plain-click.ts'
import classes from './palette.module.css'
import { type Choice, QUICK_ADD, usePaletteChoices } from './palette-choices.ts'

interface PaletteProps extends OverlayProps {
  /** Opens the field that saves a link or a note, perhaps with a text in it. */
  onQuickAdd: (text?: string) => void
}

/** A dialog that finds and opens screens, tags and items, or starts a note: type, choose with the arrows, press Enter. */
export function Palette({ opened, ...rest }: PaletteProps) {
  useBackCloses(opened, rest.onClose)
  return (
    <Dialog opened={opened} title={t('palette.title')} width={640} onClose={rest.onClose}>
      <PaletteContent {...rest} />
    </Dialog>
  )
}

function PaletteContent({ onClose, onQuickAdd }: Omit<PaletteProps, 'opened'>) {
  const [typed, setTyped] = useState('')
  const [moved, setMoved] = useState<string>()
  const id = useId()
  const router = useRouter()
  const queryClient = useQueryClient()
  const keyFor = useIdempotencyKey()
  const text = typed.trim().slice(0, MAX_SEARCH_LENGTH)
  const { groups, settled, instead } = usePaletteChoices(text)

  const everywhere: Choice = {
    href: router.buildLocation({ to: '/home', search: { search: text } }).href,
    name: t('palette.everywhere', { text }),
    Icon: SearchIcon,
  }
  const literal: Choice = {
    href: router.buildLocation({ to: '/home', search: { search: text, exact: '1' } }).href,
    name: t('items.corrected.literal', { query: text }),
    Icon: SearchIcon,
  }
  const newNote: Choice = {
    href: router.buildLocation({ to: '/notes/add', search: { title: text } }).href,
    name: t('notes.createTitled', { title: text }),
    Icon: PlusIcon,
  }
  const address = wholeAddress(typed)
  const newLink: Choice[] =
    address === undefined
      ? []
      : [
          {
            href: router.buildLocation({ to: '/add', search: { url: address } }).href,
            name: t('quickAdd.saveLink', { address: readableAddress(address) }),
            Icon: LinkIcon,
          },
        ]
  const found = groups.flatMap(({ choices }) => choices)
  const others = text === '' ? [] : [...(instead ? [literal] : []), everywhere, newNote]
  const all = text === '' ? found : [...newLink, ...found, ...others]
  const chosen = all.find(({ href }) => href === moved)
  // While results of an older text show, Enter must not open the first of them.
  const active = chosen ?? newLink[0] ?? (settled ? all[0] : undefined)

  const idOf = ({ href }: Choice): string => `${id}-${href}`
  const activeId = active && idOf(active)
  useEffect(() => {
    if (activeId !== undefined) document.getElementById(activeId)?.scrollIntoView({ block: 'nearest' })
  }, [activeId])

  const open = (choice: Choice) => {
    onClose()
    if (choice.href === QUICK_ADD) onQuickAdd()
    else if (choice === newLink[0]) void saveLink()
    else void router.navigate({ href: choice.href })
  }
  const saveLink = async () => {
    // The field says where it is kept, or keeps what could not be saved.
    const isKept = (await findExistingLink(queryClient, typed)) !== undefined
    if (isKept || !(await saveQuickly(queryClient, typed, keyFor(typed)))) onQuickAdd(typed)
  }
  const move = (by: number) => {
    const from = active ? all.indexOf(active) : by > 0 ? -1 : 0
    setMoved(all.at((from + by) % all.length)?.href)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.nativeEvent.isComposing) return
    if (event.key === 'ArrowDown') move(1)
    else if (event.key === 'ArrowUp') move(-1)
    else if (event.key === 'Enter') open(active ?? everywhere)
    else return
    event.preventDefault()
  }
  const optionOf = (choice: Choice) => (
    <a
      key={choice.href}
      id={idOf(choice)}
      href={choice.href}
      role="option"
      tabIndex={-1}
      aria-selected={choice === active}
      className={classes.choice}
      onMouseDown={(event) => event.preventDefault()}
      onClick={(event) => {
        if (!isPlainClick(event)) return
        event.preventDefault()
        open(choice)
      }}
    >
      <choice.Icon size={18} />
      <span className={classes.name} dir="auto">
        <Highlight text={choice.name} ranges={choice.highlights?.title} />
      </span>
      {choice.about !== undefined && (
        <span className={classes.about} dir="auto">
          <Highlight text={choice.about} ranges={choice.highlights?.excerpt} />
        </span>
      )}
    </a>
  )

  return (
    <>
      <TextInput
        data-autofocus
        size="md"
        role="combobox"
        aria-label={t('palette.label')}
        aria-expanded="true"
        aria-controls={`${id}-list`}
        aria-activedescendant={activeId}
        aria-autocomplete="list"
        autoComplete="off"
        spellCheck={false}
        placeholder={t('palette.hint')}
        leftSection={<SearchIcon size={18} />}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value)
          setMoved(undefined)
        }}
        onKeyDown={onKeyDown}
      />
      <LoadingBar shown={!settled} />
      <VisuallyHidden role="status">
        {text !== '' && settled && t('palette.found', { count: found.length })}
      </VisuallyHidden>
      {instead && (
        <Text size="sm" c="dimmed" role="status" px="xs" pt="xs">
          {instead.corrected && t('items.corrected', instead.corrected)}{' '}
          {instead.partial && t('items.partial')}
        </Text>
      )}
      <div
        role="listbox"
        id={`${id}-list`}
        aria-label={t('palette.title')}
        aria-busy={!settled}
        className={classes.list}
      >
        {newLink.map(optionOf)}
        {groups.map(({ name, choices }) => (
          // biome-ignore lint/a11y/useSemanticElements: a fieldset is no part of a list to choose from.
          <div key={name} role="group" aria-label={t(name)}>
            <div className={classes.group} aria-hidden="true">
              {t(name)}
            </div>
            {choices.map(optionOf)}
          </div>
        ))}
        {others.map(optionOf)}
      </div>
    </>
  )
}
