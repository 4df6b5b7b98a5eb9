import { dropEarly } from '../api/early-responses.ts'
import { focusHeading, putFocus } from '../lib/focus-heading.ts'
import { onLanguageChange } from '../messages/language.ts'
import { t } from '../messages/messages.ts'
import { allowReload } from '../ui/lazy.tsx'
import type { AppRouter } from './router.tsx'

/** Follows navigation outside of React: sets the document's title, moves the focus, allows a reload again. */
export const watchArrivals = (router: AppRouter): void => {
  const nameDocument = () => {
    const title = router.state.matches.findLast((match) => match.staticData.title)?.staticData.title
    document.title = title ? t('app.title', { page: t(title) }) : t('app.name')
  }
  // Before the screen mounts: it may set a more specific title.
  router.subscribe('onBeforeRouteMount', nameDocument)
  onLanguageChange(nameDocument)
  router.subscribe('onResolved', () => {
    // The static frame of index.html shows until the first screen.
    document.getElementById('frame')?.remove()
    dropEarly()
  })
  router.subscribe('onRendered', () => void allowReload())
  router.subscribe('onRendered', ({ fromLocation, pathChanged }) => {
    if (fromLocation && pathChanged) focusScreen()
  })
}

/** Screen readers start at the heading of the new screen, unless it chose a field itself. */
const focusScreen = (): void => {
  const main = document.querySelector('main')
  if (!main || (main.contains(document.activeElement) && document.activeElement !== main)) return
  if (focusHeading()) return
  putFocus(main)
  awaitHeading(main)
}

/** Focuses the heading once a screen that is loading has one, unless the focus has moved meanwhile. */
const awaitHeading = (main: HTMLElement): void => {
  const observer = new MutationObserver(() => {
    const moved = document.activeElement !== main
    if (moved || focusHeading()) observer.disconnect()
  })
  observer.observe(main, { childList: true, subtree: true })
}
