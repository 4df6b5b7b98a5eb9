import { t } from '../messages/pictures-messages.ts'
import { closeEnlarged, enlarge } from './enlarged-picture.ts'
import classes from './pictures.module.css'
import { keepButton, loadFailure, showStored } from './stored-picture.ts'

/** Saves a picture of another host in the text, by its address; resolves to whether it is saved. */
export type KeepPicture = (src: string) => Promise<boolean>

/**
 * A picture as a button that shows it large, or loads it again where it did not load. Within a link a press opens the link,
 * unless the picture did not load and the pointer presses it.
 */
function mount(image: HTMLImageElement, id: string): () => void {
  const button = image.closest('a') ? undefined : document.createElement('button')
  const frame = button ?? document.createElement('span')
  if (button) button.type = 'button'
  frame.className = classes.enlarge ?? ''
  image.replaceWith(frame)
  frame.append(image)
  const { load, stop } = showStored(image, id, (state) => {
    frame.dataset.state = state
    const failure = loadFailure()
    frame.dataset.failure = failure
    if (!button) return
    if (state === 'failed') button.ariaLabel = t('pictures.reload', { failure })
    else button.ariaLabel = image.alt ? t('pictures.enlargeNamed', { alt: image.alt }) : t('pictures.enlarge')
  })
  frame.addEventListener('click', (event) => {
    if (button && frame.dataset.state === 'shown') enlarge(image)
    else if (button || frame.dataset.state === 'failed') {
      event.preventDefault()
      void load()
    }
  })
  return stop
}

/** Puts a button behind the placeholder of a picture of another host that saves it. */
function addKeepButton(placeholder: HTMLElement, src: string, onKeep: KeepPicture): void {
  const link = placeholder.parentElement?.closest('a')
  const outermost = link ?? placeholder
  outermost.after(keepButton(src, () => onKeep(src)))
}

/** Makes the pictures of a shown text load and open; without `onKeep` those of other hosts stay placeholders. Returns what ends it. */
export function mountPictures(view: Element, onKeep?: KeepPicture): () => void {
  const stops = [...view.querySelectorAll<HTMLImageElement>('img[data-file]')].map((image) =>
    mount(image, image.dataset.file ?? ''),
  )
  if (onKeep)
    for (const placeholder of view.querySelectorAll<HTMLElement>('[data-picture]'))
      addKeepButton(placeholder, placeholder.dataset.picture ?? '', onKeep)
  return () => {
    closeEnlarged()
    for (const stop of stops) stop()
  }
}
