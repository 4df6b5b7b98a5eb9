import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

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
      RATE_LIMIT: 'on',
      FETCH_ALLOW: [],
      TRUST_PROXY: [],
      LOG_LEVEL: 'info',
    })
    expect(readConfig({ PORT: '', HOST: ' ' })).toEqual(readConfig({}))
  })

  it.each([
    ['PORT', '70000'],
    ['PORT', 'http'],
    ['PORT', '-1'],
    ['HOST', 'http://localhost'],
    ['PUBLIC_URL', 'kopilka.example.org'],
    ['PUBLIC_URL', 'ftp://example.org'],
    ['PUBLIC_URL', 'https://example.org/kopilka'],
    ['PUBLIC_URL', 'https://example.org/#a'],
    ['SMTP_URL', 'mail.example.org'],
    ['SMTP_URL', 'http://mail.example.org'],
    ['SMTP_URL', 'smtp://'],
    ['MAIL_FROM', 'Копилка'],
    ['MAIL_FROM', 'a@example.org, b@example.org'],
    ['DATABASE_URL', 'mysql://localhost/kopilka'],
    ['DATABASE_URL', 'kopilka.sqlite'],
    ['SUPPORT_EMAIL', 'support'],
    ['REGISTRATION', 'no'],
    ['RATE_LIMIT', 'yes'],
    ['FETCH_ALLOW', 'intranet.example.org'],
    ['FETCH_ALLOW', '10.0.0.0/8,'],
    ['FETCH_ALLOW', '0.0.0.0/0'],
    ['FETCH_ALLOW', 'fe80::1%lo'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line with the name, the value and what it should be', (name, value) => {
    const attempt = () => readConfig({ [name]: value })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(new RegExp(`^Неверная настройка ${name}="${value}": нужно [^\\n]+\\.$`))
  })

  it.each([
    'mysql://kopilka:канарейка@db.example.org/kopilka',
    'postgres//kopilka:канарейка@db.example.org',
    'kopilka:кан@рейка@db.example.org',
    'postgres:kopilka?password=канарейка',
    'host=db password=канарейка user=kopilka',
  ])('never shows a password: DATABASE_URL=%s', (url) => {
    expect(() => readConfig({ DATABASE_URL: url })).toThrow(/^(?!.*рейка).*DATABASE_URL="[^"]*": нужно адрес/)
  })

  it.each(['postgres://localhost/kopilka', 'postgresql://kopilka:x%40y@db:6543/kopilka?sslmode=verify-full'])(
    'takes DATABASE_URL=%s',
    (url) => {
      expect(readConfig({ DATABASE_URL: url }).DATABASE_URL).toBe(url)
    },
  )

  it('opens in the browser where it listens, unless it is told otherwise', () => {
    expect(readConfig({ PORT: '8080' }).PUBLIC_URL).toBe('http://localhost:8080')
    expect(readConfig({ PUBLIC_URL: 'https://example.org/' }).PUBLIC_URL).toBe('https://example.org')
  })

  it.each(['user:secret@mail.example.org', 'http://user:se@cret@mail.example.org', 'smtp//user:secret@host'])(
    'never repeats the password in SMTP_URL=%s',
    (value) => {
      const attempt = () => readConfig({ SMTP_URL: value })
      expect(attempt).toThrow(/^Неверная настройка SMTP_URL="[^"]*…@[^"]*": нужно [^\n]+$/)
      expect(attempt).not.toThrow(/cret/)
    },
  )
})
