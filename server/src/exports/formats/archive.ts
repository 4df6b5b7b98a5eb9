import type { PictureType } from '@kopilka/contract/files.ts'
import { endingOf } from '../../files/store.ts'
import { isoTime, type TextFormat } from '../format.ts'
import type { ExportedItem, ExportedVersion } from '../records.ts'

/** Of the lines of `kopilka.json`: a reader refuses a version that it does not know. */
const ARCHIVE_VERSION = 1
export const ARCHIVE_FILE = 'kopilka.json'
/** The name of a picture in a zip. */
export const pictureName = (id: string, type: PictureType): string => `files/${id}.${endingOf(type)}`

const textOf = ({ title, url, body }: Pick<ExportedItem, 'title' | 'url' | 'body'>) => ({
  title,
  ...(url === null ? { content: body } : { url, description: body }),
})

const itemLine = ({ kind, deleted_at, ...item }: ExportedItem) => ({
  type: kind === 'link' ? 'urllink' : 'note',
  ...textOf(item),
  tags: item.tags,
  pinned: item.pinned,
  revision: item.revision,
  created_at: isoTime(item.created_at),
  updated_at: isoTime(item.updated_at),
  ...(deleted_at !== undefined && { deleted_at: isoTime(deleted_at) }),
})

const versionLine = (version: ExportedVersion) => ({
  type: 'version',
  ...textOf(version),
  tags: version.tags,
  revision: version.revision,
  saved_at: isoTime(version.saved_at),
  replaced_at: isoTime(version.replaced_at),
})

/** Копилка's own format, which loses nothing but ids: a line of JSON for the archive, then for each tag, item and version. */
export const archive: TextFormat = {
  begin: (exportedAt) =>
    `${JSON.stringify({ type: 'kopilka', version: ARCHIVE_VERSION, exported_at: isoTime(exportedAt) })}\n`,
  write(record) {
    switch (record.type) {
      case 'tag':
        return `${JSON.stringify({ type: 'tag', name: record.name })}\n`
      case 'item':
        return `${JSON.stringify(itemLine(record.item))}\n`
      case 'version':
        return `${JSON.stringify(versionLine(record.version))}\n`
    }
  },
  end: () => '',
}

/** The second file of the archive, for readers without Копилка. */
export const README = `Архив Копилки

Файл kopilka.json в кодировке UTF-8, в каждой строке — объект JSON:

  kopilka   первая строка: версия формата и время выгрузки
  tag       категория
  note      заметка: title, content (HTML), tags, pinned, revision, created_at, updated_at
  urllink   ссылка: то же, вместо content — url и description (HTML)
  version   прежняя версия записи из строки выше: что было в ней с saved_at до replaced_at

Запись с deleted_at лежит в корзине. Время — UTC с миллисекундами.

Картинка с адресом /api/v1/files/ИМЯ/ в тексте записи — файл files/ИМЯ.

Чтобы вернуть всё это в Копилку: Данные → Импорт. Архив, который больше, чем принимает сервер, переносит команда на
нём самом: npm run import -- --email АДРЕС ФАЙЛ.


Kopilka archive

kopilka.json is UTF-8, one JSON object a line: the archive itself, then tags, notes and links, each followed by its
earlier versions. An item with deleted_at is in the trash. Times are UTC with milliseconds. The picture with the address
/api/v1/files/NAME/ is the file files/NAME.

To bring it back: Data → Import. An archive that is larger than a server accepts is imported by a command on the server
itself: npm run import -- --email ADDRESS FILE.
`
