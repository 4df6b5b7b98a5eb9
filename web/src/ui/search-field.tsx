import { MAX_SEARCH_LENGTH } from '@kopilka/contract/limits.ts'
import { CloseButton, TextInput } from '@mantine/core'
import { useEffect, useId, useRef, useState } from 'react'
import { t } from '../messages/main-messages.ts'
import { SearchIcon } from './icons.tsx'
import classes from './search-field.module.css'

const SEARCH_AFTER_MS = 250

interface SearchFieldProps {
  label: string
  /** The current search; the field follows its changes. */
  value: string
  onSearch: (text: string) => void
  /** Searches a moment after each change as well. */
  live?: boolean
  /** Says beneath the focused field how a search can be refined. */
  syntax?: boolean
}

/** Searches on Enter and when cleared; while typing only where it is asked to. */
export function SearchField({ label, value, onSearch, live = false, syntax = false }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  const id = useId()
  const due = useRef<number>(undefined)
  useEffect(() => () => window.clearTimeout(due.current), [])
  if (applied !== value) {
    setApplied(value)
    // A text whose search is still due is newer.
    if (due.current === undefined) setText(value)
  }
  // The server looks no further, and takes no address of thousands of characters.
  const search = (typed: string) => {
    window.clearTimeout(due.current)
    due.current = undefined
    onSearch(typed.trim().slice(0, MAX_SEARCH_LENGTH))
  }
  const type = (typed: string) => {
    setText(typed)
    if (!live) return
    window.clearTimeout(due.current)
    due.current = window.setTimeout(search, SEARCH_AFTER_MS, typed)
  }
  const clear = () => {
    setText('')
    if (value !== '' || live) search('')
    input.current?.focus()
  }
  return (
    <search className={classes.search}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          search(text)
        }}
      >
        <TextInput
          ref={input}
          aria-label={label}
          aria-describedby={syntax ? id : undefined}
          placeholder={live ? label : t('items.search.hint')}
          value={text}
          onChange={(event) => type(event.currentTarget.value)}
          enterKeyHint="search"
          autoComplete="off"
          leftSection={<SearchIcon size={18} />}
          rightSection={
            text === '' ? null : (
              <CloseButton size="sm" aria-label={t('items.search.clear')} onClick={clear} />
            )
          }
        />
        {syntax && (
          <div id={id} className={classes.syntax}>
            {t('items.search.syntax')}
          </div>
        )}
      </form>
    </search>
  )
}
