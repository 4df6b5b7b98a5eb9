import { mkdtempSync, rmSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { accounts as accountCalls } from '@kopilka/contract/accounts.ts'
import { changes } from '@kopilka/contract/changes.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { files } from '@kopilka/contract/files.ts'
import { imports } from '@kopilka/contract/imports.ts'
import { MAX_CHANGES, MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import { links } from '@kopilka/contract/links.ts'
import { notes } from '@kopilka/contract/notes.ts'
import { latest, search } from '@kopilka/contract/search.ts'
import { tokens } from '@kopilka/contract/tokens.ts'
import { CliError, ROOT } from '../../scripts/prepare.mjs'
import { signIn } from './account.ts'
import type { AttackName, Target } from './attacks.ts'
import type { Account } from './databases.ts'
import { sendOnce } from './load.ts'
import { pictureOf } from './picture.ts'
import { createDatabase } from './postgres.ts'
import { type RunningServer, startProduct } from './servers.ts'
import { table } from './table.ts'
import { memory } from './usage.ts'

/** The attacks in their order, and which of the attacker's accounts each uses: all of them, none or one. */
const ATTACKS: readonly (readonly [name: AttackName, account?: number | 'all'])[] = [
  ['nothing'],
  ['readiness at once'],
  ['pages at once'],
  ['calls at once', 3],
  ['sign-ins at once'],
  ['phrases', 0],
  ['large bodies', 3],
  ['ten thousand tags', 1],
  ['changes of all items', 2],
  ['items of a tag', 0],
  ['saves of <td>x', 3],
  ['short saves', 3],
  ['calls behind saves', 3],
  ['idle and slow connections'],
  ['nonsense words', 1],
  ['unread lists', 0],
  ['unread items', 0],
  ['unfinished bodies', 3],
  ['long heads'],
  ['unfinished heads'],
  ['tiny chunks', 3],
  ['pipelining'],
  ['linkding lists', 1],
  ['similar items', 0],
  ['linkding saves', 1],
  ['unread feeds', 0],
  ['feeds of quotes', 4],
  ['duplicates', 2],
  ['uploads of pictures', 3],
  ['linkding tags', 1],
  ['unread pictures', 0],
  ['undone changes', 2],
  ['restored versions', 0],
  ['imports', 3],
  ['linkding searches', 2],
  ['unknown tokens'],
  ['merges', 0],
  ['merged tags', 2],
  ['pictures in texts', 3],
  ['read pictures', 0],
  ['unread exports', 0],
  ['partial searches', 4],
  ['far pages', 2],
  ['hostile pages', 'all'],
  ['exports', 0],
  ['saves at once', 3],
  ['deleted and restored items', 2],
  ['slow imports', 'all'],
  ['change feed', 'all'],
  // Most of the links are in the trash after it.
  ['deleting and restoring all items', 2],
  // Nobody signs in from the address for a quarter of an hour after it.
  ['sign-ins'],
]
/** Milliseconds after which what an account has done counts no more towards its rate limits. */
const WINDOW = 60_000
/** Milliseconds after which all sign in again: an access token lives for a quarter of an hour. */
const TOKENS = 10 * 60_000
const LENGTH = 15_000
/** After an attack: at least, and at most until memory is back. */
const [REST, LONGEST_REST] = [5_000, 60_000]
/** Megabytes above those before an attack that count as back. */
const BACK = 50
/** Between the beginnings of two attacks: what the user does beside two of them stays within his own rate limit. */
const APART = 30_000
const INTERVAL = 100
const SAVE_INTERVAL = 500
const ATTACKERS = 5
const LONG_NOTES = 100
const LONG_LINKS = 5
const TAGS = 10_000
const LINKS = 20_000
/** Words that never stand together. */
const WORDS = [
  ...[
    'берег',
    'ветер',
    'город',
    'дерево',
    'звезда',
    'иголка',
    'камень',
    'лампа',
    'молоко',
    'облако',
    'парус',
    'река',
  ],
  ...[
    'север',
    'трава',
    'улица',
    'фонарь',
    'хлеб',
    'цветок',
    'чайник',
    'шахматы',
    'щётка',
    'экран',
    'юность',
    'якорь',
  ],
]

/** Half a million characters. */
const LONG = Array.from({ length: 56_000 }, (_, at) => `слово${at % 500}`).join(' ')

type Send = (call: Endpoint, body: object | undefined, headers?: Record<string, string>) => Promise<string>

/**
 * Runs all attacks, or those that are named, on a server of its own and prints what another user noticed; on PostgreSQL if the first
 * argument is the address of one. See bench/README.md.
 */
export async function hostile(args: readonly string[]): Promise<void> {
  const [server = ''] = args.filter((arg) => /^postgres(?:ql)?:/.test(arg))
  const names = args.filter((arg) => arg !== server)
  const all = ATTACKS.map(([name]) => name)
  const unknown = names.find((name) => !all.some((attack) => attack === name))
  if (unknown !== undefined) throw new CliError(`Нет такой атаки: ${unknown}. Есть: ${all.join(', ')}`)
  const folder = mkdtempSync(join(tmpdir(), 'kopilka-hostile-'))
  const database = server === '' ? undefined : await createDatabase(server, `hostile_${process.pid}`)
  const settings = {
    DATA_DIR: folder,
    DATABASE_URL: database?.address ?? '',
    FETCH_ALLOW: '127.0.0.1',
  }
  // Filled without limits, which would take minutes.
  let product = await startProduct(ROOT, { ...settings, RATE_LIMIT: 'off' })
  try {
    const send: Send = async ({ method, path }, body, headers = {}) => {
      const response = await sendOnce(product.port, { method, path: `${API_PREFIX}${path}`, headers, body })
      if (response.status >= 400) throw new Error(`${method} ${path}: ${response.status} ${response.body}`)
      return response.body
    }
    const accounts = Array.from({ length: ATTACKERS + 1 }, (_, at) => ({
      email: `user-${at}@example.org`,
      password: 'a secret of the bench',
      items: 0,
    }))
    for (const account of accounts) await register(send, account)
    const last = accounts.at(-1) ?? { email: '', password: '' }
    const signInAll = () => Promise.all(accounts.map((account) => signIn(product.port, account)))
    const attacks = ATTACKS.filter(([attack]) => names.length === 0 || names.includes(attack))
    const given = await fillAccounts(product.port, { attacks, send, signedIn: await signInAll() })
    await product.stop()
    product = await startProduct(ROOT, { ...settings, RATE_LIMIT: 'on' }, ['--max-old-space-size=512'])
    const rows = [HEADS]
    const usedUntil = Array.from({ length: ATTACKERS }, () => Number.NEGATIVE_INFINITY)
    let next = Number.NEGATIVE_INFINITY
    let [signedIn, signedInAt] = [await signInAll(), performance.now()]
    for (const [name, account] of attacks) {
      const used = usedUntil.flatMap((_, at) => (account === 'all' || account === at ? [at] : []))
      const free = Math.max(next, ...used.map((at) => (usedUntil[at] ?? 0) + WINDOW))
      await sleep(Math.max(0, free - performance.now()))
      next = performance.now() + APART
      if (performance.now() - signedInAt > TOKENS) {
        // An account that has used up its requests could not sign in.
        await sleep(Math.max(0, Math.max(...usedUntil) + WINDOW - performance.now()))
        signedIn = await signInAll()
        signedInAt = performance.now()
      }
      const [user = '', ...authorizations] = signedIn.map(({ authorization = '' }) => authorization)
      const { email, password } = last
      const credentials = { email, password }
      const target = { ...given, name, port: product.port, authorizations, credentials, words: WORDS }
      const row = await attack(product, target, user)
      for (const at of used) usedUntil[at] = performance.now()
      console.error(row.join(' | '))
      rows.push(row)
    }
    console.log(table(rows))
  } finally {
    await product.stop()
    await database?.remove()
    rmSync(folder, { recursive: true })
  }
}

interface Filling {
  readonly attacks: typeof ATTACKS
  readonly send: Send
  /** Headers of the user and then of the attacker's accounts. */
  readonly signedIn: readonly Record<string, string>[]
}

/** Fills those of the attacker's accounts that the attacks use. */
async function fillAccounts(
  port: number,
  { attacks, send, signedIn }: Filling,
): Promise<Pick<Target, 'notes' | 'tag' | 'revision' | 'feed' | 'quotes' | 'picture' | 'links'>> {
  const [, first, second, third, , fifth] = signedIn
  const uses = (at: number) => attacks.some(([, account]) => account === at || account === 'all')
  if (uses(1)) await saveTags(send, { ...second })
  if (uses(2)) await importFile(port, { ...third }, twice(LINKS))
  if (uses(4)) {
    await saveApart(send, { ...fifth })
    await importFile(port, { ...fifth }, apart(LINKS))
    await saveLongLinks(send, { ...fifth }, '"'.repeat(MAX_LENGTH.html))
  }
  return {
    ...(uses(0)
      ? { ...(await saveLongItems(send, { ...first })), picture: await savePicture(port, { ...first }) }
      : { notes: [], tag: '', revision: 0, feed: '', picture: '' }),
    links: uses(2) ? await linksOf(send, { ...third }) : [],
    quotes: uses(4) ? await feedToken(send, { ...fifth }) : '',
  }
}

async function register(send: Send, { email, password }: Account): Promise<void> {
  await send(accountCalls.register, { email, password, first_name: 'Анна', last_name: 'К.' })
}

/** Saves long notes, the first of them twice, and long links, all with one tag. */
async function saveLongItems(
  send: Send,
  headers: Record<string, string>,
): Promise<Pick<Target, 'notes' | 'tag' | 'revision' | 'feed'>> {
  const body = { title: 'Длинная', content: `<p>${LONG}</p>`, tags: ['длинные'] }
  const saved: string[] = []
  let tag = ''
  for (let count = 0; count < LONG_NOTES; count += 1) {
    const { id, tags } = notes.create.response.parse(JSON.parse(await send(notes.create, body, headers)))
    saved.push(id)
    tag = tags[0]?.id ?? ''
  }
  const [first = ''] = saved
  const update = { ...notes.update, path: notes.update.path.replace(':id', first) }
  await send(update, { ...body, content: `<p>Иначе: ${LONG}</p>` }, headers)
  const versions = { ...notes.versions, path: notes.versions.path.replace(':id', first) }
  const { results } = notes.versions.response.parse(JSON.parse(await send(versions, undefined, headers)))
  await saveLongLinks(send, headers, body.content, body.tags)
  return {
    ...{ notes: saved, tag, revision: results[0]?.revision ?? 0 },
    feed: await feedToken(send, headers),
  }
}

async function saveLongLinks(
  send: Send,
  headers: Record<string, string>,
  description: string,
  tags: readonly string[] = [],
): Promise<void> {
  for (let count = 0; count < LONG_LINKS; count += 1) {
    const url = `https://example.org/${count}`
    await send(links.create, { url, title: 'Длинная', description, tags }, headers)
  }
}

async function feedToken(send: Send, headers: Record<string, string>): Promise<string> {
  const created = await send(tokens.create, { name: 'x', scope: 'feed' }, headers)
  return tokens.create.response.parse(JSON.parse(created)).token
}

/** Resolves to the address of a picture. */
async function savePicture(port: number, headers: Record<string, string>): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}${API_PREFIX}${files.create.path}`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'image/png' },
    body: new Uint8Array(pictureOf(9_000_000, 0)),
  })
  return files.create.response.parse(await response.json()).url
}

/** Links, each twice. */
const twice = (count: number): string =>
  Array.from({ length: count }, (_, at) => `https://example.org/page-${at >> 1}`).join('\n')

/** Links that have one of the {@link WORDS} each, as Pinboard exports them. */
const apart = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, (_, at) => ({
      ...{ href: `https://example.org/word-${at}`, description: WORDS[at % WORDS.length] },
      ...{ extended: '', tags: '', time: '' },
    })),
  )

/** Saves long notes that have one of the {@link WORDS} each. */
async function saveApart(send: Send, headers: Record<string, string>): Promise<void> {
  for (let at = 0; at < LONG_NOTES; at += 1)
    await send(notes.create, { title: WORDS[at % WORDS.length], content: `<p>${LONG}</p>` }, headers)
}

async function importFile(port: number, headers: Record<string, string>, file: string): Promise<void> {
  const api = `http://127.0.0.1:${port}${API_PREFIX}`
  const ask = async (method: string, path: string, body: string | undefined, type: string) => {
    const response = await fetch(`${api}${path}`, {
      method,
      headers: { ...headers, ...(body !== undefined && { 'content-type': type }) },
      ...(body !== undefined && { body }),
    })
    return imports.read.response.parse(await response.json())
  }
  const { id } = await ask('POST', imports.create.path, file, 'application/octet-stream')
  const until = async (state: string) => {
    for (;;) {
      const found = await ask('GET', imports.read.path.replace(':id', id), undefined, '')
      if (found.state === state) return
      if (found.error !== undefined) throw new Error(found.error)
      await sleep(200)
    }
  }
  await until('ready')
  await ask('POST', imports.run.path.replace(':id', id), '{"duplicates":"add"}', 'application/json')
  await until('done')
}

/** The ids of the newest links, as many as a page of the change feed has. */
async function linksOf(send: Send, headers: Record<string, string>): Promise<readonly string[]> {
  const { follow } = changes
  const call = { ...follow, path: `${follow.path}?limit=${MAX_CHANGES}` }
  const { urllinks } = follow.response.parse(JSON.parse(await send(call, undefined, headers)))
  return urllinks.map(({ id }) => id)
}

async function saveTags(send: Send, headers: Record<string, string>): Promise<void> {
  for (let from = 0; from < TAGS; from += MAX_TAGS_PER_ITEM) {
    const tags = Array.from({ length: MAX_TAGS_PER_ITEM }, (_, at) => `Категория ${from + at}`)
    const url = `https://example.org/tags-${from}`
    await send(links.create, { url, title: 'Много', description: 'тегов', tags }, headers)
  }
}

const HEADS: readonly string[] = [
  'attack',
  'slowest 1 % ms',
  'slowest ms',
  'slowest save ms',
  'slowest search ms',
  'not 200',
  'RSS before MB',
  'highest',
  's until back',
  'responses',
]

async function attack(
  { port, pid }: RunningServer,
  target: Target,
  user: string,
): Promise<readonly string[]> {
  const latencies: number[] = []
  const saves: number[] = []
  const searches: number[] = []
  const unanswered = new Set<(status: number) => void>()
  const responses = new Map<string, number>()
  let failed = 0
  const before = memory(pid)
  let highest = before
  const agent = new Agent({ keepAlive: true })

  const ask = (path: string, times: number[], body?: object) => {
    const begun = performance.now()
    const settle = (status: number) => {
      if (!unanswered.delete(settle)) return
      times.push(performance.now() - begun)
      if (status !== 200 && status !== 201) failed += 1
    }
    unanswered.add(settle)
    const headers = { authorization: user, ...(body && { 'content-type': 'application/json' }) }
    const method = body ? 'POST' : 'GET'
    request({ host: '127.0.0.1', port, agent, path, method, headers }, (response) => {
      response.resume().on('end', () => settle(response.statusCode ?? 0))
    })
      .on('error', () => settle(0))
      .end(body && JSON.stringify(body))
  }
  const timer = setInterval(() => {
    highest = Math.max(highest, memory(pid))
    ask(`${API_PREFIX}${latest.path}`, latencies)
    ask('/healthz', latencies)
  }, INTERVAL)
  const saving = setInterval(() => {
    ask(`${API_PREFIX}${notes.create.path}`, saves, { title: 'Своя', content: 'Текст' })
    ask(`${API_PREFIX}${search.path}?search=${encodeURIComponent('свой текст')}`, searches)
  }, SAVE_INTERVAL)
  const thread = new Worker(new URL('attacks.ts', import.meta.url), { workerData: target })
  thread.on('message', (status: string) => responses.set(status, (responses.get(status) ?? 0) + 1))
  thread.on('error', (error) => console.error(error))
  await sleep(LENGTH)
  await thread.terminate()
  clearInterval(timer)
  clearInterval(saving)
  await sleep(REST)
  // A process that has ended has no memory to come back to.
  if (Number.isNaN(memory(pid))) throw new Error(`The server ended during the attack '${target.name}'.`)
  let rest = REST
  for (; memory(pid) > before + BACK && rest < LONGEST_REST; rest += 1_000) await sleep(1_000)
  // What has no response by now has waited for all of it.
  for (const settle of [...unanswered]) settle(0)
  agent.destroy()

  const sorted = latencies.toSorted((one, other) => one - other)
  const whole = (value: number | undefined) => String(Math.round(value ?? Number.NaN))
  return [
    target.name,
    whole(sorted[Math.floor(sorted.length * 0.99)]),
    whole(sorted.at(-1)),
    whole(Math.max(...saves)),
    whole(Math.max(...searches)),
    String(failed),
    whole(before),
    whole(highest),
    rest < LONGEST_REST ? whole(rest / 1_000) : `not (${whole(memory(pid))} MB)`,
    [...responses].map(([status, times]) => `${times} × ${status}`).join(', '),
  ]
}
