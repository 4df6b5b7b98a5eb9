/** Languages the product speaks; the first is the default (docs/specification.md, section 1). */
export const LOCALES = ['ru', 'en'] as const
export type Locale = (typeof LOCALES)[number]

type Messages = Readonly<Record<string, Readonly<Record<Locale, string>>>>

/**
 * Messages that browser and server share: those of the rules of fields (docs/specification.md, section 5;
 * docs/behaviour.md, section 4). Messages of the server alone are in messages.ts, which is not part of the browser's
 * bundle. Validation issues carry a key, so that a rule has one wording.
 */
export const FIELD_MESSAGES = {
  required: { ru: 'Обязательное поле', en: 'This field is required' },
  email: { ru: 'Неверный формат email', en: 'Invalid email format' },
  url: { ru: 'Неверный формат URL', en: 'Invalid URL format' },
  passwordTooShort: {
    ru: 'Пароль должен содержать минимум 6 символов',
    en: 'The password must be at least 6 characters long',
  },
  passwordsDiffer: { ru: 'Пароли не совпадают', en: 'The passwords do not match' },
  tooLong: { ru: 'Не больше {max} символов', en: 'No more than {max} characters' },
  tooManyTags: { ru: 'Не больше {max} тегов', en: 'No more than {max} tags' },
  wrongType: { ru: 'Значение неподходящего вида', en: 'A value of the wrong kind' },
  registrationClosed: {
    ru: 'Регистрация закрыта. Попросите доступ у владельца этого сервера.',
    en: 'Registration is closed. Ask the owner of this server for access.',
  },
} as const satisfies Messages

type FieldMessageKey = keyof typeof FIELD_MESSAGES

/** A message key, or a key with a limit: `tooLong:255`. */
export type FieldMessageRef = FieldMessageKey | `${FieldMessageKey}:${number}`

/** The message of a reference; any other text is a schema's default message and becomes 'wrongType'. */
export const messageIn = (messages: Messages, ref: string, locale: Locale): string => {
  const [key = '', max = ''] = ref.split(':')
  const message = Object.hasOwn(messages, key) ? messages[key] : undefined
  return (message ?? FIELD_MESSAGES.wrongType)[locale].replace('{max}', max)
}

/** The message of a field's rule. */
export const translateField = (ref: string, locale: Locale): string => messageIn(FIELD_MESSAGES, ref, locale)
