import type { Locale } from '@kopilka/contract/messages.ts'
import { policyEn } from './policy-en.ts'
import { policyRu } from './policy-ru.ts'

/** A paragraph, or the points of a list. `{email}` stands for the support address. */
type Block = string | string[]

/** A whole document in one language, apart from the catalogues of the interface. */
export interface Policy {
  /** The sentence with the date it took effect. */
  effective: string
  sections: { title: string; blocks: Block[] }[]
}

/** The privacy policy in each language. The Russian text is the one that binds. */
export const policies: Record<Locale, Policy> = { ru: policyRu, en: policyEn }
