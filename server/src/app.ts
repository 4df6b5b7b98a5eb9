import fastify, { type FastifyError, type FastifyInstance } from 'fastify'
import { sql } from 'kysely'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import type { Database } from './db/open.ts'
import { serveApiDocs } from './http/api-docs/routes.ts'
import { answerFailure } from './http/errors.ts'
import { sendHeaders } from './http/headers.ts'
import { serveHealth } from './http/health.ts'
import { serverOptions } from './http/options.ts'
import { createLimits } from './http/rate-limits/rate-limits.ts'
import { serveSecurityTxt } from './http/security-txt.ts'
import { createServer } from './http/serve.ts'
import { closeWithLastAnswers } from './http/shutdown.ts'
import { serveSite } from './http/site.ts'
import { serveWeb } from './http/static.ts'
import { createItemLists } from './items/lists.ts'
import { createReindex } from './items/reindex.ts'
import { createReindexing } from './items/reindexing.ts'
import { serveItems } from './items/routes.ts'
import { createItemStore } from './items/store.ts'
import { deliveryFor } from './jobs/mail/delivery.ts'
import { createLetters } from './jobs/queue.ts'
import { createPost } from './jobs/worker.ts'
import type { Resolve } from './metadata/connection.ts'
import { createExtraction } from './metadata/extraction.ts'
import { serveMetadata } from './metadata/routes.ts'
import { searchIndexes } from './search/indexes.ts'
import { createKnownDevices } from './sessions/known-devices.ts'
import { createSessions } from './sessions/sessions.ts'
import { serveTags } from './tags/routes.ts'
import { createTagStore } from './tags/store.ts'
import { createPasswordChanges } from './users/password-changes.ts'
import { createResets } from './users/password-resets.ts'
import { serveAccounts } from './users/routes.ts'
import { createUsers } from './users/users.ts'

export interface AppParts {
  config: Config
  db: Database
  clock: Clock
  /** How names of the outside network become addresses. */
  resolve: Resolve
  /** Folder of the built interface; absent, only the API is served. */
  webRoot?: string
}

/** The one place that joins the rooms: from settings and an open database to a server ready to listen. */
export async function buildApp({ config, db, clock, resolve, webRoot }: AppParts): Promise<FastifyInstance> {
  const app = fastify(serverOptions(config))
  sendHeaders(app)
  closeWithLastAnswers(app)
  app.setErrorHandler<FastifyError>((error, request, reply) => answerFailure(error, request, reply))

  const limits = createLimits(db, clock, config)
  const knownDevices = createKnownDevices(db, clock)
  const sessions = createSessions(db, clock)
  const users = createUsers(db, clock)
  const letters = createLetters(db, clock)
  const resets = createResets(db, clock, config)
  const passwords = createPasswordChanges({
    db,
    users,
    sessions,
    resets,
    letters,
    wakePost: () => post.wake(),
  })
  const post = createPost({
    letters,
    write: resets.write,
    deliver: deliveryFor(config, app.log),
    clock,
    log: app.log,
  })
  const tags = createTagStore(db, clock)
  const index = searchIndexes[db.fullText]
  const items = createItemStore({ db, index, tags, clock })
  const lists = createItemLists({ db, index, tags })
  const reindexing = createReindexing({ reindex: createReindex({ db, index, tags, clock }), log: app.log })
  const extraction = createExtraction(config, resolve)

  const server = createServer(app, { identify: sessions.identify, limits })
  serveAccounts(server, { config, users, sessions, passwords, knownDevices, limits })
  serveItems(server, { items, lists, tags })
  serveTags(server, tags)
  serveMetadata(server, extraction)
  serveSite(server, config)
  server.refuseOtherMethods()
  serveApiDocs(app)

  serveHealth(app, () => sql`select 1`.execute(db))
  serveSecurityTxt(app, config, clock)
  await serveWeb(app, webRoot)
  app.addHook('onReady', async () => {
    post.start()
    reindexing.start()
  })
  // Before the database is closed, which whoever opened it does in onClose.
  app.addHook('preClose', () => post.close())
  app.addHook('preClose', () => reindexing.close())
  app.addHook('onClose', () => extraction.close())
  return app
}
