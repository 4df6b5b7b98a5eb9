import { relative, sep } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { answerFailure } from './errors.ts'
import { PAGE_POLICY } from './headers.ts'

const YEAR = 365 * 24 * 60 * 60

/** Whether an address is the API's; every other one is a file or a screen. */
export const isApi = (url: string): boolean => url === '/api' || url.startsWith('/api/')

/** How the files of a build are named. What else is asked for is a screen, odd as it may be: '//x', '/a%5Cb'. */
const FILE = /^\/$|^(?:\/[\w-][\w.-]*)+$/

const isScreen = (path: string): boolean => !isApi(path) && !path.startsWith('/assets/')

const pathOf = ({ url }: FastifyRequest): string => url.split('?', 1)[0] ?? url

/**
 * The built interface in `webRoot`. Addresses that are no file are screens: they all get index.html, and the router
 * in it knows them. Files under /assets are named by their content and never change.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string | undefined): Promise<void> {
  const noSuchThing = (request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(new AppError('notFound'), request, reply)

  if (webRoot === undefined) {
    app.setNotFoundHandler(noSuchThing)
    return
  }

  await app.register(files, {
    root: webRoot,
    preCompressed: true,
    cacheControl: false,
    setHeaders: (reply, path) => {
      const immutable = relative(webRoot, path).startsWith(`assets${sep}`)
      reply.header('cache-control', immutable ? `public, max-age=${YEAR}, immutable` : 'no-cache')
      if (/\.html(?:\.\w+)?$/.test(path)) reply.header('content-security-policy', PAGE_POLICY)
    },
  })
  app.addHook('onRequest', async (request, reply) => {
    const path = pathOf(request)
    const isFileRoute = request.routeOptions.url === '/*'
    if (isFileRoute && !FILE.test(path) && isScreen(path)) return reply.sendFile('index.html')
  })
  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD'
    return reads && isScreen(pathOf(request)) ? reply.sendFile('index.html') : noSuchThing(request, reply)
  })
}
