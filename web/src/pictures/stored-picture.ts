import { isReachable, onReachable } from '../lib/network.ts'
import { t } from '../messages/pictures-messages.ts'
import { acquirePicture } from './picture-blobs.ts'
import classes from './pictures.module.css'

/** What becomes of a picture: it waits to come near the screen, it loads, it shows, or it did not load. */
type PictureState = 'waiting' | 'loading' | 'shown' | 'failed'

/** Loads begin so far from the screen. */
const NEAR = '600px'

/** What to do when an element comes near the screen. */
const waiting = new Map<Element, () => Promise<void>>()
const observer = new IntersectionObserver(
  (entries) => {
    for (const { target, isIntersecting } of entries) if (isIntersecting) void waiting.get(target)?.()
  },
  { rootMargin: NEAR },
)

/** Loads every picture of the page that waits to come near the screen, as for printing. */
export const loadAllPictures = async (): Promise<void> => {
  await Promise.all([...waiting.values()].map((load) => load()))
}
window.addEventListener('beforeprint', () => void loadAllPictures())

/** Why a picture does not show. */
export const loadFailure = (): string => t(isReachable() ? 'pictures.failed' : 'pictures.failedOffline')

/**
 * Shows a picture of the user in an `<img>` once it comes near the screen. `onState` is called with every change.
 * `load` loads it now, also once more after a failure. After one it loads again by itself once the server is back. `stop` is to be
 * called when the element goes.
 */
export function showStored(
  image: HTMLImageElement,
  id: string,
  onState: (state: PictureState) => void,
): { load: () => Promise<void>; stop: () => void } {
  let release: (() => void) | undefined
  let stopped = false
  let unfollow = (): void => {}
  const fail = (): void => {
    onState('failed')
    unfollow()
    unfollow = onReachable(() => (isReachable() ? void load() : onState('failed')))
  }
  const load = async (): Promise<void> => {
    waiting.delete(image)
    observer.unobserve(image)
    if (release || stopped) return
    unfollow()
    onState('loading')
    const picture = acquirePicture(id)
    release = picture.release
    try {
      const address = await picture.address
      if (stopped) return
      image.src = address
      await image.decode()
      onState('shown')
    } catch {
      if (stopped) return
      release()
      release = undefined
      fail()
    }
  }
  const stop = () => {
    stopped = true
    unfollow()
    waiting.delete(image)
    observer.unobserve(image)
    release?.()
  }
  onState('waiting')
  waiting.set(image, load)
  observer.observe(image)
  return { load, stop }
}

/** A button that saves a picture of another host. It has no text of its own, which would be copied with that of the note. */
export function keepButton(src: string, keep: () => Promise<unknown>): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = classes.keep ?? ''
  button.dataset.label = t('pictures.keep')
  button.ariaLabel = t('pictures.keepFrom', { host: new URL(src, location.origin).host })
  button.addEventListener('click', async () => {
    button.disabled = true
    await keep()
    button.disabled = false
  })
  return button
}
