// `npm run export -- --email you@example.org --to FILE`: writes what an account holds into a file, also while the server runs.
import { createWriteStream } from 'node:fs'
import { access, rename, rm } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { EXPORT_CONTENTS, EXPORT_FORMATS, type ExportFormat } from '../contract/src/exports.ts'
import { loadConfig } from '../server/src/config.ts'
import { type Database, openDb } from '../server/src/db/open.ts'
import { ITEM_KINDS } from '../server/src/db/schema.ts'
import { exportBytes } from '../server/src/exports/export-bytes.ts'
import { createWorkerPool } from '../server/src/threads/worker-pool.ts'
import { createUsers } from '../server/src/users/users.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'

const USAGE = 'npm run export -- --email you@example.org --to FILE [--format archive] [--trash] [--versions]'
const HELP = `${USAGE}

Выгружает всё, что есть в учётной записи, в новый файл. Сервер может работать.

  --email     адрес учётной записи
  --to        имя файла; такого файла ещё не должно быть
  --format    ${EXPORT_FORMATS.join(', ')}; без него archive
  --trash     и корзину (не для netscape)
  --versions  и прежние версии (только для archive)

Код завершения: 0 — файл записан, 1 — нет.`

interface Wanted {
  email: string
  to: string
  format: ExportFormat
  trash: boolean
  versions: boolean
}

/** Undefined where help was asked for. */
function readArguments(): Wanted | undefined {
  const { values } = parseArgs({
    options: {
      email: { type: 'string', default: '' },
      to: { type: 'string', default: '' },
      format: { type: 'string', default: 'archive' },
      trash: { type: 'boolean', default: false },
      versions: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (!values.email || !values.to || !format) throw new CliError(`Нужны адрес, файл и формат: ${USAGE}`)
  const contents = EXPORT_CONTENTS[format]
  if (values.trash && !contents.trash)
    throw new CliError('В файле закладок корзины нет: выберите другой формат.')
  if (values.versions && !contents.versions)
    throw new CliError('Прежние версии есть только в архиве Копилки: --format archive.')
  return { ...values, format }
}

/** How many items there will be in the file. */
async function countOf(db: Database, owner_id: string, { trash }: Wanted): Promise<number> {
  const counts = (['items', 'trash'] as const).map(async (table) => {
    if (table === 'trash' && !trash) return 0
    const { total } = await db
      .selectFrom(table)
      .select(({ fn }) => fn.countAll<number>().as('total'))
      .where('owner_id', '=', owner_id)
      .executeTakeFirstOrThrow()
    return total
  })
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0)
}

async function exportAccount(wanted: Wanted): Promise<void> {
  const { email, to, format, trash, versions } = wanted
  const isTaken = await access(to).then(
    () => true,
    () => false,
  )
  if (isTaken) throw new CliError(`Файл ${to} уже есть: назовите другой.`)
  const config = loadConfig()
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  const unfinished = `${to}.part`
  try {
    const owner_id = await createUsers(db, Date.now).ownerOf(email)
    if (owner_id === undefined) throw new CliError(`Учётной записи ${email} нет.`)
    const total = await countOf(db, owner_id, wanted)
    const bar = createProgressBar('Записи', Math.max(total, 1))
    const kinds = format === 'netscape' ? (['link'] as const) : ITEM_KINDS
    const filter = {
      owner_id,
      kinds,
      untagged: false,
      tags: format !== 'netscape',
      trash,
      versions,
      now: Date.now(),
    }
    const bytes = exportBytes(
      pool,
      { format, filter },
      { inTurn: (task) => task(), onProgress: (items) => bar.show(Math.min(items, total)) },
    )
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createWriteStream(unfinished, { flags: 'wx' }),
    )
    await rename(unfinished, to)
    bar.finish()
    console.log(`Готово: ${to}`)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST'))
      await rm(unfinished, { force: true })
    throw error
  } finally {
    await pool.close()
    await db.destroy()
  }
}

await runCommand(USAGE, async () => {
  const wanted = readArguments()
  if (wanted) await exportAccount(wanted)
  else console.log(HELP)
})
