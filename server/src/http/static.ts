import { relative, sep } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import type { Admission } from './admission.ts'
import { sendError } from './errors.ts'
import { PAGE_POLICY, WORKER_POLICY } from './headers.ts'
import { networkOf } from './ip-address.ts'
import { isRead } from './large-transfers.ts'
import type { RateLimits } from './rate-limits/rate-limits.ts'

const YEAR = 365 * 24 * 60 * 60

/** Whether an address belongs to the API; any other is a file or a screen. */
export const isApi = (url: string): boolean => url === '/api' || url.startsWith('/api/')

/** Matches paths of files of a build. Any other path is a screen, even '//x' and '/a%5Cb'. */
const FILE = /^\/$|^(?:\/[\w-][\w.-]*)+$/

/** The methods of the pages that routes serve, and of screens. */
const READS = ['GET', 'HEAD']

const isScreen = (path: string): boolean => !isApi(path) && !path.startsWith('/assets/')

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

interface PageLimits {
  rateLimits: RateLimits
  admission: Admission
}

/**
 * Counts a request that is no call by its address; resolves when it may begin. Throws 'rateLimited'. The address is that of a proxy
 * where Fastify could not read the one that was asked for.
 */
export type AdmitPage = (request: FastifyRequest, reply: FastifyReply) => Promise<void>

export const pageAdmission =
  ({ rateLimits, admission }: PageLimits): AdmitPage =>
  async ({ ip }, reply) => {
    const network = networkOf(ip)
    await rateLimits.request({ limit: 'pages', key: network })
    await admission.begin(network, reply)
  }

/** Limits requests to the routes of `app`, as pages and files have no limits of calls. */
export function limitPages(app: FastifyInstance, admit: AdmitPage): void {
  app.addHook('onRequest', (request, reply, done) => {
    admit(request, reply).then(() => done(), done)
  })
}

/** The methods of the calls at a path; undefined if no call has it. */
type MethodsAt = (path: string) => readonly string[] | undefined

/**
 * Serves everything without a route: files of the built interface in `webRoot` (absent: only the API is served), screens,
 * 405 for another method at the path of a call or of one of `pages`, 404. Screens get index.html, whose router knows them.
 * Files under /assets are named by their content and never change.
 */
export async function serveTheRest(
  app: FastifyInstance,
  {
    webRoot,
    methodsAt,
    pages,
  }: { webRoot: string | undefined; methodsAt: MethodsAt; pages: ReadonlySet<string> },
): Promise<void> {
  const isFileRoute = ({ routeOptions }: FastifyRequest) => routeOptions.url === '/*'

  if (webRoot !== undefined) {
    await app.register(files, {
      root: webRoot,
      preCompressed: true,
      cacheControl: false,
      setHeaders: (reply, path) => {
        const name = relative(webRoot, path)
        const immutable = name.startsWith(`assets${sep}`)
        reply.header('cache-control', immutable ? `public, max-age=${YEAR}, immutable` : 'no-cache')
        if (/\.html(?:\.\w+)?$/.test(name)) reply.header('content-security-policy', PAGE_POLICY)
        if (/^service-worker\.js(?:\.\w+)?$/.test(name))
          reply.header('content-security-policy', WORKER_POLICY)
      },
    })
  }

  // Runs before the body is read and before files are looked up.
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.is404 && !isFileRoute(request)) return done()
    const path = pathOf(request)
    const methods = methodsAt(path) ?? (pages.has(path) ? READS : undefined)
    if (methods) {
      reply.header('allow', methods.join(', '))
      return done(new AppError('methodNotAllowed'))
    }
    if (isApi(path) || !isRead(request)) return done(new AppError('notFound'))
    if (isFileRoute(request) && !FILE.test(path) && isScreen(path)) return void reply.sendFile('index.html')
    done()
  })
  app.setNotFoundHandler((request: FastifyRequest, reply: FastifyReply) => {
    if (webRoot !== undefined && isRead(request) && isScreen(pathOf(request)))
      return reply.sendFile('index.html')
    return sendError(new AppError('notFound'), request, reply)
  })
}
