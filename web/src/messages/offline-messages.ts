import './lazy-messages.ts'
import type { LazyMessageId } from './lazy-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-offline.json'

/* Russian sentences of work without a network. */
i18n.load('ru', ru)

/** An id of any catalogue: who imports this module has the one of this file beside those of its imports. */
type OfflineMessageId = LazyMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: OfflineMessageId, values?: Record<string, string | number>): string =>
  i18n._(id, values)
