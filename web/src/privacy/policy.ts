import type { Locale } from '@kopilka/contract/field-messages.ts'
import { policyEn } from './policy-en.ts'
import { type Policy, policyRu } from './policy-ru.ts'

/** The privacy policy in each language. The Russian text is the one that binds. */
export const policies: Record<Locale, Policy> = { ru: policyRu, en: policyEn }
