import './lazy-messages.ts'
import type { LazyMessageId } from './lazy-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-data.json'

/* Russian sentences of import, export and the deletion of an account: many, and for one screen. */
i18n.load('ru', ru)

/** An id of any catalogue: who imports this module has the one of this file beside those of its imports. */
export type DataMessageId = LazyMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: DataMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
