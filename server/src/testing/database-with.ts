import type { Database } from '../db/open.ts'
import type { TestApp } from './create-test-app.ts'

/** The database of an app with another way to write. */
export const databaseWith = ({ db }: TestApp, write: Database['write']): Database =>
  Object.assign(db.withoutPlugins(), { fullText: db.fullText, risk: db.risk, ping: db.ping, write })
