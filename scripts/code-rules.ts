import { basename, dirname } from 'node:path/posix'
import { lineAt, type Sources } from './sources.ts'
import { isTest } from './test-files.mjs'

interface Rule {
  /** What to do instead. */
  readonly advice: string
  /** Files that the rule applies to. */
  readonly in: (path: string) => boolean
  readonly forbidden: RegExp
}

const isServerCode = (path: string): boolean =>
  path.startsWith('server/src/') && !path.startsWith('server/src/testing/') && !isTest(path)

/** The files that open connections: to pages that users name, and to the mail server of the settings. */
const NETWORK_FILES = ['server/src/metadata/connection.ts', 'server/src/jobs/mail/mailer.ts']
/** Exports of Node's network modules that open no connection. */
const HARMLESS = String.raw`(?:type \w+|BlockList|isIP(?:v[46])?|createServer|STATUS_CODES)(?: as \w+)?`

/** Jobs, and what later requests need as well: their work goes on for no client. */
const FOR_NO_CLIENT = ['imports/read-job.ts', 'imports/run-job.ts', 'items/same-links.ts'].map(
  (path) => `server/src/${path}`,
)

const RULES: readonly Rule[] = [
  {
    advice: 'Give the task the signal of the request, so that it ends when nobody waits for it any more.',
    in: (path) => isServerCode(path) && !FOR_NO_CLIENT.includes(path),
    forbidden: /\bpool\.run\b[^(;]*\((?:[^(){}]|\{[^{}]*\}(?!,?\s*\)))*\{ owner_id(?:: [\w.]+)? \},?\s*\)/g,
  },
  {
    advice:
      'Only server/src/config.ts reads the environment: add a setting there and take it from the config.',
    in: (path) => isServerCode(path) && path !== 'server/src/config.ts',
    forbidden: /\bprocess\.env\b/g,
  },
  {
    advice: 'The clock is an argument: take a Clock, so that tests can set the time.',
    in: (path) => isServerCode(path) && path !== 'server/src/main.ts',
    forbidden: /\bDate\.now\(|\bnew Date\(\)/g,
  },
  {
    advice: 'Declare a command and run it with db.write: it retries where another transaction is in the way.',
    in: (path) => isServerCode(path) && !path.startsWith('server/src/db/'),
    forbidden: /\.transaction\(\)/g,
  },
  {
    advice: `Only ${NETWORK_FILES.join(' and ')} connect to other machines: elsewhere nobody checks the address.`,
    in: (path) => isServerCode(path) && !NETWORK_FILES.includes(path),
    forbidden: new RegExp(
      [
        String.raw`^import (?!type )(?!\{\s*(?:${HARMLESS},?\s*)+\})[^']*'(?:node:)?(?:net|tls|https?|http2|dgram|dns)(?:/\w+)?'`,
        `^import (?!type )[^']*'(?:undici|nodemailer)'`,
        String.raw`\bimport\('(?:node:)?(?:net|tls|https?|http2|dgram|dns|undici)[/']|\bimport\('nodemailer'`,
        String.raw`\bfetch\(|\bnew (?:WebSocket|EventSource)\(`,
      ].join('|'),
      'gm',
    ),
  },
  {
    advice:
      'Name the columns: while a newer server adds one, PostgreSQL refuses a prepared "select *" of an older one.',
    in: isServerCode,
    forbidden: /\.(?:select|returning)All\(\)/g,
  },
  {
    advice: 'Export by name: a name that stays the same is found by searching.',
    in: (path) => /^(?:contract|server|web)\/src\//.test(path),
    forbidden: /^export default\b/gm,
  },
  {
    advice: 'Say the type, or use unknown and check: any switches type checks off silently.',
    in: (path) => /\.tsx?$/.test(path),
    forbidden: /\bas any\b|: any\b|<any>|@ts-ignore|@ts-nocheck/g,
  },
]

const EMPTY_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'misc', 'common', 'manager', 'service'])
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/

/** A message for each broken rule: where, and what to do. */
export function brokenRules(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => [
    ...badNames(path),
    ...RULES.filter((rule) => rule.in(path)).flatMap(({ forbidden, advice }) =>
      [...text.matchAll(forbidden)].map(
        (match) => `${path}:${lineAt(text, match.index)} ${match[0]}. ${advice}`,
      ),
    ),
  ])
}

function badNames(path: string): string[] {
  const parts = [...dirname(path).split('/'), basename(path)]
  return parts.flatMap((part) => {
    if (!KEBAB_CASE.test(part)) return [`${path} Names are kebab-case: rename '${part}'.`]
    const [lastWord = ''] = /[^-]*$/.exec(part.replace(/\..*$/, '')) ?? []
    return EMPTY_NAMES.has(lastWord)
      ? [`${path} '${part}' says nothing about what is inside: name it after what it holds.`]
      : []
  })
}
