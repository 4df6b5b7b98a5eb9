/** Paragraphs about one thing, each with questions that it answers. */
export interface Topic {
  readonly title: string
  readonly paragraphs: readonly (readonly [paragraph: string, question: string, ...others: string[]])[]
}
