import { createHash, createHmac, randomBytes } from 'node:crypto'
import { parse, stringify } from 'uuid'

/**
 * A token is 64 bytes in base64url: the owner's id, the sign-in's id and a secret. The two ids let the lookup start
 * from the owner like every other query; the secret alone proves anything, and only its hash is stored.
 */
export interface Token {
  readonly owner_id: string
  readonly session_id: string
  readonly secret: Buffer
}

const ID_BYTES = 16
const SECRET_BYTES = 32
const TOKEN_TEXT = /^[\w-]{86}$/

export const newSecret = (): Buffer => randomBytes(SECRET_BYTES)

export const hashSecret = (secret: Buffer): string => createHash('sha256').update(secret).digest('base64url')

export function writeToken({ owner_id, session_id, secret }: Token): string {
  return Buffer.concat([parse(owner_id), parse(session_id), secret]).toString('base64url')
}

/** Undefined for text that was never a token of ours. */
export function readToken(text: string): Token | undefined {
  if (!TOKEN_TEXT.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  try {
    return {
      owner_id: stringify(bytes, 0),
      session_id: stringify(bytes, ID_BYTES),
      secret: bytes.subarray(2 * ID_BYTES),
    }
  } catch {
    return undefined // the first bytes are no UUIDs
  }
}

/**
 * The secrets of the pair that replaces a refresh token. Derived from that token and a random salt, so that whoever
 * holds it and asks again within the grace time is given the same pair: tabs that race end up with one chain.
 * The salt is stored, the token is not: the database alone does not tell the new secrets.
 */
export function deriveSecrets(refreshSecret: Buffer, salt: string): { access: Buffer; refresh: Buffer } {
  const derive = (use: string): Buffer =>
    createHmac('sha256', refreshSecret).update(`${use}:${salt}`).digest()
  return { access: derive('access'), refresh: derive('refresh') }
}
