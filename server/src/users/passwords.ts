interface HashCost {
  /** In KiB. */
  readonly memoryCost: number
  /** Number of passes over the memory. */
  readonly timeCost: number
}

/** OWASP Password Storage Cheat Sheet: argon2id with 19 MiB and 2 passes at least. */
const COST: HashCost = { memoryCost: 19_456, timeCost: 2 }

/** Loaded lazily: the writer thread imports this module and hashes nothing. */
const argon2 = () => import('@node-rs/argon2')

export type PasswordHasher = ReturnType<typeof createPasswordHasher>

/** Hashes passwords and verifies them, off the main thread. Tests, which register thousands of accounts, pass a lower cost. */
export function createPasswordHasher(cost: HashCost = COST) {
  let hashOfNobody: Promise<string> | undefined

  /** An argon2id hash in PHC format, including its salt. */
  async function hash(password: string): Promise<string> {
    const { hash } = await argon2()
    // argon2id is the package's default; its enum is a const enum, which single-file compilation cannot read.
    return hash(password, { ...cost, parallelism: 1 })
  }

  /** Whether the password matches. Without a user (`passwordHash` undefined) it takes as long and resolves to false. */
  async function verify(passwordHash: string | undefined, password: string): Promise<boolean> {
    hashOfNobody ??= hash('nobody has this password')
    const { verify } = await argon2()
    const fits = await verify(passwordHash ?? (await hashOfNobody), password)
    return fits && passwordHash !== undefined
  }

  return { hash, verify }
}
