import type { Options } from '@node-rs/argon2'

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB and 2 passes at least. Runs off the main thread. */
const COST: Options = { memoryCost: 19_456, timeCost: 2, parallelism: 1 }
// argon2id is the package's default; its enum is a const enum, which single-file compilation cannot read.

/** An argon2id hash in PHC format, including its salt. */
export async function hashPassword(password: string): Promise<string> {
  const { hash } = await argon2()
  return hash(password, COST)
}

/** Loaded lazily: the writer thread imports this module and hashes nothing. */
const argon2 = () => import('@node-rs/argon2')

let hashOfNobody: Promise<string> | undefined

/** Whether the password matches. Without a user (`passwordHash` undefined) it takes as long and resolves to false. */
export async function checkPassword(passwordHash: string | undefined, password: string): Promise<boolean> {
  hashOfNobody ??= hashPassword('nobody has this password')
  const { verify } = await argon2()
  const fits = await verify(passwordHash ?? (await hashOfNobody), password)
  return fits && passwordHash !== undefined
}
