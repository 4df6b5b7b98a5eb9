import { tokenGroups } from './tokenize.ts'

/** A range of a text in UTF-16 units: `text.slice(start, end)`. */
export type Range = [start: number, end: number]

/** The ranges of matching tokens in a text, in order. `isMatch` gets a token's folded form. */
export function* highlights(text: string, isMatch: (form: string) => boolean): Generator<Range> {
  for (const { tokens, joined } of tokenGroups(text)) {
    const [first] = tokens
    const last = tokens.at(-1)
    if (first && last && joined !== undefined && isMatch(joined)) yield [first.start, last.end]
    else for (const { form, start, end } of tokens) if (isMatch(form)) yield [start, end]
  }
}
