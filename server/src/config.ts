import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { resolve } from 'node:path'
import process from 'node:process'
import { email } from '@kopilka/contract/fields.ts'

/** A setting whose value cannot be used; `message` is one line for the person who starts the server. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

interface Setting<T> {
  /** Default in the notation of `.env`; `{PORT}` stands for the value of a setting above it. Empty: none. */
  readonly default: string
  /** The meaning, for docs/settings.md and .env.example. */
  readonly ru: string
  readonly en: string
  /** Describes a valid value, in the nominative: the error message says «ожидается …». */
  readonly expected: string
  /** Parses a text; undefined if it is invalid. */
  readonly parse: (text: string) => T | undefined
  /** Removes secrets from a value before it is shown; absent: values have none. */
  readonly shown?: (text: string) => string
}

const setting = <T>(shape: Setting<T>): Setting<T> => shape

const oneOf =
  <const T extends string>(...choices: readonly T[]) =>
  (text: string): T | undefined =>
    choices.find((choice) => choice === text)

/** Whether the text is an IP address or a network such as `10.0.0.0/8`. `/0` is refused: it would trust every client. */
function isAddressRange(text: string): boolean {
  const [address = '', prefix, ...more] = text.split('/')
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0
  if (bits === 0 || address.includes('%') || more.length > 0) return false
  return prefix === undefined || (/^[1-9]\d{0,2}$/.test(prefix) && Number(prefix) <= bits)
}

const ADDRESS_RANGES = 'список IP-адресов и подсетей через запятую, например 127.0.0.1,10.0.0.0/8'

function addressRanges(text: string): string[] | undefined {
  const ranges = text.split(',').map((range) => range.trim())
  if (text === '') return []
  return ranges.every(isAddressRange) ? ranges : undefined
}

const POSITIVE = 'целое число от 1 до 1000000000'
const positive = (text: string): number | undefined =>
  /^[1-9]\d{0,9}$/.test(text) && Number(text) <= 1_000_000_000 ? Number(text) : undefined

const UNITS = { '': 1, KB: 1e3, MB: 1e6, GB: 1e9, TB: 1e12 }

/** Bytes: `5000000000`, `5GB`. */
function byteSize(text: string): number | undefined {
  const [, digits = '', unit = ''] = /^(\d{1,15}) ?([KMGT]B)?$/i.exec(text) ?? []
  const bytes = Number(digits) * UNITS[unit.toUpperCase() as keyof typeof UNITS]
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

/** Removes what may be a password from a URL, even a malformed one. */
const withoutPassword = (text: string): string =>
  text.replace(/^([a-z]*:?\/*).*@/is, '$1…@').replace(/(pass\w*=)[^&\s]*/gi, '$1…')

/** `name@example.org`, or `Name <name@example.org>`. */
const SENDER = /^(?:[^<>\r\n]*<[^\s@<>]+@[^\s@<>]+>|[^\s@<>,;]+@[^\s@<>,;]+)$/

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** All settings. docs/settings.md and .env.example are generated from this table. */
export const SETTINGS = {
  PORT: setting({
    default: '3000',
    ru: 'Порт, на котором сервер принимает соединения',
    en: 'Port the server listens on',
    expected: 'целое число от 0 до 65535',
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 65_535 ? Number(text) : undefined),
  }),
  HOST: setting({
    default: '127.0.0.1',
    ru: 'Адрес, на котором сервер принимает соединения; 0.0.0.0 — со всех машин',
    en: 'Address the server listens on; 0.0.0.0 accepts connections from every machine',
    expected: 'имя или IP-адрес этой машины',
    parse: (text) => (/^[\w.:-]+$/.test(text) ? text : undefined),
  }),
  DATA_DIR: setting({
    default: './data',
    ru: 'Папка для всех данных: здесь лежит файл SQLite',
    en: 'Folder for all data: the SQLite file lives here',
    expected: 'путь к папке, в которую можно писать',
    parse: (text) => (text.includes('\0') ? undefined : resolve(text)),
  }),
  DATABASE_URL: setting({
    default: '',
    ru: 'Адрес PostgreSQL 15 или новее; пусто — SQLite в DATA_DIR',
    en: 'Address of a PostgreSQL 15 or newer; empty: SQLite in DATA_DIR',
    expected: 'адрес вида postgres://имя:пароль@хост:5432/база',
    parse: (text) =>
      text === '' || (/^postgres(?:ql)?:\/\//.test(text) && URL.canParse(text)) ? text : undefined,
    shown: withoutPassword,
  }),
  PUBLIC_URL: setting({
    default: 'http://localhost:{PORT}',
    ru: 'Адрес, по которому Копилку открывают в браузере: он стоит в ссылках писем',
    en: 'Address people open in the browser: links in emails begin with it',
    expected: 'адрес вида https://kopilka.example.org',
    parse: (text) => {
      const url = URL.parse(text)
      return url && /^https?:$/.test(url.protocol) && url.href === `${url.origin}/` ? url.origin : undefined
    },
    shown: withoutPassword,
  }),
  SMTP_URL: setting({
    default: '',
    ru: 'Почтовый сервер; пусто — письма становятся файлами .eml в DATA_DIR/outbox',
    en: 'Mail server; empty: emails become .eml files in DATA_DIR/outbox',
    expected: 'адрес вида smtp://имя:пароль@хост:587 или smtps://имя:пароль@хост:465',
    parse: (text) =>
      text === '' || (/^smtps?:\/\//i.test(text) && URL.parse(text)?.hostname) ? text : undefined,
    shown: withoutPassword,
  }),
  MAIL_FROM: setting({
    default: '',
    ru: 'От кого письма; пусто — Копилка, no-reply@ и имя машины из PUBLIC_URL',
    en: 'Sender of emails; empty: Копилка, no-reply@ and the host of PUBLIC_URL',
    expected: 'адрес вида name@example.org или Имя <name@example.org>',
    parse: (text) => (text === '' || SENDER.test(text) ? text : undefined),
  }),
  SUPPORT_EMAIL: setting({
    default: 'support@example.org',
    ru: 'Адрес для вопросов: он стоит на странице о конфиденциальности',
    en: 'Address for questions: it stands on the privacy page',
    expected: 'адрес электронной почты',
    parse: (text) => (email.safeParse(text).success ? text : undefined),
  }),
  REGISTRATION: setting({
    default: 'open',
    ru: 'closed закрывает регистрацию новых пользователей',
    en: 'closed stops new users from registering',
    expected: 'open или closed',
    parse: oneOf('open', 'closed'),
  }),
  ITEMS_PER_USER: setting({
    default: '1000000',
    ru: 'Сколько заметок и ссылок может хранить один пользователь',
    en: 'Notes and links that one user may keep',
    expected: POSITIVE,
    parse: positive,
  }),
  TAGS_PER_USER: setting({
    default: '10000',
    ru: 'Сколько категорий может хранить один пользователь',
    en: 'Tags that one user may keep',
    expected: POSITIVE,
    parse: positive,
  }),
  TEXT_PER_USER: setting({
    default: '5GB',
    ru: 'Сколько текста может хранить один пользователь: байты или, например, 500MB; 1GB — миллиард байт; корзина и прежние версии не в счёт: их ограничивает HISTORY_PER_USER',
    en: 'Text that one user may keep: bytes or, for example, 500MB; 1GB is a thousand million bytes; the trash and earlier versions do not count: HISTORY_PER_USER limits them',
    expected: 'число байт больше нуля, например 500MB или 5GB',
    parse: byteSize,
  }),
  HISTORY_PER_USER: setting({
    default: '20GB',
    ru: 'Сколько места занимают корзина одного пользователя, прежние версии его записей и то, что он может отменить: байты или, например, 500MB; чего больше, то уходит раньше срока, начиная со старейшего: сначала версии и отмены, последней корзина; нужно не меньше трёх TEXT_PER_USER, иначе большое изменение может быть нельзя отменить',
    en: 'Room for the trash of one user, the earlier versions of his items and what he can undo: bytes or, for example, 500MB; what is more goes before its time, the oldest first: versions and undos, then the trash; it takes three times TEXT_PER_USER, or a large change may not be undoable',
    expected: 'число байт больше нуля, например 500MB или 50GB',
    parse: byteSize,
  }),
  IMPORT_LIMIT: setting({
    default: '200MB',
    ru: 'Самый большой файл для импорта: байты или, например, 200MB; на диске сервера он лежит, пока читается',
    en: 'The largest file to import: bytes or, for example, 200MB; it is on the disk of the server while it is being read',
    expected: 'число байт больше нуля, например 50MB или 1GB',
    parse: byteSize,
  }),
  FILE_LIMIT: setting({
    default: '10MB',
    ru: 'Самая большая картинка: байты или, например, 10MB',
    en: 'The largest picture: bytes or, for example, 10MB',
    expected: 'число байт больше нуля, например 5MB или 50MB',
    parse: byteSize,
  }),
  FILES_PER_USER: setting({
    default: '1GB',
    ru: 'Сколько места занимают картинки одного пользователя: байты или, например, 500MB',
    en: 'Room for the pictures of one user: bytes or, for example, 500MB',
    expected: 'число байт больше нуля, например 500MB или 5GB',
    parse: byteSize,
  }),
  TRASH_DAYS: setting({
    default: '30',
    ru: 'Через сколько дней удалённые записи уходят из корзины навсегда; 0 — никогда',
    en: 'Days after which deleted items leave the trash for ever; 0: never',
    expected: 'целое число от 0 до 36500',
    parse: (text) => (/^\d{1,5}$/.test(text) && Number(text) <= 36_500 ? Number(text) : undefined),
  }),
  RATE_LIMIT: setting({
    default: 'on',
    ru: 'off снимает ограничения частоты запросов — только для замеров под нагрузкой',
    en: 'off lifts the limits on how often one may ask: for load tests only',
    expected: 'on или off',
    parse: oneOf('on', 'off'),
  }),
  FETCH_ALLOW: setting({
    default: '',
    ru: 'Адреса не из открытого интернета, страницы которых можно читать для ссылок, на любом порту; пусто — никаких',
    en: 'Addresses outside the open internet whose pages may be read for links, on any port; empty: none',
    expected: ADDRESS_RANGES,
    parse: addressRanges,
  }),
  TRUST_PROXY: setting({
    default: '',
    ru: 'Прокси, которым сервер верит, кто и как к ним пришёл (X-Forwarded-For, X-Forwarded-Proto), и которым можно больше 300 соединений; пусто — никому',
    en: 'Proxies believed about who came to them and how (X-Forwarded-For, X-Forwarded-Proto), which may have more than 300 connections; empty: none',
    expected: ADDRESS_RANGES,
    parse: addressRanges,
  }),
  LOG_LEVEL: setting({
    default: 'info',
    ru: 'Что писать в журнал (строки JSON в стандартный вывод)',
    en: 'What to log (JSON lines on standard output)',
    expected: `один из уровней: ${LOG_LEVELS.join(', ')}`,
    parse: oneOf(...LOG_LEVELS),
  }),
} as const

type Parsed = {
  readonly [S in keyof typeof SETTINGS]: NonNullable<ReturnType<(typeof SETTINGS)[S]['parse']>>
}

/** All settings, parsed. */
export type Config = Parsed

/** Parses all settings in `environment`; throws {@link ConfigError} for the first invalid one. An empty value means the default. */
export function readConfig(environment: Readonly<Record<string, string | undefined>>): Config {
  const texts = new Map<string, string>()
  const entries = Object.entries<Setting<unknown>>(SETTINGS).map(
    ([name, { default: fallback, expected, parse, shown = String }]) => {
      const text =
        environment[name]?.trim() || fallback.replace(/\{(\w+)\}/g, (_, other) => texts.get(other) ?? '')
      texts.set(name, text)
      const value = parse(text)
      if (value === undefined) {
        throw new ConfigError(
          `Неверная настройка ${name}=${JSON.stringify(shown(text))}: ожидается ${expected}.`,
        )
      }
      return [name, value]
    },
  )
  return Object.fromEntries(entries) as Config
}

/** Times {@link SETTINGS.TEXT_PER_USER} that one change may keep to be undone: with each text its index document, and the rest of the item. */
const HISTORY_PER_TEXT = 3

/** Warning for the administrator if settings do not fit together. */
export function settingsWarning({
  TEXT_PER_USER,
  HISTORY_PER_USER,
}: Pick<Config, 'TEXT_PER_USER' | 'HISTORY_PER_USER'>): string | undefined {
  const least = HISTORY_PER_TEXT * TEXT_PER_USER
  if (HISTORY_PER_USER >= least) return undefined
  return `Настройка HISTORY_PER_USER=${HISTORY_PER_USER} мала: ожидается не меньше трёх TEXT_PER_USER, то есть ${least}, иначе большое изменение, например удаление всех записей, может быть нельзя отменить.`
}

/** The settings of this process: its environment, then a `.env` file in the working folder. */
export function loadConfig(): Config {
  if (existsSync('.env')) process.loadEnvFile('.env')
  return readConfig(process.env)
}
