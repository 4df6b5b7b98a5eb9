/** What all pages of a list have. */
export async function allPages<T>(
  read: (page: string) => Promise<{ results: readonly T[]; count: number }>,
): Promise<T[]> {
  const all: T[] = []
  for (let page = 1; ; page += 1) {
    const { results, count } = await read(String(page))
    all.push(...results)
    if (all.length >= count || results.length === 0) return all
  }
}
