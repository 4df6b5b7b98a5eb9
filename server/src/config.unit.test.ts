import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig, SETTINGS, settingsWarning } from './config.ts'

const SMTP = 'адрес вида smtp://имя:пароль@хост:587 или smtps://имя:пароль@хост:465'
const POSITIVE = 'целое число от 1 до 1000000000'
const SIZE = 'число байт больше нуля, например 500MB или 5GB'
const RANGES = 'список IP-адресов и подсетей через запятую, например 127.0.0.1,10.0.0.0/8'

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: resolve('data'),
      DATABASE_URL: '',
      PUBLIC_URL: 'http://localhost:3000',
      SMTP_URL: '',
      MAIL_FROM: '',
      SUPPORT_EMAIL: 'support@example.org',
      REGISTRATION: 'open',
      ITEMS_PER_USER: 1_000_000,
      TAGS_PER_USER: 10_000,
      TEXT_PER_USER: 5_000_000_000,
      HISTORY_PER_USER: 20_000_000_000,
      IMPORT_LIMIT: 200_000_000,
      FILE_LIMIT: 10_000_000,
      FILES_PER_USER: 1_000_000_000,
      TRASH_DAYS: 30,
      RATE_LIMIT: 'on',
      FETCH_ALLOW: [],
      TRUST_PROXY: [],
      LOG_LEVEL: 'info',
    })
    expect(readConfig({ PORT: '', HOST: ' ' })).toEqual(readConfig({}))
  })

  it.each([
    ['PORT', '70000', 'целое число от 0 до 65535'],
    ['PORT', 'http', 'целое число от 0 до 65535'],
    ['PORT', '-1', 'целое число от 0 до 65535'],
    ['HOST', 'http://localhost', 'имя или IP-адрес этой машины'],
    ['DATA_DIR', 'a\0b', 'путь к папке, в которую можно писать'],
    ['DATABASE_URL', 'mysql://localhost/kopilka', 'адрес вида postgres://имя:пароль@хост:5432/база'],
    ['DATABASE_URL', 'kopilka.sqlite', 'адрес вида postgres://имя:пароль@хост:5432/база'],
    ['PUBLIC_URL', 'kopilka.example.org', 'адрес вида https://kopilka.example.org'],
    ['PUBLIC_URL', 'ftp://example.org', 'адрес вида https://kopilka.example.org'],
    ['PUBLIC_URL', 'https://example.org/kopilka', 'адрес вида https://kopilka.example.org'],
    ['PUBLIC_URL', 'https://example.org/#a', 'адрес вида https://kopilka.example.org'],
    ['SMTP_URL', 'mail.example.org', SMTP],
    ['SMTP_URL', 'http://mail.example.org', SMTP],
    ['SMTP_URL', 'smtp://', SMTP],
    ['MAIL_FROM', 'Копилка', 'адрес вида name@example.org или Имя <name@example.org>'],
    ['MAIL_FROM', 'a@example.org, b@example.org', 'адрес вида name@example.org или Имя <name@example.org>'],
    ['SUPPORT_EMAIL', 'support', 'адрес электронной почты'],
    ['REGISTRATION', 'no', 'open или closed'],
    ['ITEMS_PER_USER', '0', POSITIVE],
    ['ITEMS_PER_USER', '1e6', POSITIVE],
    ['TAGS_PER_USER', '-5', POSITIVE],
    ['TEXT_PER_USER', '0GB', SIZE],
    ['TEXT_PER_USER', '5 gigabytes', SIZE],
    ['TEXT_PER_USER', '999999999999TB', SIZE],
    ['TRASH_DAYS', '-1', 'целое число от 0 до 36500'],
    ['TRASH_DAYS', '40000', 'целое число от 0 до 36500'],
    ['RATE_LIMIT', 'yes', 'on или off'],
    ['FETCH_ALLOW', 'intranet.example.org', RANGES],
    ['FETCH_ALLOW', '10.0.0.0/8,', RANGES],
    ['FETCH_ALLOW', '0.0.0.0/0', RANGES],
    ['FETCH_ALLOW', 'fe80::1%lo', RANGES],
    ['TRUST_PROXY', 'loopback', RANGES],
    ['LOG_LEVEL', 'loud', 'один из уровней: fatal, error, warn, info, debug, trace, silent'],
  ])('refuses %s=%s in one line with the name, the value and what it should be', (name, value, expected) => {
    const attempt = () => readConfig({ [name]: value })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(
      new ConfigError(`Неверная настройка ${name}=${JSON.stringify(value)}: ожидается ${expected}.`),
    )
  })

  it('describes each setting', () => {
    expect(Object.values<{ expected: string }>(SETTINGS).map(({ expected }) => expected)).toEqual([
      'целое число от 0 до 65535',
      'имя или IP-адрес этой машины',
      'путь к папке, в которую можно писать',
      'адрес вида postgres://имя:пароль@хост:5432/база',
      'адрес вида https://kopilka.example.org',
      SMTP,
      'адрес вида name@example.org или Имя <name@example.org>',
      'адрес электронной почты',
      'open или closed',
      POSITIVE,
      POSITIVE,
      SIZE,
      'число байт больше нуля, например 500MB или 50GB',
      'число байт больше нуля, например 50MB или 1GB',
      'число байт больше нуля, например 5MB или 50MB',
      SIZE,
      'целое число от 0 до 36500',
      'on или off',
      RANGES,
      RANGES,
      'один из уровней: fatal, error, warn, info, debug, trace, silent',
    ])
  })

  it.each([
    'mysql://kopilka:канарейка@db.example.org/kopilka',
    'postgres//kopilka:канарейка@db.example.org',
    'kopilka:кан@рейка@db.example.org',
    'postgres:kopilka?password=канарейка',
    'host=db password=канарейка user=kopilka',
  ])('never shows a password: DATABASE_URL=%s', (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(
      /^(?!.*рейка).*DATABASE_URL="[^"]*": ожидается адрес/,
    )
  })

  it.each(['postgres://localhost/kopilka', 'postgresql://kopilka:x%40y@db:6543/kopilka?sslmode=verify-full'])(
    'takes DATABASE_URL=%s',
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
    },
  )

  it.each([
    ['500', 500],
    ['2 kb', 2000],
    ['500MB', 500_000_000],
  ])('reads %s as so many bytes', (text, bytes) => {
    expect(readConfig({ TEXT_PER_USER: text }).TEXT_PER_USER).toBe(bytes)
  })

  it('opens in the browser where it listens, unless it is told otherwise', () => {
    expect(readConfig({ PORT: '8080' }).PUBLIC_URL).toBe('http://localhost:8080')
    expect(readConfig({ PUBLIC_URL: 'https://example.org/' }).PUBLIC_URL).toBe('https://example.org')
  })

  it.each(['user:secret@mail.example.org', 'http://user:se@cret@mail.example.org', 'smtp//user:secret@host'])(
    'never repeats the password in SMTP_URL=%s',
    (value) => {
      const attempt = () => readConfig({ SMTP_URL: value })
      expect(attempt).toThrow(/^Неверная настройка SMTP_URL="[^"]*…@[^"]*": ожидается [^\n]+$/)
      expect(attempt).not.toThrow(/cret/)
    },
  )
})

describe('settingsWarning', () => {
  it.each([{}, { TEXT_PER_USER: '1GB', HISTORY_PER_USER: '3GB' }])(
    'says nothing where the history has room for a change of all texts: %o',
    (settings) => {
      expect(settingsWarning(readConfig(settings))).toBeUndefined()
    },
  )

  it('warns in one line with the name, the value and what it should be', () => {
    expect(settingsWarning(readConfig({ TEXT_PER_USER: '1GB', HISTORY_PER_USER: '2999MB' }))).toBe(
      'Настройка HISTORY_PER_USER=2999000000 мала: ожидается не меньше трёх TEXT_PER_USER, то есть 3000000000, иначе большое изменение, например удаление всех записей, может быть нельзя отменить.',
    )
  })
})
