import { useDebouncedValue } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { tagListQuery } from '../api/queries.ts'

const SUGGEST_AFTER_MS = 250
/** Typing shortens a longer list. */
const MOST = 50

/** Names of the user's tags that contain the typed text; the first ones while it is empty. */
export const useTagSuggestions = () => {
  const [typed, setTyped] = useState('')
  const [debounced] = useDebouncedValue(typed.trim(), SUGGEST_AFTER_MS)
  // Each text has a query of its own: a late response cannot replace a newer one.
  const { data = [], isFetching } = useQuery(tagListQuery(debounced, MOST))
  return {
    /** The tags themselves. */
    found: data,
    suggestions: data.map(({ name }) => name),
    onSearch: setTyped,
    loading: isFetching,
  }
}
