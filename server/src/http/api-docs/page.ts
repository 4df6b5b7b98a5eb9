import { escapeHtml } from '@kopilka/text/escape-html.ts'
import type { ApiDescription, Operation } from './openapi.ts'
import type { JsonSchema } from './schemas.ts'

const code = (text: string): string => `<code>${escapeHtml(text)}</code>`
/** HTML of a text with `code` in backticks. */
const prose = (text: string): string => escapeHtml(text).replace(/`([^`]+)`/g, '<code>$1</code>')

const WORDS: Readonly<Record<string, string>> = {
  string: 'строка',
  integer: 'целое число',
  number: 'число',
  boolean: 'да или нет',
  object: 'объект',
}
const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'UUID',
  'date-time': 'время',
  uri: 'адрес',
  email: 'почта',
}

/** A short description of the type of a value. */
function shape(schema: JsonSchema): string {
  const {
    $ref,
    anyOf,
    enum: choices,
    const: only,
    type,
    items,
    format,
    minLength,
    maxLength,
    maxItems,
  } = schema
  if ($ref !== undefined) {
    const name = $ref.split('/').at(-1) ?? ''
    return `<a href="#${escapeHtml(name)}">${escapeHtml(name)}</a>`
  }
  if (anyOf) return anyOf.map((one) => shape(one as JsonSchema)).join(' или ')
  if (choices) return choices.map((choice) => code(JSON.stringify(choice))).join(' или ')
  if (only !== undefined) return code(JSON.stringify(only))
  if (type === 'array') {
    const most = maxItems === undefined ? '' : ` (не больше ${maxItems})`
    return `список${most}: ${shape((items ?? {}) as JsonSchema)}`
  }
  const word = FORMATS[format ?? ''] ?? WORDS[String(type)] ?? 'что угодно'
  return maxLength === undefined ? word : `${word}, от ${minLength ?? 0} до ${maxLength} знаков`
}

function table(heads: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return ''
  const head = heads.map((text) => `<th scope="col">${text}</th>`).join('')
  const body = rows.map((cells) => `<tr>${cells.map((cell) => `<td>${cell}</td>`).join('')}</tr>`).join('\n')
  return `<div class="wide"><table><thead><tr>${head}</tr></thead><tbody>\n${body}\n</tbody></table></div>`
}

const PLACES = { path: 'в адресе', query: 'в запросе', header: 'заголовок' } as const

function parameters({ parameters = [] }: Operation): string {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => [
    code(name),
    PLACES[place],
    `${shape(schema)}${required ? ', обязательно' : ''}`,
    escapeHtml(description),
  ])
  return table(['Параметр', 'Где', 'Значение', 'Что делает'], rows)
}

function contentOf(content: Operation['responses'][string]['content']): string {
  if (!content) return 'пусто'
  const schema = content['application/json']?.schema
  return schema ? shape(schema) : 'файл'
}

function responses({ responses }: Operation): string {
  const rows = Object.entries(responses).map(([status, { description, content, headers = {} }]) => [
    code(status),
    escapeHtml(description),
    contentOf(content),
    Object.keys(headers).map(code).join(' '),
  ])
  return table(['Ответ', 'Когда', 'Тело', 'Заголовки'], rows)
}

function accessOf(security: Operation['security']): string {
  if (!security) return 'Только после входа.'
  const scopes = security.flatMap((way) => ('apiToken' in way ? way.apiToken : []))
  return scopes.length > 0 ? `После входа или с ключом доступа ${scopes.join(', ')}.` : 'Без входа.'
}

function operation(method: string, path: string, one: Operation): string {
  const { operationId, summary, description, security, requestBody } = one
  const sent = requestBody?.content['application/json']
  const body = sent ? `<p>Тело: ${shape(sent.schema)}</p>` : requestBody ? '<p>Тело: файл</p>' : ''
  return `<section id="${escapeHtml(operationId)}">
<h3><span class="method">${method.toUpperCase()}</span> ${code(path)}</h3>
<p>${escapeHtml(summary)}. <em>${escapeHtml(accessOf(security))}</em></p>
${description ? `<p>${escapeHtml(description)}</p>` : ''}${parameters(one)}${body}${responses(one)}
</section>`
}

function component([name, schema]: [string, JsonSchema]): string {
  const { properties = {}, required = [] } = schema
  const rows = Object.entries(properties).map(([field, value]) => [
    code(field),
    shape(value as JsonSchema),
    required.includes(field) ? 'всегда' : 'не всегда',
  ])
  const fields = table(['Поле', 'Значение', 'Есть'], rows) || `<p>${shape(schema)}</p>`
  const more = schema.additionalProperties ? '<p>И для каждого поля с ошибкой — список сообщений.</p>' : ''
  return `<section id="${escapeHtml(name)}"><h3>${escapeHtml(name)}</h3>${fields}${more}</section>`
}

/** The description of the API as an HTML page without a script or external resources. */
export function docsPage({ info, servers, tags, paths, components }: ApiDescription): string {
  const base = servers[0]?.url ?? ''
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, one]) => ({ method, path: `${base}${path}`, one })),
  )
  const families = tags.map(({ name, description }) => ({
    heading: `<h2 id="${escapeHtml(name)}">${escapeHtml(description)}</h2>`,
    entry: `<li><a href="#${escapeHtml(name)}">${escapeHtml(description)}</a></li>`,
    members: operations
      .filter(({ one }) => one.tags.includes(name))
      .map(({ method, path, one }) => operation(method, path, one)),
  }))
  return `<!doctype html>
<html lang="ru">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(info.title)}: API</title>
<link rel="stylesheet" href="/api/docs.css">
</head>
<body>
<main>
<h1>${escapeHtml(info.title)}: API</h1>
<p>${prose(info.description)}</p>
<p>В заголовке ${code('Authorization: Bearer …')} одно из двух:</p>
<ul>
${Object.values(components.securitySchemes)
  .map(({ description }) => `<li>${escapeHtml(description)}</li>`)
  .join('\n')}
</ul>
<p>То же для программ: <a href="${base}/openapi.json">openapi.json</a> (OpenAPI 3.1).</p>
<nav aria-label="Разделы"><ul>
${families.map(({ entry }) => entry).join('\n')}
<li><a href="#schemas">Тела запросов и ответов</a></li>
</ul></nav>
${families.map(({ heading, members }) => [heading, ...members].join('\n')).join('\n')}
<h2 id="schemas">Тела запросов и ответов</h2>
${Object.entries(components.schemas).map(component).join('\n')}
</main>
</body>
</html>
`
}
