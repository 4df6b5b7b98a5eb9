import { NETWORK } from '../lib/network.ts'
import type { AccountsMessageId } from '../messages/accounts-messages.ts'
import type { DataMessageId } from '../messages/data-messages.ts'
import { i18n, type MessageId, t } from '../messages/messages.ts'
import type { PicturesMessageId } from '../messages/pictures-messages.ts'
import type { ProgramsMessageId } from '../messages/programs-messages.ts'
import { CallFailure } from './failure.ts'

/** Statuses with a sentence of their own, whatever the server or the screen says (docs/specification.md, section 8). */
const FIXED: Partial<Record<number, MessageId>> = { 401: 'failure.401', 429: 'failure.429' }
/** Statuses for which the server's sentence comes first. */
const OTHERWISE: Partial<Record<number, MessageId>> = {
  400: 'failure.400',
  403: 'failure.403',
  404: 'failure.404',
  500: 'failure.500',
}

/** With a full stop where the specification's text has none: another sentence follows. */
const asSentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`)

const generalText = (failure: CallFailure): string => {
  if (failure.status === 'no-response') return t('failure.noResponse')
  const otherwise = OTHERWISE[failure.status]
  return otherwise ? (failure.detail ?? t(otherwise)) : t('failure.unknownStatus')
}

/**
 * The sentence about a failure for the user. With a screen's own sentence: the server's words, else that sentence;
 * without one: the general catalogue (docs/specification.md, section 8). 401 and 429 always have their own.
 */
export const failureText = (
  failure: unknown,
  screen?: AccountsMessageId | DataMessageId | PicturesMessageId | ProgramsMessageId,
): string => {
  if (!(failure instanceof CallFailure)) {
    if (screen) return i18n._(screen)
    return failure instanceof Error && failure.message !== '' ? failure.message : t('failure.other')
  }
  const fixed = failure.status === 'no-response' ? undefined : FIXED[failure.status]
  if (fixed) return t(fixed)
  if (!screen) return generalText(failure)
  const said = failure.error ?? failure.detail
  if (said) return said
  return failure.status === 'no-response'
    ? `${asSentence(i18n._(screen))} ${t('failure.noResponse')}`
    : i18n._(screen)
}

/** The `about` of a failure's message: all failures to reach the server share one message, whatever a proxy says in its place. */
export const aboutFailure = (failure: unknown): string | undefined =>
  failure instanceof CallFailure && failure.isUnreachable ? NETWORK : undefined
