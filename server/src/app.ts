import { TOKEN_PREFIX } from '@kopilka/contract/tokens.ts'
import type { FastifyInstance } from 'fastify'
import { createAccountDeletion } from './accounts/delete-account.ts'
import { ERASE_ACCOUNT, eraseAccountHandler } from './accounts/erase-account.ts'
import { createChangeFeed } from './changes/feed.ts'
import { serveChanges } from './changes/routes.ts'
import type { Clock } from './clock.ts'
import type { Config } from './config.ts'
import { noteDamage } from './db/damage.ts'
import type { StatementLog } from './db/dialect.ts'
import type { Database } from './db/open.ts'
import { sqliteFile } from './db/sqlite.ts'
import { quotasOf } from './db/usage.ts'
import { serveExports } from './exports/routes.ts'
import { serveFeed } from './feed/routes.ts'
import { createDataPictures } from './files/data-pictures.ts'
import { purgeFiles } from './files/purge.ts'
import { serveFiles } from './files/routes.ts'
import { createSpool } from './files/spool.ts'
import { createFileStore } from './files/store.ts'
import { createPictureUploads } from './files/uploads.ts'
import { createAccess } from './http/access.ts'
import { createAdmission } from './http/admission.ts'
import { serveApiDocs } from './http/api-docs/routes.ts'
import { createLargeTransfers } from './http/large-transfers.ts'
import { createRateLimits } from './http/rate-limits/rate-limits.ts'
import { createServer } from './http/serve.ts'
import { createHttpServer } from './http/server.ts'
import { serveHealth, serveOpenSearch, serveReadiness, serveSecurityTxt, serveSite } from './http/site.ts'
import { limitPages, pageAdmission, serveTheRest } from './http/static.ts'
import { purgeImports } from './imports/purge.ts'
import { createImportReader } from './imports/read-job.ts'
import { serveImports } from './imports/routes.ts'
import { importRunners } from './imports/run-job.ts'
import { longReadJobOf, RUN_IMPORT, RUN_IMPORT_WITH_PAGES, readJobOf } from './imports/store.ts'
import { createUploads } from './imports/uploads.ts'
import { purgeKeys } from './items/idempotency.ts'
import { createItemLists } from './items/lists.ts'
import { serveItems } from './items/routes.ts'
import { createSameLinks } from './items/same-links.ts'
import { createItemStore } from './items/store.ts'
import { createMailer } from './jobs/mail/mailer.ts'
import { deleteMessages, outboxOf } from './jobs/mail/outbox.ts'
import { createJobWorker } from './jobs/worker.ts'
import { createBookmarks } from './linkding/bookmarks.ts'
import { createNumbers } from './linkding/numbers.ts'
import { serveLinkding } from './linkding/routes.ts'
import { createLinkdingTags } from './linkding/tags.ts'
import type { Resolve } from './metadata/connection.ts'
import { createExtraction } from './metadata/extraction.ts'
import { serveMetadata } from './metadata/routes.ts'
import { FORGET_TERMS, forgetTermsHandler } from './operations/maintenance.ts'
import { createItemMerger } from './operations/merge-items.ts'
import { createPurgeTimer, PURGE, purgeHandler, TRIM, trimHandler } from './operations/purge-job.ts'
import { serveOperations } from './operations/routes.ts'
import { FINISH_OPERATION } from './operations/running.ts'
import { createTrashSearch } from './operations/search-trash.ts'
import { createStepWriters, finishInterrupted, finishOperationHandler } from './operations/steps.ts'
import { createIndexer } from './search/indexer.ts'
import { purgeDevices } from './sessions/known-devices.ts'
import { serveSessions } from './sessions/routes.ts'
import { createSessions } from './sessions/sessions.ts'
import { serveTags } from './tags/routes.ts'
import { createTagStore } from './tags/store.ts'
import { createWorkerPool } from './threads/worker-pool.ts'
import { serveTokens } from './tokens/routes.ts'
import { createApiTokens } from './tokens/tokens.ts'
import { createPasswordChanges } from './users/password-changes.ts'
import { createPasswordHasher, type PasswordHasher } from './users/passwords.ts'
import { RESET_MAIL, resetMailHandler } from './users/reset-mail.ts'
import { serveUsers } from './users/routes.ts'
import { createUsers } from './users/users.ts'

/** Milliseconds between two looks for files that imports have left. */
const SWEEP_INTERVAL = 60 * 60_000

export interface AppDependencies {
  config: Config
  db: Database
  clock: Clock
  /** Resolves host names of the outside network. */
  resolve: Resolve
  /** Folder of the built interface; absent, only the API is served. */
  webRoot?: string
  /** Absent: hashes at the production cost. */
  passwordHasher?: PasswordHasher
  /** Called with each statement that worker threads send to the database. */
  onStatement?: StatementLog
}

/** Joins the modules: from settings and an open database to a server ready to listen. */
export async function buildApp({
  config,
  db,
  clock,
  resolve,
  webRoot,
  passwordHasher = createPasswordHasher(),
  onStatement,
}: AppDependencies): Promise<FastifyInstance> {
  const rateLimits = createRateLimits(db, clock, config)
  const admission = createAdmission(config)
  const admitPage = pageAdmission({ rateLimits, admission })
  const app = createHttpServer(config, admitPage)
  const sessions = createSessions(db, clock)
  const apiTokens = createApiTokens(db, clock)
  const users = createUsers(db, clock, passwordHasher)
  const mailer = createMailer(config, app.log)
  // Threads meet damaged pages too, of which /readyz tells.
  const database = config.DATABASE_URL || sqliteFile(config.DATA_DIR)
  const pool = createWorkerPool(config, onStatement, (error) => noteDamage(database, error))
  const quotas = quotasOf(config)
  const stepWriters = createStepWriters(db, clock)
  const extraction = createExtraction(config, resolve)
  const uploads = createUploads(config)
  const spool = createSpool(config)
  const pictures = createFileStore({ db, clock, quotas })
  const uploadPicture = createPictureUploads({ pool, spool, store: pictures })
  const importReader = createImportReader({ db, clock, config, pool, uploads, quotas, pictures })
  const runImports = importRunners({
    ...{ db, stepWriters, clock, pool, quotas, extraction },
    onSaved: () => indexer.maintainSoon(),
  })
  const jobs = createJobWorker({
    db,
    clock,
    log: app.log,
    handlers: {
      [RESET_MAIL]: resetMailHandler({ db, clock, mailer, config }),
      [PURGE]: purgeHandler({
        ...{ db, clock, config },
        purgeMore: async (owner_id, now, signal) => {
          await purgeDevices(db, owner_id, now)
          await purgeKeys(db, { owner_id, now })
          await purgeImports(db, owner_id, now)
          await purgeFiles({ db, pool }, owner_id, now, signal)
        },
      }),
      [TRIM]: trimHandler({ db, clock, config, log: app.log }),
      [FORGET_TERMS]: forgetTermsHandler(db),
      [ERASE_ACCOUNT]: eraseAccountHandler({
        db,
        clock,
        removeUpload: uploads.remove,
        removeMail: (recipient) => deleteMessages(outboxOf(config), recipient),
        wakeJobs: () => jobs.wake(),
      }),
      [readJobOf(uploads.folderId)]: importReader.handler,
      [longReadJobOf(uploads.folderId)]: importReader.longHandler,
      [RUN_IMPORT]: runImports.plain,
      [RUN_IMPORT_WITH_PAGES]: runImports.withPages,
      [FINISH_OPERATION]: finishOperationHandler(stepWriters),
    },
  })
  const purges = createPurgeTimer({ db, clock, config, wakeJobs: jobs.wake })
  const passwords = createPasswordChanges({ db, clock, users, passwordHasher, wakeJobs: jobs.wake })
  const tags = createTagStore({ db, clock })
  const items = createItemStore({
    ...{ db, clock, pool, quotas },
    keepPictures: createDataPictures({ db, pool, store: pictures }),
    onCreated: () => indexer.countSaved(1),
  })
  const lists = createItemLists({ db, tags, pool })
  const sameLinks = createSameLinks({ db, pool })
  const indexer = createIndexer({ db, pool, clock, log: app.log })

  const access = createAccess({
    identify: (token, address) =>
      token.startsWith(TOKEN_PREFIX) ? apiTokens.identify(token, address) : sessions.identify(token),
    ...{ rateLimits, admission },
  })
  const transfers = createLargeTransfers(rateLimits)
  const server = createServer(app, { access, rateLimits, transfers, pool })
  const deleteAccount = createAccountDeletion({ db, clock, users, passwordHasher, wakeJobs: jobs.wake })
  serveUsers(server, { config, users, passwords, deleteAccount })
  serveSessions(server, {
    db,
    sessions,
    rateLimits,
    ownerOf: users.ownerOf,
    checkCredentials: users.checkCredentials,
  })
  serveTokens(server, apiTokens)
  serveItems(server, { items, lists, tags, sameLinks })
  serveTags(server, tags)
  const searchTrash = createTrashSearch(pool)
  serveOperations(server, {
    db,
    stepWriters,
    clock,
    config,
    pool,
    items,
    lists,
    tags,
    quotas,
    wakeJobs: jobs.wake,
    searchTrash,
    mergeItems: createItemMerger({ db, clock, pool, quotas }),
    onChanged: indexer.countSaved,
  })
  serveChanges(server, createChangeFeed(db))
  const closing = new AbortController()
  serveExports(server, { db, clock, pool, pictures, lists, tags, searchTrash, closing: closing.signal })
  serveImports(server, { db, clock, pool, quotas, uploads, wakeJobs: jobs.wake })
  serveMetadata(server, extraction)
  serveFiles(server, { store: pictures, upload: uploadPicture, extraction })
  const numbers = createNumbers(db)
  serveLinkding(app, {
    ...{ access, pool, transfers },
    bookmarks: createBookmarks({
      ...{ db, pool, items, lists, tags, sameLinks },
      ...{ extraction, rateLimits, numbers },
    }),
    tags: createLinkdingTags({ db, stepWriters, clock, quotas, tags, numbers }),
  })
  serveSite(server, config)
  serveHealth(app)
  /** Paths of pages, whose routes have no parameters. */
  const paths = new Set(['/healthz'])
  await app.register(async (pages) => {
    pages.addHook('onRoute', ({ url }) => {
      if (!/[:*]/.test(url)) paths.add(url)
    })
    limitPages(pages, admitPage)
    serveReadiness(pages, () => db.ping({ items: true }))
    serveSecurityTxt(pages, config, clock)
    serveOpenSearch(pages, config)
    serveFeed(pages, { access, transfers, pool, tags, config })
    serveApiDocs(pages)
    await serveTheRest(pages, { webRoot, methodsAt: server.methodsAt, pages: paths })
  })
  await finishInterrupted(db).catch((error: unknown) => {
    app.log.warn({ because: error instanceof Error ? error.name : 'unknown' }, 'unfinished operations wait')
  })
  const sweep = async () => {
    await uploads.sweep(clock())
    await spool.sweep(clock())
  }
  const sweeps = setInterval(() => void sweep().catch(() => {}), SWEEP_INTERVAL).unref()
  app.addHook('onReady', async () => {
    jobs.start()
    await sweep()
    purges.start()
    indexer.start()
  })
  // The caller closes the database once the server is closed: these use it and must end before.
  app.addHook('preClose', async () => clearInterval(sweeps))
  app.addHook('preClose', async () => closing.abort())
  app.addHook('preClose', () => purges.close())
  app.addHook('preClose', () => jobs.close())
  app.addHook('preClose', () => indexer.close())
  app.addHook('onClose', () => importReader.close())
  app.addHook('onClose', () => pool.close())
  app.addHook('onClose', () => extraction.close())
  return app
}
