/** Seeded random numbers: the same seed gives the same choices on every machine. */
export interface Random {
  /** From 0 up to, not including, 1. */
  next(): number
  /** A whole number from `least` to `most`, both included. */
  between(least: number, most: number): number
  /** True with this probability. */
  chance(share: number): boolean
  pick<T>(choices: readonly T[]): T
  /** `count` different choices, or all where there are fewer. */
  sample<T>(choices: readonly T[], count: number): T[]
}

/** Mulberry32. */
export function createRandom(seed: number): Random {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (least: number, most: number): number => least + Math.floor(next() * (most - least + 1))

  return {
    next,
    between,
    chance: (share) => next() < share,
    pick<T>(choices: readonly T[]): T {
      const choice = choices[between(0, choices.length - 1)]
      if (choice === undefined) throw new RangeError('There is nothing to choose from.')
      return choice
    },
    sample<T>(choices: readonly T[], count: number): T[] {
      const left = [...choices]
      const taken: T[] = []
      while (taken.length < count && left.length > 0) {
        taken.push(...left.splice(between(0, left.length - 1), 1))
      }
      return taken
    },
  }
}
