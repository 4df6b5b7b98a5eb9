import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { Pill, TagsInput } from '@mantine/core'
import { type ClipboardEvent, type ReactNode, useState } from 'react'
import { t } from '../messages/editor-messages.ts'
import { normalizeTagNames } from './tag-names.ts'
import classes from './tags-field.module.css'

const SEPARATORS = [',', '\n', '\r']

interface TagsFieldProps {
  label: string
  error?: ReactNode
  value: string[]
  onChange: (names: string[]) => void
  onBlur?: () => void
  /** Names found by the server for the typed text. */
  suggestions: string[]
  onSearch: (text: string) => void
  loading: boolean
  /** In a dialog the suggestions open above the field, and not on focus alone: they cover none of its buttons. */
  isInDialog?: boolean
}

/** Names of tags as chips: chosen from the suggestions or new. The form validates length and number. */
export function TagsField(props: TagsFieldProps) {
  const { label, error, value, onChange, onBlur, suggestions, onSearch, loading, isInDialog = false } = props
  const [typed, setTyped] = useState('')
  const [opened, setOpened] = useState(false)
  const search = (text: string) => {
    setTyped(text)
    onSearch(text)
    // Nothing is left of the text where a suggestion has been chosen.
    setOpened(text !== '')
  }
  /** A press, typing and the arrows open the list. */
  const opening = {
    openOnFocus: false,
    dropdownOpened: opened,
    onDropdownOpen: () => setOpened(true),
    onDropdownClose: () => setOpened(false),
    onClick: () => setOpened(true),
    onOptionSubmit: () => setOpened(false),
  }
  return (
    <TagsInput
      label={label}
      error={error}
      placeholder={value.length === 0 ? t('tagsField.hint') : ''}
      data={normalizeTagNames(suggestions, [])}
      // The server has filtered already, by its own rules of letter case.
      filter={({ options }) => options}
      value={value}
      onChange={(names) => onChange(normalizeTagNames(names, suggestions))}
      onBlur={onBlur}
      searchValue={typed}
      onSearchChange={search}
      {...(isInDialog && opening)}
      splitChars={SEPARATORS}
      onPasteCapture={keepPlainPaste}
      // Next to the field and with a scrollbar of its own, where assistive technology expects a combobox's list; fixed, so
      // that no dialog clips it.
      comboboxProps={{
        withinPortal: false,
        floatingStrategy: 'fixed',
        position: isInDialog ? 'top' : 'bottom',
        // Above the label, which takes 30 pixels.
        ...(isInDialog && { offset: 30 }),
      }}
      withScrollArea={false}
      clearable
      clearButtonProps={{ 'aria-label': t('tagsField.clear') }}
      loading={loading}
      aria-busy={loading}
      classNames={{ options: classes.options ?? '', inputField: classes.input ?? '' }}
      renderPill={({ value: name, onRemove, disabled }) => (
        <Pill
          className={classes.pill}
          data-too-long={[...String(name)].length > MAX_LENGTH.tagName || undefined}
          withRemoveButton={!disabled}
          {...(onRemove && { onRemove })}
          removeButtonProps={{
            tabIndex: 0,
            'aria-hidden': false,
            'aria-label': t('tagsField.remove', { tag: String(name) }),
          }}
        >
          {String(name)}
        </Pill>
      )}
    />
  )
}

/** A paste without separators stays text that can be edited or searched for, instead of becoming a chip at once. */
function keepPlainPaste(event: ClipboardEvent<HTMLInputElement>): void {
  const pasted = event.clipboardData.getData('text/plain').trim()
  if (!SEPARATORS.some((separator) => pasted.includes(separator))) event.stopPropagation()
}
