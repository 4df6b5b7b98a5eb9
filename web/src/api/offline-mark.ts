/** Of which sign-in there is a copy in this browser, and, once that has ended, whether the user left. */
interface Mark {
  readonly signIn: string
  readonly left?: boolean | undefined
}

const KEY = 'offline'

export const readMark = (): Mark | undefined => JSON.parse(localStorage.getItem(KEY) ?? 'null') ?? undefined

export const writeMark = (mark: Mark): void => localStorage.setItem(KEY, JSON.stringify(mark))

/** The sign-in ends. Other tabs hear only that: the one that ends it knows why, and says it before the tokens go. */
export const markEnd = (left: boolean): void => {
  const mark = readMark()
  if (!mark) return
  try {
    writeMark({ ...mark, left: mark.left ?? left })
  } catch {
    // The browser has no room: the sign-in ends all the same.
  }
}

export const dropMark = (): void => localStorage.removeItem(KEY)
