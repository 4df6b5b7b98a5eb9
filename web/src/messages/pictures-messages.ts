import { i18n, type MessageId } from './messages.ts'
import ru from './ru-pictures.json'

/* Russian sentences about pictures, which load with the first picture. */
i18n.load('ru', ru)

/** An id of either catalogue: importing this module loads both. */
export type PicturesMessageId = MessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: PicturesMessageId, values?: Record<string, string | number>): string =>
  i18n._(id, values)
