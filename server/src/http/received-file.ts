import type { Readable } from 'node:stream'
import { parse } from 'content-disposition'
import type { FastifyError, FastifyInstance, FastifyRequest } from 'fastify'
import { AppError } from '../errors.ts'
import { allowSlowBody } from './connections.ts'

/** A file that is sent as the body of a request. */
export interface ReceivedFile {
  /** Its name, as the client says; empty where it says none. */
  readonly name: string
  /** The length that the client announces; undefined where it announces none. */
  readonly size: number | undefined
  readonly bytes: Readable
}

const ANY = 'application/octet-stream'

/** Of each kind of file: the media types besides the one of any file, and the errors of requests without it. */
const KINDS = {
  file: { types: [], none: 'importEmptyFile', other: 'importNotFile' },
  picture: { types: [/^image\/./], none: 'fileEmpty', other: 'fileNotSent' },
} as const

export type FileKind = keyof typeof KINDS

/** Longest name that is kept. */
const MAX_NAME = 255

/** Adds a route of which the body is not read before its handler asks. */
export function takeFile(app: FastifyInstance, kind: FileKind, add: (scope: FastifyInstance) => void): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers()
    for (const type of [ANY, ...KINDS[kind].types])
      scope.addContentTypeParser(type, (_request, payload, done) => done(null, payload))
    add(scope)
  })
}

/** The file of a request. Its sender gets more time than for other requests. Throws where there is no body. */
export function receivedFileOf({ raw, body, headers }: FastifyRequest, kind: FileKind): ReceivedFile {
  if (!body) throw new AppError(KINDS[kind].none)
  allowSlowBody(raw)
  const length = headers['content-length']
  return {
    name: nameIn(headers['content-disposition'] ?? ''),
    size: length === undefined ? undefined : Number(length),
    bytes: body as Readable,
  }
}

function nameIn(disposition: string): string {
  const { filename = '' } = parse(disposition).parameters
  return filename
    .toWellFormed()
    .replace(/^.*[\\/]/, '')
    .replace(/\p{Cc}/gu, '')
    .slice(0, MAX_NAME)
    .trim()
}

/** The error of a request whose body is no file, in its own words. */
export const fileError = (error: FastifyError | AppError, kind: FileKind): FastifyError | AppError =>
  error.code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE' ? new AppError(KINDS[kind].other) : error
