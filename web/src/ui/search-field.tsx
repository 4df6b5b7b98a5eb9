import { MAX_SEARCH_LENGTH } from '@kopilka/contract/limits.ts'
import { CloseButton, TextInput } from '@mantine/core'
import { useRef, useState } from 'react'
import { t } from '../messages/messages.ts'
import { SearchIcon } from './icons.tsx'

interface SearchFieldProps {
  label: string
  /** What is searched now; the field follows when it changes from outside. */
  value: string
  onSearch: (text: string) => void
}

/** Searches on Enter and when cleared, never while typing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value)
  const [applied, setApplied] = useState(value)
  const input = useRef<HTMLInputElement>(null)
  if (applied !== value) {
    setApplied(value)
    setText(value)
  }
  const clear = () => {
    setText('')
    if (value !== '') onSearch('')
    input.current?.focus()
  }
  return (
    <search>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          // The server looks no further, and takes no address of thousands of characters.
          onSearch(text.trim().slice(0, MAX_SEARCH_LENGTH))
        }}
      >
        <TextInput
          ref={input}
          aria-label={label}
          placeholder={t('items.search.hint')}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
          enterKeyHint="search"
          autoComplete="off"
          leftSection={<SearchIcon size={18} />}
          rightSection={
            text === '' ? null : (
              <CloseButton size="sm" aria-label={t('items.search.clear')} onClick={clear} />
            )
          }
        />
      </form>
    </search>
  )
}
