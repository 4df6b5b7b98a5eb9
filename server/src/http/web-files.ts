import helmet from '@fastify/helmet'
import files from '@fastify/static'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Refusal } from '../errors.ts'
import { answerFailure } from './failures.ts'

const YEAR = 365 * 24 * 60 * 60

/** Pages show the user's own HTML: images may come from anywhere, nothing else from anywhere but here. */
const CONTENT_POLICY = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'"],
  // Mantine and the editor position things with style attributes.
  styleSrc: ["'self'", "'unsafe-inline'"],
  imgSrc: ["'self'", 'data:', 'http:', 'https:'],
  objectSrc: ["'none'"],
  baseUri: ["'none'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const isApi = (url: string): boolean => url === '/api' || url.startsWith('/api/')

/**
 * The built interface in `webRoot`, and what every answer carries. Addresses that are no file are screens: they all get
 * index.html, and the router in it knows them. Files under /assets are named by their content and never change.
 */
export async function serveWeb(app: FastifyInstance, webRoot: string | undefined): Promise<void> {
  await app.register(helmet, {
    contentSecurityPolicy: { useDefaults: false, directives: CONTENT_POLICY },
    referrerPolicy: { policy: 'same-origin' },
    frameguard: { action: 'deny' },
    // These three belong behind https; over plain http browsers only complain about them.
    strictTransportSecurity: false,
    crossOriginOpenerPolicy: false,
    originAgentCluster: false,
  })
  app.addHook('onSend', async (request, reply) => {
    if (isApi(request.url)) reply.header('cache-control', 'no-store')
  })

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
      const immutable = path.includes('/assets/') || path.includes('\\assets\\')
      reply.header('cache-control', immutable ? `public, max-age=${YEAR}, immutable` : 'no-cache')
    },
  })
  app.setNotFoundHandler((request, reply) => {
    const { pathname } = new URL(request.url, 'http://localhost')
    const isScreen =
      ['GET', 'HEAD'].includes(request.method) && !isApi(pathname) && !pathname.startsWith('/assets/')
    return isScreen ? reply.sendFile('index.html') : noSuchThing(request, reply)
  })
}
