import type { DataMessageId } from '../messages/data-messages.ts'
import type { ProgramsMessageId } from '../messages/programs-messages.ts'

/**
 * Where a failure is reported, so that it is reported once:
 * 'screen' – the screen itself; a sentence's name – a snackbar with the server's words, else that sentence;
 * absent – a snackbar with the general catalogue.
 */
export interface FailureMeta extends Record<string, unknown> {
  failure?: 'screen' | DataMessageId | ProgramsMessageId
  /** That there is no such thing (404) the screen says in any case. */
  missing?: 'screen'
}

declare module '@tanstack/react-query' {
  interface Register {
    queryMeta: FailureMeta
    mutationMeta: FailureMeta
  }
}
