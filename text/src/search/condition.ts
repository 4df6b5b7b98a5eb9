/** A condition on index terms: a term, a prefix of terms, or a combination. */
export type Condition =
  | Leaf
  | { readonly all: readonly [Condition, ...Condition[]] }
  | { readonly any: readonly [Condition, ...Condition[]] }
  | { readonly these: Condition; readonly but: Condition }

export interface Leaf {
  readonly term: string
  readonly prefix?: boolean
}

/** Whether an item meets a condition. `holds` tells whether it has a term, or one with a prefix. */
export function evaluate(condition: Condition, holds: (leaf: Leaf) => boolean): boolean {
  if ('term' in condition) return holds(condition)
  if ('all' in condition) return condition.all.every((inner) => evaluate(inner, holds))
  if ('any' in condition) return condition.any.some((inner) => evaluate(inner, holds))
  return evaluate(condition.these, holds) && !evaluate(condition.but, holds)
}
