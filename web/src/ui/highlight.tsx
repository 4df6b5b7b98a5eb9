import { Fragment } from 'react'

interface HighlightProps {
  text: string
  /** What to mark, from where to where as `text.slice` counts: in order, not overlapping. */
  ranges?: readonly (readonly [start: number, end: number])[] | undefined
}

/** A text with pieces of it marked. */
export function Highlight({ text, ranges = [] }: HighlightProps) {
  return (
    <>
      {ranges.map(([start, end], at) => (
        <Fragment key={start}>
          {text.slice(ranges[at - 1]?.[1] ?? 0, start)}
          <mark>{text.slice(start, end)}</mark>
        </Fragment>
      ))}
      {text.slice(ranges.at(-1)?.[1] ?? 0)}
    </>
  )
}
