import type { RegisteredRouter } from '@tanstack/react-router'

/** Whether the screen has a search; if it does, the cursor is in it now. */
const focusSearch = (): boolean => {
  const field = document.querySelector<HTMLInputElement>('main search input')
  field?.focus()
  field?.select()
  return field !== null
}

/** Puts the cursor into the search of the screen; of a screen without one, into that of home. */
export const goToSearch = (router: RegisteredRouter): void => {
  if (focusSearch()) return
  const stop = router.subscribe('onRendered', () => {
    stop()
    focusSearch()
  })
  void router.navigate({ to: '/home' })
}
