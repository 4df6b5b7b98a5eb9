import { session, user } from '@kopilka/contract/accounts.ts'
import { calls } from '@kopilka/contract/calls.ts'
import type { Endpoint, Schema } from '@kopilka/contract/endpoint.ts'
import { failure } from '@kopilka/contract/errors.ts'
import { tagRef } from '@kopilka/contract/items.ts'
import { link, linkSave, linkSummary } from '@kopilka/contract/links.ts'
import { note, noteSave, noteSummary } from '@kopilka/contract/notes.ts'
import { tag } from '@kopilka/contract/tags.ts'
import * as z from 'zod/mini'

/** A JSON Schema in openapi.json. */
export type JsonSchema = z.core.JSONSchema.BaseSchema

/** Schemas with names of their own; those of a single call are named after it. */
const RESPONSES = {
  Note: note,
  NoteSummary: noteSummary,
  Link: link,
  LinkSummary: linkSummary,
  Tag: tag,
  TagRef: tagRef,
  User: user,
  Session: session,
  Failure: failure,
}
const BODIES = { NoteSave: noteSave, LinkSave: linkSave }

const PLACE = '#/components/schemas/'

const capitalised = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * Removes patterns implied by a format, the bounds of safe integers, and `additionalProperties: false`, which would
 * forbid later fields.
 */
function simplify({ jsonSchema }: { jsonSchema: JsonSchema }): void {
  if (jsonSchema.format) delete jsonSchema.pattern
  if (jsonSchema.type === 'integer') {
    delete jsonSchema.minimum
    delete jsonSchema.maximum
  }
  if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties
}

function named(
  first: Record<string, Schema>,
  partOf: (call: Endpoint) => Record<string, Schema | undefined>,
) {
  const registry = z.registry<{ id: string }>()
  for (const [id, schema] of Object.entries(first)) registry.add(schema, { id })
  for (const [family, members] of Object.entries(calls)) {
    for (const [name, call] of Object.entries<Endpoint>(members)) {
      for (const [part, schema] of Object.entries(partOf(call))) {
        const id = `${capitalised(family)}${capitalised(name)}${part}`
        if (schema && !registry.has(schema)) registry.add(schema, { id })
      }
    }
  }
  return registry
}

const responses = named(RESPONSES, ({ response, summary }) => ({ Response: response, Summary: summary }))
const bodies = named(BODIES, ({ body }) => ({ Body: body }))

const refIn =
  (registry: z.core.$ZodRegistry<{ id: string }>) =>
  (schema: Schema): JsonSchema => ({ $ref: `${PLACE}${registry.get(schema)?.id}` })

/** Functions that return references to the component schemas of responses, and of bodies. */
export const responseRef = refIn(responses)
export const bodyRef = refIn(bodies)

/** All schemas by name: output types of responses, input types of bodies. */
export function componentSchemas(): Record<string, JsonSchema> {
  const uri = (id: string) => `${PLACE}${id}`
  const { schemas: out } = z.toJSONSchema(responses, { uri, io: 'output', override: simplify })
  const { schemas: into } = z.toJSONSchema(bodies, { uri, io: 'input', override: simplify })
  return Object.fromEntries(
    Object.entries({ ...out, ...into }).map(([id, { $schema: _, $id: __, ...schema }]) => [id, schema]),
  )
}

/** The fields of a schema of parameters, with their input types. */
export function fieldsOf(schema: Schema): { name: string; required: boolean; schema: JsonSchema }[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input', override: simplify })
  return Object.entries(properties).map(([name, field]) => ({
    name,
    required: required.includes(name),
    schema: field as JsonSchema,
  }))
}
