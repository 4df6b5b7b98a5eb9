import { outboxOf } from './outbox.ts'

type Mover = (resolved: ReadonlyMap<string, string>, closing: boolean) => Promise<void>

let mover: Mover | undefined

/** The application knows where drafts are. */
export const provideDrafts = (given: Mover): void => {
  mover = given
}

/**
 * Has drafts name the ids and versions that the server has given in place of this browser's. `closing`: the session has ended, and
 * forms close.
 */
export const moveDraftsOf = async (signIn: string, closing: boolean): Promise<void> => {
  try {
    const resolved = await outboxOf(signIn).resolved()
    if (resolved.size > 0) await mover?.(resolved, closing)
  } catch {
    // Another sign-in has the database by now, or a chunk does not load: forms that open look for their drafts as well.
  }
}
