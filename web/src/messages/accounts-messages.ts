import { i18n, type MessageId } from './messages.ts'
import ru from './ru-accounts.json'

/* Russian sentences of the profile and of the screens of accounts, but for login. */
i18n.load('ru', ru)

/** An id of its catalogue or of the one that it imports: importing this module loads both. */
export type AccountsMessageId = MessageId | keyof typeof ru

/** The sentence in the language of the interface, as `t` of messages.ts. */
export const t = (id: AccountsMessageId, values?: Record<string, string | number>): string =>
  i18n._(id, values)
