import './lazy-messages.ts'
import type { LazyMessageId } from './lazy-messages.ts'
import { i18n } from './messages.ts'
import ru from './ru-programs.json'

/* Russian sentences of the screen «Программы» alone. */
i18n.load('ru', ru)

/** An id of any catalogue: who imports this module has the one of this file beside those of its imports. */
export type ProgramsMessageId = LazyMessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: ProgramsMessageId, values?: Record<string, string | number>): string =>
  i18n._(id, values)
