import { existsSync, mkdirSync } from 'node:fs'
import { sqliteFile } from '../../server/src/db/sqlite.ts'
import {
  checkpointSqlite,
  checkSqlite,
  copySqlite,
  replaceSqlite,
  schemaDifferences,
} from '../../server/src/db/sqlite-backup.ts'
import { CliError } from '../prepare.mjs'
import { createProgressBar } from '../progress-bar.mjs'
import { backupFile, besideFile, listed, makeFile } from './new-file.ts'

/** Writes a checked copy of the database in `dataDir`, which may be in use, into the new file `path`. */
export async function backUpSqlite(dataDir: string, path: string): Promise<void> {
  const file = sqliteFile(dataDir)
  if (!existsSync(file))
    throw new CliError(`Копировать нечего: нет файла ${file}. Проверьте настройку DATA_DIR.`)
  await makeFile(path, async (unfinished) => {
    await copyAndCheck(file, unfinished)
    const differences = await schemaDifferences(unfinished, `${unfinished}-fresh`)
    if (differences.length > 0)
      console.warn(
        `Внимание: таблицы базы изменены не Копилкой (${listed(differences)}): npm run restore такую копию не примет.`,
      )
  })
}

/** Replaces the database in `dataDir` by the copy `path`. Keeps the old one among the backups and prints where. */
export async function restoreSqlite(
  dataDir: string,
  path: string,
  { force }: { force: boolean },
): Promise<void> {
  if (!existsSync(path)) throw new CliError(`Нет такого файла: ${path}`)
  mkdirSync(dataDir, { recursive: true })
  const file = sqliteFile(dataDir)
  const isThere = existsSync(file)
  if (isThere && !force) {
    throw new CliError(
      `База данных уже есть: ${file}. Чтобы заменить её, выполните npm run restore -- ФАЙЛ --force: прежняя останется среди копий.`,
    )
  }
  // Fails before a long copy rather than after it.
  if (isThere) checkpointSqlite(file)
  const aside = backupFile(dataDir, '-before-restore.sqlite')
  await besideFile(file, async (unfinished) => {
    await copyAndCheck(path, unfinished)
    const differences = await schemaDifferences(unfinished, `${unfinished}-fresh`)
    if (differences.length > 0)
      throw new CliError(
        `Таблицы в копии изменены не Копилкой (${listed(differences)}): восстановить её нельзя.`,
      )
    replaceSqlite(file, unfinished, aside)
  })
  if (isThere) console.log(`Прежняя база: ${aside}`)
}

async function copyAndCheck(from: string, to: string): Promise<void> {
  let bar: ReturnType<typeof createProgressBar> | undefined
  await copySqlite(from, to, (copied, total) => {
    bar ??= createProgressBar('Страницы', total)
    bar.show(copied)
  })
  bar?.finish()
  console.log('Проверяю копию…')
  checkSqlite(to)
}
