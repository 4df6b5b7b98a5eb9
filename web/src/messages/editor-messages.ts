import './main-messages.ts'
import type { MainMessageId } from './main-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-editor.json'

/* Russian sentences of the forms of items and of the editor in them. */
i18n.load('ru', ru)

/** An id of its catalogue or of those that it imports: importing this module loads them. */
export type EditorMessageId = MainMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: EditorMessageId, values?: Record<string, string | number>): string => i18n._(id, values)
