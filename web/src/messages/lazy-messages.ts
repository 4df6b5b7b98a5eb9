import { i18n, type MessageId } from './messages.ts'
import ru from './ru-lazy.json'

/*
 * Russian sentences of what loads after the first screen: they stay out of the first load. en.json holds the English of
 * both catalogues, as it is loaded only where it is wanted.
 */
i18n.load('ru', ru)

/** An id of either catalogue: importing this module loads both. */
export type LazyMessageId = MessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: LazyMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
