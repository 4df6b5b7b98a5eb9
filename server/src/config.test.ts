import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ConfigError, readConfig } from './config.ts'

describe('readConfig', () => {
  it('has a default for everything', () => {
    expect(readConfig({})).toEqual({
      PORT: 3000,
      HOST: '127.0.0.1',
      DATA_DIR: resolve('data'),
      SUPPORT_EMAIL: 'support@example.org',
      REGISTRATION: 'open',
      RATE_LIMIT: 'on',
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
    ['SUPPORT_EMAIL', 'support'],
    ['REGISTRATION', 'no'],
    ['RATE_LIMIT', 'yes'],
    ['LOG_LEVEL', 'loud'],
  ])('refuses %s=%s in one line with the name, the value and what it should be', (name, value) => {
    const attempt = () => readConfig({ [name]: value })
    expect(attempt).toThrow(ConfigError)
    expect(attempt).toThrow(new RegExp(`^Неверная настройка ${name}="${value}": нужно [^\\n]+\\.$`))
  })
})
