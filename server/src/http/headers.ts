import type { FastifyInstance, FastifyRequest } from 'fastify'

const NOTHING_MORE = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/**
 * Content security policy of pages. They show users' HTML, and load nothing from other servers, pictures included. Mantine and
 * the editor write style elements and attributes. web/src/lib/trusted-types.ts says what each policy of HTML is for.
 */
export const PAGE_POLICY = [
  "default-src 'self'; script-src 'self'; worker-src 'self'; style-src 'self' 'unsafe-inline'",
  `img-src 'self' blob: data:; form-action 'self'; ${NOTHING_MORE}`,
  "require-trusted-types-for 'script'; trusted-types default inert dompurify ProseMirrorClipboard",
].join('; ')

/** Content security policy of the service worker: that of its script holds for what it fetches, which is the page. */
export const WORKER_POLICY = `default-src 'none'; script-src 'none'; connect-src 'self'; ${NOTHING_MORE}`

/** Content security policy of other responses, in case a browser shows one as a page. */
const PLAIN_POLICY = `default-src 'none'; script-src 'none'; style-src 'self'; img-src 'self'; form-action 'none'; ${NOTHING_MORE}`

/** Sent with every response; a route that may be cached or load more overrides them. */
export const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': PLAIN_POLICY,
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'referrer-policy': 'same-origin',
  'permissions-policy':
    'camera=(), display-capture=(), geolocation=(), microphone=(), midi=(), payment=(), serial=(), usb=()',
  'cross-origin-resource-policy': 'same-origin',
  'cache-control': 'no-store',
}

/** Browsers obey these over https only, and may warn about them over plain http. */
const HTTPS_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'strict-transport-security': `max-age=${365 * 24 * 60 * 60}`,
  'cross-origin-opener-policy': 'same-origin',
}

/** The headers of responses without a request that could be read. */
export const headersAt = (PUBLIC_URL: string): Readonly<Record<string, string>> =>
  PUBLIC_URL.startsWith('https:') ? HTTPS_HEADERS : HEADERS

/** A proxy may not say that a request came over https: then PUBLIC_URL does. */
export const headersFor = (
  { protocol }: FastifyRequest,
  PUBLIC_URL: string,
): Readonly<Record<string, string>> => (protocol === 'https' ? HTTPS_HEADERS : headersAt(PUBLIC_URL))

/** Adds the headers to every response, errors included. Must be called before routes are added. */
export function sendHeaders(app: FastifyInstance, PUBLIC_URL: string): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request, PUBLIC_URL))
    done()
  })
}
