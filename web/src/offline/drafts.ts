import { outboxOf } from './outbox.ts'

type Mover = (resolved: ReadonlyMap<string, string>, closing: boolean) => Promise<void>

/** The drafts of this browser, which the application knows. */
interface Drafts {
  move: Mover
  /** Their texts. */
  read: () => Promise<string>
}

let drafts: Drafts | undefined

export const provideDrafts = (given: Drafts): void => {
  drafts = given
}

/** The texts of all drafts; undefined where nobody knows them. */
export const draftTexts = async (): Promise<string | undefined> => drafts?.read()

/**
 * Has drafts name the ids and versions that the server has given in place of this browser's. `closing`: the session has ended, and
 * forms close.
 */
export const moveDraftsOf = async (signIn: string, closing: boolean): Promise<void> => {
  try {
    const resolved = await outboxOf(signIn).resolved()
    if (resolved.size > 0) await drafts?.move(resolved, closing)
  } catch {
    // Another sign-in has the database by now, or a chunk does not load: forms that open look for their drafts as well.
  }
}
