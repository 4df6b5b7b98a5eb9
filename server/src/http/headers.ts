import type { FastifyInstance, FastifyRequest } from 'fastify'

const NOTHING_MORE = "object-src 'none'; base-uri 'none'; frame-ancestors 'none'"

/**
 * What the interface may load. Pages show the user's own HTML: images may come from anywhere, nothing else from anywhere
 * but here. Mantine and the editor write style elements and attributes.
 */
export const PAGE_POLICY = [
  "default-src 'self'; script-src 'self'; style-src 'self' 'unsafe-inline'",
  `img-src 'self' data: http: https:; form-action 'self'; ${NOTHING_MORE}`,
].join('; ')

/** What any other response may load, should a browser show it as a page: a style sheet of ours, no script. */
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

/** Browsers heed these over https only, and may complain about them over plain http. */
const HTTPS_HEADERS: Readonly<Record<string, string>> = {
  ...HEADERS,
  'strict-transport-security': `max-age=${365 * 24 * 60 * 60}`,
  'cross-origin-opener-policy': 'same-origin',
}

export const headersFor = (request: FastifyRequest): Readonly<Record<string, string>> =>
  request.protocol === 'https' ? HTTPS_HEADERS : HEADERS

/** Call before anything is served: every response starts with these headers, whatever becomes of the request. */
export function sendHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersFor(request))
    done()
  })
}
