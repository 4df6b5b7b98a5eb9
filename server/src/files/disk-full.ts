import { codeOf } from '../errors.ts'

/** A disk without room, or a folder that takes no files; for SQLite and for PostgreSQL the same. */
const CODES = ['ENOSPC', 'EDQUOT', 'EROFS', 'EACCES', 'SQLITE_FULL', '53100']

/** Whether something could not be written because the disk has no room for it, or the folder takes none. */
export const isDiskFull = (error: unknown): boolean => CODES.includes(codeOf(error))
