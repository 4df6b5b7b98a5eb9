/*
 * The page's security policy requires Trusted Types (server/src/http/headers.ts): no string becomes HTML or code in this page
 * but by one of the policies that it names.
 *
 * - `default` (here) passes text without elements: Mantine and TipTap write their style sheets with innerHTML. Of scripts it
 *   passes the service worker (app/register-worker.ts) and the worker that searches (offline/search/search-copy.ts).
 * - `inert` (here) parses HTML into a document that runs nothing and loads nothing.
 * - `dompurify` is the cleaner's own (ui/html-cleaner.ts); its result is nodes, which need no policy.
 * - `ProseMirrorClipboard` is the editor's own: it parses what is pasted into an inert document.
 */

interface TrustedHTML {
  toString(): string
}
interface Policy {
  createHTML(html: string): TrustedHTML
}
type Rules = {
  createHTML(html: string, type?: string, sink?: string): string
  createScriptURL?(url: string): string
}
type Factory = { createPolicy(name: string, rules: Rules): Policy }

const { trustedTypes } = window as Window & { trustedTypes?: Factory }

/** Its address has a hash of its content. */
const SEARCH_WORKER = /\/assets\/search-worker-[\w-]+\.js$/

trustedTypes?.createPolicy('default', {
  createHTML(text, _type, sink) {
    // Without a sink ProseMirror asks: where it is refused it takes its own policy.
    if (sink === undefined || text.includes('<')) throw new TypeError(`HTML reached ${sink} unchecked.`)
    return text
  },
  createScriptURL(url) {
    if (url !== '/service-worker.js' && !SEARCH_WORKER.test(url))
      throw new TypeError(`${url} is no script of this page.`)
    return url
  },
})

const inert = trustedTypes?.createPolicy('inert', { createHTML: (html) => html })

/** HTML as a document of its own: nothing in it runs or loads until it is moved into the page. */
export const parseHtml = (html: string): Document =>
  // The type of the DOM library knows strings only.
  new DOMParser().parseFromString((inert?.createHTML(html) ?? html) as string, 'text/html')
