// `npm run export -- --email you@example.org --to FILE`: writes what an account holds into a file, also while the server runs.
import { createWriteStream } from 'node:fs'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { parseArgs } from 'node:util'
import { EXPORT_CONTENTS, EXPORT_FORMATS } from '../contract/src/exports.ts'
import { tagNameKey } from '../contract/src/fields.ts'
import { loadConfig } from '../server/src/config.ts'
import { type Database, openDb } from '../server/src/db/open.ts'
import { quotasOf } from '../server/src/db/usage.ts'
import { type ExportRequest, exportBytes } from '../server/src/exports/export-bytes.ts'
import { exportRequest, type Wanted } from '../server/src/exports/export-request.ts'
import { createFileStore } from '../server/src/files/store.ts'
import { idsInPiece } from '../server/src/items/id-pieces.ts'
import { createItemLists } from '../server/src/items/lists.ts'
import { createTrashSearch } from '../server/src/operations/search-trash.ts'
import { createTagStore, type TagStore } from '../server/src/tags/store.ts'
import { createWorkerPool } from '../server/src/threads/worker-pool.ts'
import { createUsers } from '../server/src/users/users.ts'
import { makeFile } from './backup/new-file.ts'
import { runCommand } from './command.ts'
import { CliError } from './prepare.mjs'
import { createProgressBar } from './progress-bar.mjs'

const USAGE =
  'npm run export -- --email you@example.org --to FILE [--format archive] [--trash] [--versions] [--kind note] [--search …] [--tag …] [--untagged]'
const HELP = `${USAGE}

Выгружает в новый файл всё, что есть в учётной записи, или то, что выбрано. Сервер может работать.

  --email     адрес учётной записи
  --to        имя файла; такого файла ещё не должно быть
  --format    ${EXPORT_FORMATS.join(', ')}; без него archive
  --trash     и корзину (не для netscape)
  --versions  и прежние версии (только для archive)
  --kind      только note (заметки) или urllink (ссылки)
  --search    только то, что находит такой поиск
  --tag       только то, что помечено этим тегом
  --untagged  только то, у чего нет тегов

Код завершения: 0 — файл записан, 1 — нет.`

const KINDS = ['note', 'urllink'] as const

interface Arguments {
  email: string
  to: string
  /** The name of a tag in place of its id. */
  wanted: Wanted
}

/** Undefined for --help. */
function readArguments(): Arguments | undefined {
  const { values } = parseArgs({
    options: {
      email: { type: 'string', default: '' },
      to: { type: 'string', default: '' },
      format: { type: 'string', default: 'archive' },
      trash: { type: 'boolean', default: false },
      versions: { type: 'boolean', default: false },
      kind: { type: 'string' },
      search: { type: 'string' },
      tag: { type: 'string' },
      untagged: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  })
  if (values.help) return undefined
  const { email, to, trash, versions, search, tag, untagged } = values
  const format = EXPORT_FORMATS.find((known) => known === values.format)
  if (!format) throw new CliError(`Формат: --format ${EXPORT_FORMATS.join(', ')}.`)
  if (!email || !to) throw new CliError(`Нужны адрес и файл: ${USAGE}`)
  const kind = KINDS.find((known) => known === values.kind)
  if (kind !== values.kind) throw new CliError('Вид записей: --kind note или --kind urllink.')
  const contents = EXPORT_CONTENTS[format]
  if (kind === 'note' && !contents.notes)
    throw new CliError('В файле закладок заметок нет: выберите другой формат.')
  if (trash && !contents.trash) throw new CliError('В файле закладок корзины нет: выберите другой формат.')
  if (versions && !contents.versions)
    throw new CliError('Прежние версии есть только в архиве Копилки: --format archive.')
  return { email, to, wanted: { format, trash, versions, kind, search, exact: true, tag, untagged } }
}

/** How many items there will be in the file; some fewer where the trash holds others than were chosen. */
async function countOf(db: Database, { filter, ids }: ExportRequest): Promise<number> {
  if (ids) return [...ids.named, ...ids.namedTrash].flatMap(idsInPiece).length
  const { owner_id, kinds, tag_id, untagged, trash } = filter
  const tags = db.selectFrom('item_tags').select('item_id').where('owner_id', '=', owner_id)
  const items = await db
    .selectFrom('items')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('owner_id', '=', owner_id)
    .where('kind', 'in', kinds)
    .$if(tag_id !== undefined, (all) => all.where('id', 'in', tags.where('tag_id', '=', tag_id ?? '')))
    .$if(untagged, (all) => all.where('id', 'not in', tags))
    .executeTakeFirstOrThrow()
  if (!trash) return items.total
  const deleted = await db
    .selectFrom('trash')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('owner_id', '=', owner_id)
    .executeTakeFirstOrThrow()
  return items.total + deleted.total
}

/** Writes the items that are wanted into the new file `unfinished`. */
async function exportAccount({ email, wanted }: Arguments, unfinished: string): Promise<void> {
  const config = loadConfig()
  const db = await openDb(config)
  const pool = createWorkerPool(config)
  try {
    const owner_id = await createUsers(db, Date.now).ownerOf(email)
    if (owner_id === undefined) throw new CliError(`Учётной записи ${email} нет.`)
    const tags = createTagStore({ db, clock: Date.now })
    const parts = { clock: Date.now, tags, lists: createItemLists({ db, tags, pool }) }
    const tag = wanted.tag === undefined ? undefined : await idOf(tags, owner_id, wanted.tag)
    const request = await exportRequest(
      { ...parts, searchTrash: createTrashSearch(pool) },
      owner_id,
      { ...wanted, tag },
      new AbortController().signal,
    )
    const total = await countOf(db, request)
    const bar = createProgressBar('Записи', total)
    const bytes = exportBytes(pool, request, {
      pictures: createFileStore({ db, clock: Date.now, quotas: quotasOf(config) }),
      onProgress: (items) => bar.show(Math.min(items, total)),
    })
    await pipeline(
      Readable.from(bytes, { objectMode: false }),
      createWriteStream(unfinished, { flags: 'wx' }),
    )
    bar.finish()
  } finally {
    await pool.close()
    await db.destroy()
  }
}

/** The id of the tag of that name. */
async function idOf(tags: TagStore, owner_id: string, name: string): Promise<string> {
  const tag = (await tags.list(owner_id)).find((one) => tagNameKey(one.name) === tagNameKey(name))
  if (!tag) throw new CliError(`Тега «${name}» нет.`)
  return tag.id
}

await runCommand(USAGE, async () => {
  const wanted = readArguments()
  if (!wanted) return console.log(HELP)
  const { to } = wanted
  await makeFile(to, (unfinished) => exportAccount(wanted, unfinished))
  console.log(`Готово: ${to}`)
})
