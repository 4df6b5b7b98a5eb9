import { t } from '../messages/lazy-messages.ts'

interface Count {
  readonly done: number
  readonly total: number
}

/** How far something has come, in words. */
export const progressText = ({ part, ...progress }: Count & { part?: Count }): string =>
  part
    ? t('selection.progress.part', { ...progress, part: part.done, of: part.total })
    : t('selection.progress', { ...progress })
