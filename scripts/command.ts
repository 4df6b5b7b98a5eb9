import { ConfigError } from '../server/src/config.ts'
import { UnusableDatabase } from '../server/src/db/dialect.ts'
import { codeOf } from '../server/src/errors.ts'
import { CliError } from './prepare.mjs'

/** Runs a command on the database. An error that the administrator can fix is printed as one line, with exit code 1. */
export async function runCommand(usage: string, work: () => Promise<void>): Promise<void> {
  // Databases and copies hold users' notes and password hashes: only this user may read them.
  process.umask(0o077)
  try {
    await work()
  } catch (error) {
    const explanation = explain(error, usage)
    if (explanation === undefined) throw error
    console.error(explanation)
    process.exitCode = 1
  }
}

function explain(error: unknown, usage: string): string | undefined {
  if (error instanceof CliError || error instanceof ConfigError || error instanceof UnusableDatabase)
    return error.message
  const code = codeOf(error)
  const because = error instanceof Error ? ` (${error.message})` : ''
  if (code.startsWith('ERR_PARSE_ARGS')) return `Такая команда непонятна: ${usage}${because}`
  if (/^(?:ENOSPC|EDQUOT|SQLITE_FULL)/.test(code)) return `На диске не хватает места.${because}`
  if (/^(?:EACCES|EPERM|EROFS|SQLITE_READONLY)/.test(code))
    return `Нет прав на файл или папку: выполните команду от имени того, кто запускает Копилку.${because}`
  if (/^(?:ENOENT|ENOTDIR|EISDIR|SQLITE_CANTOPEN)/.test(code)) return `Нет такого файла или папки.${because}`
  if (/^SQLITE_(?:NOTADB|CORRUPT)/.test(code)) return `Файл повреждён или это не база данных.${because}`
  if (/^(?:EIO|SQLITE_IOERR)/.test(code)) return `Диск не читается или не пишет.${because}`
  if (/^SQLITE_(?:BUSY|LOCKED)/.test(code))
    return `База данных занята другой программой: повторите позже.${because}`
  return undefined
}
