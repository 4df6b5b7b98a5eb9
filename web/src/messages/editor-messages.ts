import { i18n, type MessageId } from './messages.ts'
import ru from './ru-editor.json'

/* Russian sentences of the editor of texts, which only forms show. */
i18n.load('ru', ru)

/** An id of either catalogue: importing this module loads both. */
export type EditorMessageId = MessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: EditorMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
