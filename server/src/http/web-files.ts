import { relative, sep } from 'node:path'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { answerFailure } from './failures.ts'
import { PAGE_POLICY } from './headers.ts'

const YEAR = 365 * 24 * 60 * 60

const isApi = (url: string): boolean => url === '/api' || url.startsWith('/api/')

/**
 * The built interface in `webRoot`. Addresses that are no file are screens: they all get index.html, and the router
 * in it knows them. Files under /assets are named by their content and never change.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string | undefined): Promise<void> {
  const noSuchThing = (request: FastifyRequest, reply: FastifyReply) =>
    answerFailure(new Refusal('notFound'), request, reply)

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
  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const isScreen =
      ['GET', 'HEAD'].includes(request.method) && !isApi(pathname) && !pathname.startsWith('/assets/')
    return isScreen ? reply.sendFile('index.html') : noSuchThing(request, reply)
  })
}
