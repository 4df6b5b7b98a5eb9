import { basename, dirname } from 'node:path/posix'
import { lineAt, type Sources } from './sources.ts'
import { isTest } from './test-files.mjs'

interface Rule {
  /** What to do instead, said to whoever broke the rule. */
  readonly advice: string
  /** Files the rule speaks of. */
  readonly in: (path: string) => boolean
  readonly forbidden: RegExp
}

const isServerRoom = (path: string): boolean =>
  path.startsWith('server/src/') && !path.startsWith('server/src/testing/') && !isTest(path)

/** The ways out of the server: to pages that users name, and to the mail server of the settings. */
const WAYS_OUT = ['server/src/metadata/connection.ts', 'server/src/jobs/mail/smtp.ts']
/** What of Node's network modules connects nobody. */
const HARMLESS = String.raw`(?:type \w+|BlockList|isIP(?:v[46])?|METHODS|STATUS_CODES)(?: as \w+)?`

const RULES: readonly Rule[] = [
  {
    advice:
      'Only server/src/config.ts reads the environment: add a setting there and take it from the config.',
    in: (path) => isServerRoom(path) && path !== 'server/src/config.ts',
    forbidden: /\bprocess\.env\b/g,
  },
  {
    advice: 'The clock is an argument: take a Clock, so that tests can set the time.',
    in: (path) => isServerRoom(path) && path !== 'server/src/main.ts',
    forbidden: /\bDate\.now\(|\bnew Date\(\)/g,
  },
  {
    advice: 'Use transact of db/transact.ts: it does the work again where another transaction is in the way.',
    in: (path) => isServerRoom(path) && !path.startsWith('server/src/db/'),
    forbidden: /\.transaction\(\)/g,
  },
  {
    advice: `Only ${WAYS_OUT.join(' and ')} connect to other machines: a second way is one that nobody checks.`,
    in: (path) => isServerRoom(path) && !WAYS_OUT.includes(path),
    forbidden: new RegExp(
      [
        String.raw`^import (?!type )(?!\{\s*(?:${HARMLESS},?\s*)+\})[^']*'(?:node:)?(?:net|tls|https?|http2|dgram|dns)(?:/\w+)?'`,
        `^import (?!type )[^']*'(?:undici|nodemailer)'`,
        String.raw`\bimport\('(?:node:)?(?:net|tls|https?|http2|dgram|dns|undici|nodemailer)[/']`,
        String.raw`\bfetch\(|\bnew (?:WebSocket|EventSource)\(`,
      ].join('|'),
      'gm',
    ),
  },
  {
    advice:
      'Name the columns: while a newer server adds one, PostgreSQL refuses a prepared "select *" of an older one.',
    in: isServerRoom,
    forbidden: /\.(?:select|returning)All\(\)/g,
  },
  {
    advice: 'Export by name: a name that stays the same is found by searching.',
    in: (path) => /^(?:contract|server|web)\/src\//.test(path),
    forbidden: /^export default\b/gm,
  },
  {
    advice: 'Say the type, or use unknown and look: any switches the checks off without a word.',
    in: (path) => /\.tsx?$/.test(path),
    forbidden: /\bas any\b|: any\b|<any>|@ts-ignore|@ts-nocheck/g,
  },
]

const EMPTY_NAMES = new Set(['util', 'utils', 'helper', 'helpers', 'misc', 'common', 'manager', 'service'])
const KEBAB_CASE = /^[a-z0-9]+(?:-[a-z0-9]+)*(?:\.[a-z0-9]+)*$/

/** One sentence for each broken rule: where it is, and what to do. */
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
