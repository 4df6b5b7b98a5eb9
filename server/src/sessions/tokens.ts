import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import { parse, stringify } from 'uuid'
import { sha256 } from '../hash.ts'
import type { Caller } from '../http/caller.ts'

/**
 * A token is 64 bytes in base64url: the owner's id, the session's id and a secret. The two ids let the look-up start
 * from the owner like every other query; the secret alone proves anything, and only its hash is stored.
 */
export interface Token extends Caller {
  /** 32 bytes in base64url. */
  readonly secret: string
}

const ID_BYTES = 16
const SECRET_BYTES = 32
const TOKEN_TEXT = /^[\w-]{86}$/

export const newSecret = (): string => randomBytes(SECRET_BYTES).toString('base64url')

/** The hash of a secret that is stored in the database. */
export const hashSecret = (secret: string): string => sha256(Buffer.from(secret, 'base64url'))

export const writeToken = ({ owner_id, session_id, secret }: Token): string =>
  Buffer.concat([parse(owner_id), parse(session_id), Buffer.from(secret, 'base64url')]).toString('base64url')

/** Parses a token; undefined if the text does not have its form. */
export function readToken(text: string): Token | undefined {
  if (!TOKEN_TEXT.test(text)) return undefined
  const bytes = Buffer.from(text, 'base64url')
  try {
    return {
      owner_id: stringify(bytes, 0),
      session_id: stringify(bytes, ID_BYTES),
      secret: bytes.subarray(2 * ID_BYTES).toString('base64url'),
    }
  } catch {
    return undefined // the first bytes are not UUIDs
  }
}

/** Compares in constant time. */
export function areEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

const hmac = (key: string, text: string): Buffer => createHmac('sha256', key).update(text).digest()

const PROOF_BYTES = 16

/**
 * The secret of a refresh token: 16 unpredictable bytes and 16 bytes that prove, by the session's retirement key, that
 * they were issued as a refresh token of this session. The proof distinguishes retired tokens from guesses, however long
 * ago they were retired. It grants nothing: only the hash of the whole secret does.
 */
function refreshSecret(unpredictable: Buffer, retirementKey: string): string {
  const id = unpredictable.subarray(0, SECRET_BYTES - PROOF_BYTES)
  return Buffer.concat([id, proofOf(id, retirementKey)]).toString('base64url')
}

const proofOf = (id: Buffer, retirementKey: string): Buffer =>
  hmac(retirementKey, id.toString('base64url')).subarray(0, PROOF_BYTES)

export const newRefreshSecret = (retirementKey: string): string =>
  refreshSecret(randomBytes(SECRET_BYTES), retirementKey)

/** Whether this secret was issued as a refresh token of the session with this retirement key. */
export function wasIssued(secret: string, retirementKey: string): boolean {
  const bytes = Buffer.from(secret, 'base64url')
  const proof = proofOf(bytes.subarray(0, SECRET_BYTES - PROOF_BYTES), retirementKey)
  return areEqual(bytes.subarray(-PROOF_BYTES).toString('base64url'), proof.toString('base64url'))
}

/**
 * The secrets of the pair that replaces a refresh token. Derived from that token and a random salt, so that a second
 * request within the grace time gets the same pair and racing tabs stay one chain. The salt is stored and the token is
 * not, so the database alone does not reveal the new secrets.
 */
export function replacementOf(
  secret: string,
  salt: string,
  retirementKey: string,
): { access: string; refresh: string } {
  return {
    access: hmac(secret, `access:${salt}`).toString('base64url'),
    refresh: refreshSecret(hmac(secret, `refresh:${salt}`), retirementKey),
  }
}
