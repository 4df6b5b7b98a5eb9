import { everyCall } from '@kopilka/contract/calls.ts'
import { Validator } from '@seriousme/openapi-schema-validator'
import { describe, expect } from 'vitest'
import { test as it } from '../../testing/fixtures.ts'
import { FAMILIES, PURPOSES } from './descriptions.ts'
import { describeApi } from './openapi.ts'

describe('openapi.json', () => {
  const document = describeApi()
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods))

  it('is a valid OpenAPI 3.1 document without dangling references', async ({ app }) => {
    const { body } = await app.send('GET', '/api/v1/openapi.json')
    const validator = new Validator()
    expect(await validator.validate(body)).toEqual({ valid: true })
    expect(validator.version).toBe('3.1')
    const references = [...JSON.stringify(body).matchAll(/"\$ref":"#\/components\/schemas\/(\w+)"/g)]
    expect(references.length).toBeGreaterThan(20)
    for (const [, name = ''] of references) expect(document.components.schemas).toHaveProperty(name)
  })

  it('describes every call, and nothing else', () => {
    expect(operations.map(({ operationId }) => operationId).sort()).toEqual(
      everyCall.map(([name]) => name).sort(),
    )
  })

  it.each(everyCall)('describes %s as the contract declares it', (name, call) => {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    const operation = document.paths[path]?.[call.method.toLowerCase()]
    expect(operation?.operationId).toBe(name)
    const scopes = { read: ['read', 'write'], write: ['write'] }
    if (call.access === 'public') expect(operation?.security).toEqual([])
    else if (call.scope === 'account') expect(operation?.security).toBeUndefined()
    else expect(operation?.security).toEqual([{ session: [] }, { apiToken: scopes[call.scope] }])
    expect(operation?.requestBody !== undefined).toBe(call.body !== undefined || call.takesFile !== undefined)
    expect(operation?.responses[call.status]?.content === undefined).toBe(call.status === 204)
    expect(operation?.responses[429]?.headers).toHaveProperty('Retry-After')
    const failures = [
      '500',
      ...(call.access === 'signed-in' ? ['401', '403'] : []),
      ...(call.missing ? ['404'] : []),
    ]
    expect(Object.keys(operation?.responses ?? {})).toEqual(expect.arrayContaining(failures))
  })

  it.each(everyCall)('describes the purpose of %s in Russian', (name) => {
    expect(PURPOSES[name]).toMatch(/[а-яё]/)
    expect(FAMILIES[name.split('.')[0] ?? '']).toMatch(/[а-яё]/)
  })

  it('describes the length limits of fields', () => {
    const { NoteSave, AccountsRegisterBody } = document.components.schemas
    expect(NoteSave).toMatchObject({
      required: ['title', 'content'],
      properties: {
        title: { type: 'string', minLength: 1, maxLength: 255 },
        content: { type: 'string', minLength: 1, maxLength: 500_000 },
        tags: { type: 'array', maxItems: 50, items: { minLength: 1, maxLength: 50 } },
      },
    })
    expect(AccountsRegisterBody?.properties).toMatchObject({
      email: { format: 'email', maxLength: 254 },
      password: { minLength: 6, maxLength: 200 },
    })
  })
})

describe('/api/docs', () => {
  it('shows every call and schema without a script or external resources', async ({ app }) => {
    const { status, headers, body } = await app.send('GET', '/api/docs')
    const html = String(body.text)
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    for (const [name, { method, path }] of everyCall) {
      expect(html).toContain(`<section id="${name}">`)
      expect(html).toContain(
        `<span class="method">${method}</span> <code>/api/v1${path.replace(/:(\w+)/g, '{$1}')}</code>`,
      )
    }
    const links = [...html.matchAll(/(?:href|src)="([^"]*)"/g)].map(([, link = '']) => link)
    for (const link of links) {
      if (link.startsWith('#')) expect(html).toContain(`id="${link.slice(1)}"`)
      else expect((await app.send('GET', link)).status).toBe(200)
    }
    expect(html).not.toMatch(/<script|style=|<style|https?:|undefined|\[object/)
  })
})
