import { expect, test } from 'vitest'
import { brokenRules } from './code-rules.ts'
import { DEPENDENCY_RULES } from './dependency-rules.ts'
import { ROOT } from './prepare.mjs'
import { readSources } from './sources.ts'

test('the code keeps the rules', () => {
  const sources = new Map(readSources(ROOT, Object.keys(DEPENDENCY_RULES)))
  // These two files quote what they forbid.
  for (const file of ['scripts/code-rules.ts', 'scripts/code-rules.test.ts']) sources.delete(file)
  expect(sources.size).toBeGreaterThan(20)
  expect(brokenRules(sources)).toEqual([])
})

test.each([
  ['server/src/jobs/mail/send.ts', 'const url = process.env.SMTP_URL', 'Only server/src/config.ts'],
  ['server/src/items/store.ts', 'const now = Date.now()', 'The clock is an argument'],
  ['server/src/items/store.ts', 'const now = new Date()', 'The clock is an argument'],
  ['server/src/items/store.ts', 'await db.transaction().execute(work)', 'Declare a command'],
  ['server/src/items/store.ts', "import { connect } from 'node:net'", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "import tls from 'tls'", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "import { METHODS, request } from 'node:http'", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "import {\n  get,\n} from 'node:https'", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "import * as dns from 'node:dns/promises'", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "await import('node:http2')", 'Only server/src/metadata'],
  ['server/src/items/store.ts', "import { request } from 'undici'", 'Only server/src/metadata'],
  [
    'server/src/jobs/mail/compose.ts',
    "import { createTransport } from 'nodemailer'",
    'Only server/src/metadata',
  ],
  ['server/src/metadata/fetch-page.ts', 'const page = await fetch(url)', 'Only server/src/metadata'],
  ['server/src/items/store.ts', "new WebSocket('ws://x')", 'Only server/src/metadata'],
  [
    'server/src/feed/routes.ts',
    "return pool.run<Feed>('feedOf', asked, { owner_id })",
    'Give the task the signal',
  ],
  ['web/src/home/home-page.tsx', 'export default function Home() {}', 'Export by name'],
  ['web/src/lib/dates.ts', 'const x = y as any', 'Say the type'],
  ['web/src/lib/dates.ts', '// @ts-ignore', 'Say the type'],
  ['web/src/lib/formatDate.ts', '', "rename 'formatDate.ts'"],
  ['web/src/Items/list.ts', '', "rename 'Items'"],
  ['server/src/jobs/queue.ts', "db.selectFrom('jobs').selectAll()", 'Name the columns'],
  ['web/src/utils/dates.ts', '', "'utils' says nothing"],
  ['server/src/items/item-service.ts', '', "'item-service.ts' says nothing"],
])('%s: «%s» is refused', (path, text, message) => {
  expect(brokenRules(new Map([[path, text]]))).toEqual([expect.stringContaining(message)])
})

test.each([
  ['server/src/config.ts', 'readConfig(process.env)'],
  ['server/src/main.ts', 'const clock = () => Date.now()'],
  ['server/src/items/store.test.ts', 'const now = Date.now()'],
  ['server/src/items/store.ts', 'new Date(clock()).toISOString()'],
  ['server/src/metadata/connection.ts', "import { request } from 'node:https'"],
  ['server/src/jobs/mail/mailer.ts', "import { createTransport, type NodemailerError } from 'nodemailer'"],
  ['server/src/items/store.ts', "import type { IncomingMessage } from 'node:http'"],
  ['server/src/items/store.ts', "import { type BlockList, isIP, isIPv4 } from 'node:net'"],
  ['server/src/items/store.ts', "import { STATUS_CODES as codes } from 'node:http'"],
  ['server/src/testing/client.ts', 'await fetch(address)'],
  ['web/src/api/call.ts', 'await fetch(address)'],
  ['web/vite.config.ts', 'export default {}'],
  ['server/src/main.test.ts', 'spawn(node, { env: process.env })'],
  ['web/src/accounts/common-passwords.ts', 'const many = 1'],
])('%s: «%s» is fine', (path, text) => {
  expect(brokenRules(new Map([[path, text]]))).toEqual([])
})
