import { i18n, type MessageId } from './messages.ts'
import ru from './ru-main.json'

/* Russian sentences of the screens that need sign-in: login need not load them. */
i18n.load('ru', ru)

/** An id of its catalogue or of the one that it imports: importing this module loads both. */
export type MainMessageId = MessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: MainMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
