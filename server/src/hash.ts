import { createHash } from 'node:crypto'

/** SHA-256 in base64url: how the database keeps secrets and whatever else it must recognise without being able to read. */
export const sha256 = (data: string | Uint8Array): string =>
  createHash('sha256').update(data).digest('base64url')
