import { withTask } from './task-lists.ts'

/* Apart from task-lists.ts, which loads with every note: only a refused tick needs this. */

/** The tasks of clean HTML, in the order of the text. `says`: its text and pictures, without the list within it. */
const tasksOf = (html: string) =>
  [...html.matchAll(/<li data-checked="(true|false)">(.*?)(?=<\/li>|<[ou]l\b)/gs)].map(
    ([, state, inner = '']) => ({
      done: state === 'true',
      says: inner.replace(/<(?!img\b)[^>]*>/g, ''),
    }),
  )

const withoutTicks = (html: string): string => html.replace(/<li data-checked="(?:true|false)">/g, '<li>')

/**
 * Another version of clean HTML with the ticks by which `after` differs from `before`. Undefined where that is not all by which they
 * differ, or where it cannot be known which task of the other version one is: its text is gone, or is there more or fewer times.
 */
export function withTicks(before: string, after: string, other: string): string | undefined {
  if (withoutTicks(before) !== withoutTicks(after)) return undefined
  const [known, present] = [tasksOf(before), tasksOf(other)]
  let html = other
  for (const [at, { done }] of tasksOf(after).entries()) {
    const task = known[at]
    if (!task || task.done === done) continue
    const [places, others] = [known, present].map((tasks) =>
      tasks.flatMap(({ says }, place) => (says === task.says ? [place] : [])),
    )
    const place = others?.[places?.indexOf(at) ?? -1]
    if (place === undefined || places?.length !== others?.length) return undefined
    html = withTask(html, place, done)
  }
  return html
}
