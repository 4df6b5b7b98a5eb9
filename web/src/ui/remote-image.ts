import { LINK_ATTRIBUTES } from '@kopilka/contract/allowed-html.ts'
import { t } from '../messages/main-messages.ts'
import classes from './html.module.css'

export const remoteImageClass = classes.remote ?? ''

/**
 * The text in place of a picture of another host, which is not loaded: that host would learn who reads. Undefined for
 * any other picture.
 */
export function remoteImageText({ src, alt }: { src?: unknown; alt?: unknown }): string | undefined {
  const url = URL.parse(String(src), location.origin)
  if (!url || !/^https?:$/.test(url.protocol) || url.origin === location.origin) return undefined
  const text = t('html.remoteImage', { host: url.host })
  return typeof alt === 'string' && alt.trim() !== '' ? `${text}: ${alt.trim()}` : text
}

/** Puts a link to it in place of an `<img>` of another host; whether it did. */
export function replaceRemoteImage(image: Element): boolean {
  const src = image.getAttribute('src') ?? ''
  const alt = image.getAttribute('alt')
  const text = remoteImageText({ src, alt })
  if (text === undefined) return false
  // A link within a link is none.
  const placeholder = image.ownerDocument.createElement(image.closest('a') ? 'span' : 'a')
  placeholder.className = remoteImageClass
  placeholder.textContent = text
  placeholder.dataset.picture = src
  if (alt) placeholder.dataset.alt = alt
  if (placeholder instanceof HTMLAnchorElement) {
    placeholder.href = src
    for (const [name, value] of Object.entries(LINK_ATTRIBUTES)) placeholder.setAttribute(name, value)
  }
  image.replaceWith(placeholder)
  return true
}
