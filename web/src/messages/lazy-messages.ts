import './main-messages.ts'
import type { MainMessageId } from './main-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-lazy.json'

/*
 * Russian sentences of what loads after the first screen: they stay out of the first load. en.json holds the English of
 * all catalogues, as it is loaded only where it is wanted.
 */
i18n.load('ru', ru)

/** An id of its catalogue or of those that it imports: importing this module loads them. */
export type LazyMessageId = MainMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: LazyMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
