import type { ExportRecord } from './records.ts'

/** A format whose file is one text, written record by record. */
export interface TextFormat {
  /** What the file begins with. `exportedAt`: in milliseconds. */
  readonly begin: (exportedAt: number) => string
  /** Empty for a record that the format has no place for. `before`: what was written last. */
  readonly write: (record: ExportRecord, before: ExportRecord['type'] | undefined) => string
  readonly end: (before: ExportRecord['type'] | undefined) => string
}

export const isoTime = (time: number): string => new Date(time).toISOString()
