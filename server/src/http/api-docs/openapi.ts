import { calls } from '@kopilka/contract/calls.ts'
import { API_PREFIX, type Endpoint } from '@kopilka/contract/endpoint.ts'
import { failure } from '@kopilka/contract/errors.ts'
import { PICTURE_TYPES } from '@kopilka/contract/files.ts'
import { RATE_LIMITS } from '@kopilka/contract/rate-limits.ts'
import type { TokenScope } from '@kopilka/contract/tokens.ts'
import { SUFFICIENT } from '../access.ts'
import { FAMILIES, PURPOSES } from './descriptions.ts'
import { failuresOf } from './error-responses.ts'
import { bodyRef, componentSchemas, fieldsOf, type JsonSchema, responseRef } from './schemas.ts'

interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  schema: JsonSchema
}

interface Response {
  description: string
  headers?: Record<string, { description: string; schema: JsonSchema }>
  /** A file has no schema. */
  content?: Record<string, { schema?: JsonSchema }>
}

export interface Operation {
  operationId: string
  summary: string
  description?: string
  tags: string[]
  security?: Security[]
  parameters?: Parameter[]
  requestBody?: { required: true; content: Record<string, { schema: JsonSchema }> }
  responses: Record<string, Response>
}

/** A way to authenticate; of an API token the scopes that suffice. */
type Security = { session: [] } | { apiToken: TokenScope[] }

/** The part of OpenAPI 3.1 that is used here. */
export interface ApiDescription {
  openapi: '3.1.0'
  info: { title: string; version: string; description: string; license: { name: string; identifier: string } }
  servers: { url: string }[]
  security: Security[]
  tags: { name: string; description: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    securitySchemes: Record<'session' | 'apiToken', { type: 'http'; scheme: 'bearer'; description: string }>
    schemas: Record<string, JsonSchema>
  }
}

const TEXT: JsonSchema = { type: 'string' }
const json = (schema: JsonSchema) => ({ 'application/json': { schema } })

const IF_MATCH: Parameter = {
  name: 'If-Match',
  in: 'header',
  required: false,
  description: 'ETag, с которым запись прочитана: если её с тех пор изменили, ответ 412 и ничего не меняется',
  schema: TEXT,
}
const IDEMPOTENCY_KEY: Parameter = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    'Свой для каждой новой записи. Повтор с тем же ключом в течение 30 дней второй записи не создаёт',
  schema: { type: 'string', minLength: 1, maxLength: 255 },
}
const ETAG = { description: 'Версия записи', schema: TEXT }
const OPERATION = {
  description: 'Действие, которое можно отменить: POST /operations/{id}/undo/',
  schema: TEXT,
}
const RETRY_AFTER = {
  description: 'Через сколько секунд пробовать снова',
  schema: { type: 'integer' } as const,
}

const FILE_NAME: Parameter = {
  name: 'Content-Disposition',
  in: 'header',
  required: false,
  description: "Имя файла: attachment; filename*=UTF-8''…",
  schema: TEXT,
}
const FILE_TYPES = {
  file: ['application/octet-stream'],
  picture: [...PICTURE_TYPES, 'application/octet-stream'],
} as const
const fileOf = (kind: keyof typeof FILE_TYPES) => ({
  required: true as const,
  content: Object.fromEntries(FILE_TYPES[kind].map((type) => [type, { schema: {} }])),
})

function parametersOf({
  params,
  query,
  takesFile,
  supportsIfMatch,
  takesIdempotencyKey,
}: Endpoint): Parameter[] {
  return [
    ...(params ? fieldsOf(params).map((field) => ({ ...field, in: 'path' as const })) : []),
    ...(query ? fieldsOf(query).map((field) => ({ ...field, in: 'query' as const })) : []),
    ...(takesFile === 'file' ? [FILE_NAME] : []),
    ...(supportsIfMatch ? [IF_MATCH] : []),
    ...(takesIdempotencyKey ? [IDEMPOTENCY_KEY] : []),
  ]
}

function successOf({ status, response, summary, sendsEtag, sendsOperation, sendsFile }: Endpoint): Response {
  const headers = { ...(sendsEtag && { ETag: ETAG }), ...(sendsOperation && { Operation: OPERATION }) }
  return {
    description: { 200: 'Готово', 201: 'Создано', 202: 'Начато', 204: 'Удалено' }[status],
    ...(Object.keys(headers).length > 0 && { headers }),
    ...(sendsFile && { content: { 'application/octet-stream': {} } }),
    ...(response && {
      content: json(
        summary ? { anyOf: [responseRef(response), responseRef(summary)] } : responseRef(response),
      ),
    }),
  }
}

function responsesOf(call: Endpoint): Record<string, Response> {
  const failures = [...failuresOf(call)].map(([status, sentences]): [string, Response] => [
    String(status),
    {
      description: sentences.join(' '),
      ...((status === 429 || status === 503) && { headers: { 'Retry-After': RETRY_AFTER } }),
      content: json(responseRef(failure)),
    },
  ])
  return Object.fromEntries([[String(call.status), successOf(call)], ...failures])
}

const limitsOf = ({ countsTowards, rateLimits = [] }: Endpoint): string =>
  [...(countsTowards ? [countsTowards] : []), ...rateLimits]
    .map((rate) => RATE_LIMITS[rate])
    .map(({ times, seconds, counts, per }) => {
      const what = counts === 'failures' ? 'неудач' : 'раз'
      const whose = {
        owner: 'пользователя',
        address: 'адреса',
        account: 'учётной записи',
        browser: 'знакомого браузера',
      }
      return `не больше ${times} ${what} за ${seconds / 60} мин. для одного ${whose[per]}`.replace(
        'одного учётной',
        'одной учётной',
      )
    })
    .join('; ')

/** How a caller authenticates, where it is not by a session alone. */
function securityOf({ scope }: Endpoint): { security?: Security[] } {
  if (scope === undefined) return { security: [] }
  return scope === 'account' ? {} : { security: [{ session: [] }, { apiToken: [...SUFFICIENT[scope]] }] }
}

function operationOf(family: string, name: string, call: Endpoint): Operation {
  const operationId = `${family}.${name}`
  const parameters = parametersOf(call)
  const limits = limitsOf(call)
  return {
    operationId,
    summary: PURPOSES[operationId] ?? operationId,
    ...(limits && { description: `Ограничение: ${limits}.` }),
    tags: [family],
    ...securityOf(call),
    ...(parameters.length > 0 && { parameters }),
    ...(call.body && { requestBody: { required: true, content: json(bodyRef(call.body)) } }),
    ...(call.takesFile && { requestBody: fileOf(call.takesFile) }),
    responses: responsesOf(call),
  }
}

const ABOUT = `Запросы и ответы — JSON в UTF-8. Время — ISO 8601 в UTC. Ошибки — \`{detail, поле: [сообщения]}\` \
по-русски, а если Accept-Language называет английский раньше русского — по-английски. С \`view=summary\` записи \
приходят с коротким \`excerpt\` вместо полного текста. Список полных записей кончается раньше, если их тексты больше \
2,5 МБ: тогда в ответе есть \`truncated: true\`, а остальные записи видны с \`view=summary\` и читаются по одной. Чужое отвечает 404, как несуществующее. \
Всего не больше ${RATE_LIMITS.signedIn.times} запросов в минуту; \`GET /changes/\` считается отдельно.`

/** The OpenAPI description of the contract, derived from the schemas that validate requests. */
export function describeApi(): ApiDescription {
  const paths: ApiDescription['paths'] = {}
  for (const [family, members] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(members)) {
      const path = call.path.replace(/:(\w+)/g, '{$1}')
      paths[path] = { ...paths[path], [call.method.toLowerCase()]: operationOf(family, name, call) }
    }
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Копилка',
      version: '1.0.0',
      description: ABOUT,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: API_PREFIX }],
    security: [{ session: [] }],
    tags: Object.keys(calls).map((name) => ({ name, description: FAMILIES[name] ?? name })),
    paths,
    components: {
      securitySchemes: {
        session: {
          type: 'http',
          scheme: 'bearer',
          description: 'access_token из ответа на вход',
        },
        apiToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'Ключ доступа для других программ (POST /tokens/); саму учётную запись не открывает',
        },
      },
      schemas: componentSchemas(),
    },
  }
}
