import { MAX_LENGTH } from '@kopilka/contract/limits.ts'
import { paragraphsToHtml } from '@kopilka/text/paragraphs.ts'
import { readableAddress } from '@kopilka/text/readable-address.ts'
import { api, type Tab } from './browser.ts'

/** What a page says of itself, and what is selected in it. */
export interface PageFacts {
  url: string
  title: string
  selection: string
  description: string
  keywords: string
}

/** Runs in the page, by itself: it sees nothing of this file. */
function readFacts(): PageFacts {
  const content = (...names: string[]): string => {
    for (const name of names) {
      const found = document.querySelector<HTMLMetaElement>(`meta[property="${name}"], meta[name="${name}"]`)
      if (found?.content) return found.content
    }
    return ''
  }
  return {
    url: location.href,
    // `<img name="title">` takes the place of the document's title.
    title: content('og:title') || (typeof document.title === 'string' ? document.title : ''),
    selection: String(getSelection() ?? '').trim(),
    description: content('og:description', 'description', 'twitter:description').slice(0, 10_000),
    keywords: content('keywords'),
  }
}

/** What the page of a tab says; of a page that extensions may not read the tab's own address and title. */
export const factsOf = async ({ id, url = '', title = '' }: Tab): Promise<PageFacts> => {
  const [frame] =
    id === undefined
      ? []
      : await api.scripting.executeScript({ target: { tabId: id }, func: readFacts }).catch(() => [])
  return frame?.result ?? { url, title, selection: '', description: '', keywords: '' }
}

/** Runs in the page: the connection that the settings of Копилка offer to extensions. */
function readOffer(): { server: string; token: string } | undefined {
  const { extensionToken: token } =
    document.querySelector<HTMLElement>('[data-extension-token]')?.dataset ?? {}
  return token ? { server: location.origin, token } : undefined
}

/** The server and the token that the page of a tab offers to the extension, if it is Копилка's. */
export const offerOf = async ({ id }: Tab): Promise<{ server: string; token: string } | undefined> => {
  if (id === undefined) return undefined
  const [frame] = await api.scripting
    .executeScript({ target: { tabId: id }, func: readOffer })
    .catch(() => [])
  return frame?.result ?? undefined
}

/** Whether links of this address can be kept. */
export const isKeepable = (url: string): boolean => /^(?:https?|ftp):\/\//i.test(url) && URL.canParse(url)

const cut = (text: string, most: number): string => [...text.trim()].slice(0, most).join('')

/** The title as a link may have it; of a page without one its address. */
export const titleOf = (title: string, url: string): string =>
  cut(title.replace(/\s+/g, ' '), MAX_LENGTH.title) || cut(readableAddress(url), MAX_LENGTH.title)

/** The description of a link: the selected text as a quote, then the note; without either the address, as no link is without one. */
export const descriptionOf = (quote: string, note: string, url: string): string =>
  (quote.trim() === '' ? '' : `<blockquote>${paragraphsToHtml(quote)}</blockquote>`) +
    (note.trim() === '' ? '' : paragraphsToHtml(note)) || paragraphsToHtml(readableAddress(url))
