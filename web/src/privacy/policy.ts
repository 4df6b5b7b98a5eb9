import type { Locale } from '@kopilka/contract/messages.ts'
import { policyEn } from './policy-en.ts'
import { policyRu } from './policy-ru.ts'

/** A paragraph, or the points of a list. `{email}` stands for the support address. */
type Block = string | string[]

/** A document to read, not sentences of the interface: it is kept whole, so that it can be judged whole. */
export interface Policy {
  /** Since when it holds. */
  effective: string
  sections: { title: string; blocks: Block[] }[]
}

/** The privacy policy in each language. The Russian text is the one that binds. */
export const policies: Record<Locale, Policy> = { ru: policyRu, en: policyEn }
