import * as z from 'zod/mini'
import { API_PREFIX, endpoint } from './endpoint.ts'
import { id, url } from './fields.ts'
import type { MessageKey } from './messages.ts'

/** Kinds of pictures that can be kept (docs/behaviour.md, section 17). The server judges them by their content. */
export const PICTURE_TYPES = ['image/png', 'image/jpeg', 'image/webp', 'image/gif', 'image/avif'] as const
export type PictureType = (typeof PICTURE_TYPES)[number]

/** A picture. Width and height are those that browsers show, after a rotation by Exif; `bytes`: its size. */
export const picture = z.object({
  id,
  url: z.string(),
  type: z.enum(PICTURE_TYPES),
  width: z.int(),
  height: z.int(),
  bytes: z.int(),
})
export type Picture = z.output<typeof picture>

/** The address of a picture, as `<img src>` has it in notes and descriptions. */
export const fileUrl = (file_id: string): string => `${API_PREFIX}/files/${file_id}/`

const FILE_URL = new RegExp(
  `^${API_PREFIX}/files/([\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12})/$`,
)

/** The id in the address of a picture; undefined for any other address. */
export const fileIdIn = (address: string): string | undefined => FILE_URL.exec(address)?.[1]

/** Why a picture is not kept. */
const PICTURE_ERRORS = [
  'fileEmpty',
  'fileDamaged',
  'fileManyPixels',
  'fileTooLarge',
  'fileNotPicture',
  'fileSvg',
  'fileQuota',
  'importDiskFull',
] as const satisfies readonly MessageKey[]

/** Why a picture of another site cannot be fetched. */
const FETCH_ERRORS = [
  'fetchPictureScheme',
  'fetchCredentials',
  'fetchClosedAddress',
  'fetchClosedPort',
  'fetchUnknownHost',
  'fetchRefused',
  'fetchBroken',
  'fetchTls',
  'fetchPictureSlow',
  'fetchTooManyRedirects',
  'fetchPictureMissing',
  'fetchPictureForbidden',
  'fetchBusy',
  'fetchPictureFailed',
  'fetchNotPicture',
] as const satisfies readonly MessageKey[]

/** Pictures in notes and descriptions. */
export const files = {
  /**
   * The body is the picture, with the Content-Type of an image or `application/octet-stream`. It is kept without location and
   * other private data. The same bytes again give the same file.
   */
  create: endpoint({
    method: 'POST',
    path: '/files/',
    access: 'signed-in',
    scope: 'write',
    status: 201,
    takesFile: 'picture',
    response: picture,
    errors: PICTURE_ERRORS,
  }),
  /** Keeps the picture at a public address. */
  fetch: endpoint({
    method: 'POST',
    path: '/files/fetch/',
    access: 'signed-in',
    scope: 'write',
    status: 201,
    body: z.object({ url }),
    response: picture,
    errors: [...FETCH_ERRORS, ...PICTURE_ERRORS],
    rateLimits: ['extraction'],
  }),
  /** The bytes of a picture. They never change. */
  read: endpoint({
    method: 'GET',
    path: '/files/:id/',
    access: 'signed-in',
    scope: 'read',
    status: 200,
    params: z.object({ id }),
    missing: 'fileNotFound',
    sendsFile: true,
  }),
}
