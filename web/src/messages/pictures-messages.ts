import './main-messages.ts'
import type { MainMessageId } from './main-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-pictures.json'

/* Russian sentences about pictures, which load with the first picture. */
i18n.load('ru', ru)

/** An id of its catalogue or of those that it imports: importing this module loads them. */
export type PicturesMessageId = MainMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: PicturesMessageId, values?: Record<string, string | number>): string =>
  i18n._(id, values)
