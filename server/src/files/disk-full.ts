import { codeOf } from '../db/error-code.ts'

/** Whether a file could not be written because the disk has no room for it, or the folder takes none. */
export const isDiskFull = (error: unknown): boolean =>
  ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES'].includes(codeOf(error))
