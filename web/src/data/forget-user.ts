import { dropDraftsOf } from '../items/draft.ts'

/** Deletes what this browser keeps of a user; what it keeps of others, and the language, stays. The session ends apart from it. */
export const forgetUser = async (userId: string): Promise<void> => {
  await dropDraftsOf(userId)
  for (const [key, value] of Object.entries(localStorage))
    if (key.includes(userId) || value === userId) localStorage.removeItem(key)
  sessionStorage.clear()
}
