import { t } from '../messages/pictures-messages.ts'
import classes from './pictures.module.css'

/*
 * The browser's own functions: the router, which replaces those of `history`, need not know of an entry that only serves to
 * close the picture by going back.
 */
const pushState = (state: unknown): void => History.prototype.pushState.call(history, state, '')

/** Closes the picture that is shown large. */
let close = (): void => {}
export const closeEnlarged = (): void => close()

/** Shows a picture as large as the window has room for. Escape, a press anywhere and going back close it. */
export function enlarge(image: HTMLImageElement): void {
  const dialog = document.createElement('dialog')
  dialog.className = classes.enlarged ?? ''
  // The shortcuts of the page rest while a window is open.
  dialog.setAttribute('aria-modal', 'true')
  dialog.ariaLabel = image.alt || t('pictures.enlarged')
  const large = document.createElement('img')
  large.src = image.src
  large.alt = image.alt
  const button = document.createElement('button')
  button.type = 'button'
  button.ariaLabel = t('pictures.close')
  button.textContent = '×'
  dialog.append(large, button)
  // Escape closes the picture alone, and not the window that it was opened from.
  for (const element of [dialog, button]) element.setAttribute('data-mantine-stop-propagation', 'true')

  close = () => dialog.close()
  const stop = new AbortController()
  window.addEventListener('popstate', close, { signal: stop.signal })
  dialog.addEventListener('click', close)
  dialog.addEventListener('close', () => {
    stop.abort()
    dialog.remove()
    // Closed by anything but going back: its entry of the history goes as well.
    if (isOwnEntry()) history.back()
  })
  pushState({ ...history.state, [OWN]: true })
  document.body.append(dialog)
  dialog.showModal()
}

const OWN = 'enlargedPicture'
const isOwnEntry = (): boolean => history.state?.[OWN] === true
