import { FIELD_MESSAGES, type Locale, messageIn } from './field-messages.ts'

/** All messages of the server; the browser's bundle has FIELD_MESSAGES only. */
const MESSAGES = {
  ...FIELD_MESSAGES,
  emailTaken: {
    ru: 'Пользователь с таким email уже существует.',
    en: 'A user with this email already exists.',
  },
  tagNameTaken: {
    ru: 'Категория с таким названием уже существует.',
    en: 'A category with this name already exists.',
  },
  wrongCurrentPassword: { ru: 'Неверный текущий пароль.', en: 'Wrong current password.' },
  exportNoTrash: {
    ru: 'В файле закладок корзины нет: выберите другой формат',
    en: 'A file of bookmarks has no trash: choose another format',
  },
  exportNoVersions: {
    ru: 'Прежние версии есть только в архиве Копилки',
    en: 'Only the archive of Копилка has earlier versions',
  },
  exportNoNotes: {
    ru: 'В файле закладок заметок нет: выберите другой формат',
    en: 'A file of bookmarks has no notes: choose another format',
  },
  tagsOrChanges: {
    ru: 'Нужно либо tags, либо add_tags и remove_tags',
    en: 'Send either tags, or add_tags and remove_tags',
  },
  tooManyIds: { ru: 'Не больше {max} записей за один раз', en: 'No more than {max} items at once' },
  limit: { ru: 'Нужно целое число от 1', en: 'This has to be a whole number from 1' },
  pageNumber: { ru: 'Номер страницы — целое число от 1', en: 'A page number is a whole number from 1' },

  changesCursor: {
    ru: 'Здесь нужно значение next из прежнего ответа',
    en: 'Send the value of next of an earlier response',
  },
  trashState: {
    ru: 'Здесь нужно значение as_of из списка корзины',
    en: 'Send the value of as_of of a list of the trash',
  },

  // `detail` of error responses (docs/specification.md, section 8; docs/behaviour.md, section 2).
  formInvalid: { ru: 'Пожалуйста, исправьте ошибки в форме.', en: 'Please correct the errors in the form.' },
  queryInvalid: {
    ru: 'В адресе запроса ошибка: проверьте его параметры.',
    en: 'The request address is wrong: check its parameters.',
  },
  malformedJson: {
    ru: 'Запрос не удалось прочитать: в нём должен быть JSON в кодировке UTF-8.',
    en: 'The request could not be read: it must be JSON in UTF-8.',
  },
  requestTimeout: {
    ru: 'Запрос не пришёл вовремя. Попробуйте ещё раз.',
    en: 'The request did not come in time. Try again.',
  },
  badRequest: { ru: 'Неправильный запрос', en: 'Bad request' },
  addressTooLong: {
    ru: 'В адрес запроса столько текста не помещается: можно около 20 000 русских букв. Ничего не сохранено. Передайте текст частями или вставьте его в новую заметку.',
    en: 'The request address cannot hold so much text: it has room for some 120,000 Latin letters. Nothing was saved. Send the text in parts, or paste it into a new note.',
  },
  headersTooLong: {
    ru: 'Заголовки запроса длиннее 16 КБ. Удалите в браузере файлы cookie этого сайта и попробуйте ещё раз.',
    en: 'The headers of the request are longer than 16 KB. Delete the cookies of this site in your browser and try again.',
  },
  unauthorized: { ru: 'Необходимо авторизоваться.', en: 'You need to sign in.' },
  tokenForAccount: {
    ru: 'Ключ доступа не открывает саму учётную запись. Войдите в Копилку.',
    en: 'A token gives no access to the account itself. Sign in.',
  },
  tokenScope: {
    ru: 'У этого ключа нет права на такое действие. Создайте ключ с нужным правом: «Профиль → Программы».',
    en: 'This token is not allowed to do that. Create a token with the right scope: “Profile → Programs”.',
  },
  apiTokenNotFound: {
    ru: 'Ключ не найден. Возможно, его уже отозвали.',
    en: 'Token not found. It may have been revoked.',
  },
  apiTokenQuota: {
    ru: 'Ключей уже столько, сколько можно иметь. Отзовите ненужные и попробуйте снова.',
    en: 'You have as many tokens as one can have. Revoke some that you do not need and try again.',
  },
  expiryOver: { ru: 'Этот срок уже прошёл', en: 'This time has passed' },
  wrongCredentials: { ru: 'Неверный email или пароль.', en: 'Wrong email or password.' },
  resetLinkDead: {
    ru: 'Ссылка для сброса пароля недействительна или устарела. Запросите новую.',
    en: 'The password reset link is invalid or out of date. Request a new one.',
  },
  exportLinkDead: {
    ru: 'Ссылка на файл недействительна или устарела. Запросите новую.',
    en: 'The link to the file is invalid or out of date. Request a new one.',
  },
  itemQuota: {
    ru: 'Записей уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные и попробуйте снова.',
    en: 'You already have as many items as this server keeps for one user. Delete some that you do not need and try again.',
  },
  tagQuota: {
    ru: 'Категорий уже столько, сколько этот сервер хранит для одного пользователя. Возьмите имеющуюся или удалите ненужные.',
    en: 'You already have as many categories as this server keeps for one user. Take an existing one or delete some that you do not need.',
  },
  textQuota: {
    ru: 'Текста уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные записи и попробуйте снова.',
    en: 'You already have as much text as this server keeps for one user. Delete some items that you do not need and try again.',
  },
  notFound: { ru: 'Ресурс не найден', en: 'Not found' },
  noteNotFound: {
    ru: 'Заметка не найдена. Возможно, её уже удалили.',
    en: 'Note not found. It may have been deleted.',
  },
  linkNotFound: {
    ru: 'Ссылка не найдена. Возможно, её уже удалили.',
    en: 'Link not found. It may have been deleted.',
  },
  tagNotFound: {
    ru: 'Категория не найдена. Возможно, её уже удалили.',
    en: 'Category not found. It may have been deleted.',
  },
  operationNotFound: {
    ru: 'Действие не найдено. Отменить его можно в течение 30 дней.',
    en: 'Action not found. It can be undone for 30 days.',
  },
  operationUndone: {
    ru: 'Это действие уже отменили.',
    en: 'This action has been undone already.',
  },
  changesGone: {
    ru: 'Изменения с того времени уже не хранятся. Получите все записи заново: тот же запрос без since.',
    en: 'The changes since then are not kept any more. Fetch all items anew: the same request without since.',
  },
  trashedNotFound: {
    ru: 'В корзине этой записи нет. Возможно, её уже восстановили или удалили навсегда.',
    en: 'This item is not in the trash. It may have been restored or deleted for ever.',
  },
  versionNotFound: {
    ru: 'Версия не найдена. Возможно, её срок хранения истёк.',
    en: 'Version not found. It may be older than versions are kept.',
  },
  bulkChange: {
    ru: 'Нужно либо delete, либо хотя бы одно из add_tags, remove_tags и pinned.',
    en: 'Send either delete, or at least one of add_tags, remove_tags and pinned.',
  },
  mergeIntoItself: {
    ru: 'Категорию нельзя объединить с ней самой.',
    en: 'A category cannot be merged into itself.',
  },
  mergeUnderWay: {
    ru: 'Категорию, с которой нужно объединить, сейчас саму объединяют с другой или удаляют. Подождите, пока это закончится.',
    en: 'The category to merge into is itself being merged or deleted. Wait until that has ended.',
  },
  mergeItself: {
    ru: 'Запись нельзя объединить с ней самой.',
    en: 'An item cannot be merged with itself.',
  },
  mergeKinds: {
    ru: 'Объединить можно только записи одного вида: заметки с заметками, ссылки со ссылками.',
    en: 'Only items of one kind can be merged: notes with notes, links with links.',
  },
  mergeTooLong: {
    ru: 'Тексты этих записей вместе длиннее, чем помещается в одну. Ничего не изменено.',
    en: 'The texts of these items together are longer than one item can hold. Nothing was changed.',
  },
  mergeManyTags: {
    ru: 'Тегов у этих записей вместе больше 50: столько у одной не бывает. Ничего не изменено.',
    en: 'These items together have more than 50 tags, which one item cannot have. Nothing was changed.',
  },
  itemNotFound: {
    ru: 'Одной из записей нет. Возможно, её уже удалили. Ничего не изменено.',
    en: 'One of the items does not exist. It may have been deleted. Nothing was changed.',
  },
  idsOrFilter: {
    ru: 'Назовите либо ids, либо filter.',
    en: 'Name either ids or filter.',
  },
  methodNotAllowed: {
    ru: 'Этот адрес не принимает такой запрос.',
    en: 'This address does not accept that method.',
  },
  changedMeanwhile: {
    ru: 'Пока вы редактировали, запись изменилась. Сравните оба варианта и сохраните снова.',
    en: 'The item has changed while you were editing. Compare both versions and save again.',
  },
  idempotencyKeyInvalid: {
    ru: 'Idempotency-Key — от 1 до 255 знаков ASCII.',
    en: 'Idempotency-Key is 1 to 255 characters of ASCII.',
  },
  idempotencyKeyReused: {
    ru: 'С этим Idempotency-Key уже приходил другой запрос. Возьмите новый ключ.',
    en: 'Another request came with this Idempotency-Key. Take a new key.',
  },
  tooLarge: {
    ru: 'Слишком много данных в одном запросе. Сократите текст и попробуйте снова.',
    en: 'Too much data in one request. Shorten the text and try again.',
  },
  tooSlow: {
    ru: 'Это заняло слишком много времени. Сузьте запрос и попробуйте снова.',
    en: 'This took too long. Narrow the request and try again.',
  },
  notJson: {
    ru: 'Запрос должен быть в формате JSON (Content-Type: application/json).',
    en: 'The request must be JSON (Content-Type: application/json).',
  },
  encodedBody: {
    ru: 'Сжатые запросы не принимаются: пришлите JSON без Content-Encoding.',
    en: 'Compressed requests are not accepted: send the JSON without Content-Encoding.',
  },
  // Why a page's metadata could not be read (docs/behaviour.md, section 6). None quotes the other server.
  fetchScheme: {
    ru: 'Прочитать можно только страницу с адресом http или https.',
    en: 'Only a page with an http or https address can be read.',
  },
  fetchCredentials: {
    ru: 'В адресе есть имя или пароль. Уберите их и попробуйте снова.',
    en: 'The address holds a name or a password. Remove them and try again.',
  },
  fetchClosedAddress: {
    ru: 'Этот адрес не в открытом интернете: сервер его не открывает.',
    en: 'This address is not on the open internet: the server does not open it.',
  },
  fetchClosedPort: {
    ru: 'Сервер открывает страницы только на портах 80, 443 и 8000–8999.',
    en: 'The server opens pages on ports 80, 443 and 8000–8999 only.',
  },
  fetchUnknownHost: {
    ru: 'Сайт с таким именем не найден. Проверьте адрес.',
    en: 'No site of that name was found. Check the address.',
  },
  fetchRefused: {
    ru: 'Сайт не принимает соединения. Проверьте адрес или попробуйте позже.',
    en: 'The site does not accept connections. Check the address or try again later.',
  },
  fetchBroken: {
    ru: 'Сайт оборвал соединение или ответил непонятно. Попробуйте позже.',
    en: 'The site broke the connection or sent a response that makes no sense. Try again later.',
  },
  fetchTls: {
    ru: 'Защищённое соединение с сайтом не удалось: его сертификату нельзя доверять.',
    en: 'No secure connection to the site could be made: its certificate cannot be trusted.',
  },
  fetchPictureSlow: {
    ru: 'Картинка не пришла за 10 секунд. Попробуйте позже.',
    en: 'The picture did not come within 10 seconds. Try again later.',
  },
  fetchPictureMissing: {
    ru: 'Такой картинки на сайте нет (код 404 или 410).',
    en: 'The site has no such picture (status 404 or 410).',
  },
  fetchPictureForbidden: {
    ru: 'Сайт не отдаёт эту картинку без входа или не пускает программы.',
    en: 'The site does not give this picture without signing in, or lets no programs in.',
  },
  fetchPictureFailed: {
    ru: 'Сайт не смог отдать эту картинку. Попробуйте позже.',
    en: 'The site could not give this picture. Try again later.',
  },
  fetchPictureScheme: {
    ru: 'Сохранить можно только картинку с адресом http или https.',
    en: 'Only a picture with an http or https address can be kept.',
  },
  fetchNotPicture: {
    ru: 'По этому адресу не картинка, а что-то другое.',
    en: 'There is no picture at this address but something else.',
  },
  fetchTooSlow: {
    ru: 'Страница не пришла за 10 секунд. Попробуйте позже.',
    en: 'The page did not come within 10 seconds. Try again later.',
  },
  fetchTooManyRedirects: {
    ru: 'Сайт слишком много раз отправил по другому адресу.',
    en: 'The site redirected too many times.',
  },
  fetchMissing: {
    ru: 'Такой страницы на сайте нет (код 404 или 410).',
    en: 'The site has no such page (status 404 or 410).',
  },
  fetchForbidden: {
    ru: 'Сайт не показывает эту страницу без входа или не пускает программы.',
    en: 'The site does not show this page without signing in, or lets no programs in.',
  },
  fetchBusy: {
    ru: 'Сайт просит подождать: запросов к нему слишком много. Попробуйте позже.',
    en: 'The site asks to wait: it gets too many requests. Try again later.',
  },
  fetchFailed: {
    ru: 'Сайт не смог показать эту страницу. Попробуйте позже.',
    en: 'The site could not show this page. Try again later.',
  },
  fetchNotPage: {
    ru: 'По этому адресу не страница, а что-то другое: файл, картинка или данные.',
    en: 'There is no page at this address but something else: a file, a picture or data.',
  },
  fetchDamaged: {
    ru: 'Страница пришла повреждённой: её не удалось распаковать.',
    en: 'The page came damaged: it could not be decompressed.',
  },
  fetchTooComplex: {
    ru: 'Страница устроена слишком сложно, прочитать её не удалось.',
    en: 'The page is too complex to be read.',
  },
  // Why a picture is not kept (docs/behaviour.md, section 17).
  fileNotFound: {
    ru: 'Картинка не найдена. Возможно, её уже удалили.',
    en: 'Picture not found. It may have been deleted.',
  },
  fileNotSent: {
    ru: 'Картинку присылают как есть, с Content-Type: image/… или application/octet-stream.',
    en: 'Send the picture as it is, with Content-Type: image/… or application/octet-stream.',
  },
  fileEmpty: {
    ru: 'Файл пуст: картинки в нём нет.',
    en: 'The file is empty: there is no picture in it.',
  },
  fileNotPicture: {
    ru: 'Это не картинка, которую можно сохранить. Подходят PNG, JPEG, WebP, GIF и AVIF.',
    en: 'This is not a picture that can be saved. Use PNG, JPEG, WebP, GIF or AVIF.',
  },
  fileSvg: {
    ru: 'Картинки SVG не принимаются: в них могут быть скрипты. Сохраните картинку как PNG и попробуйте снова.',
    en: 'SVG pictures are not accepted, because they can contain scripts. Save the picture as PNG and try again.',
  },
  fileDamaged: {
    ru: 'Картинка повреждена или пришла не целиком. Выберите файл ещё раз.',
    en: 'The picture is damaged or did not arrive whole. Choose the file again.',
  },
  fileManyPixels: {
    ru: 'В картинке слишком много пикселей. Уменьшите её и попробуйте снова.',
    en: 'The picture has too many pixels. Make it smaller and try again.',
  },
  fileTooLarge: {
    ru: 'Картинка больше, чем принимает этот сервер. Уменьшите её и попробуйте снова.',
    en: 'The picture is larger than this server accepts. Make it smaller and try again.',
  },
  fileQuota: {
    ru: 'Картинок уже столько, сколько этот сервер хранит для одного пользователя. Удалите ненужные записи с картинками, очистите корзину и попробуйте снова через день. Картинки, которые ни разу не были в сохранённой записи, удаляются через 30 дней.',
    en: 'You already have as many pictures as this server keeps for one user. Delete items with pictures that you do not need, empty the trash and try again in a day. Pictures that were never in a saved item are deleted after 30 days.',
  },
  // Why a row of an import is not kept, or what of it, or why a file cannot be read (docs/behaviour.md, section 10).
  importUnknownFormat: {
    ru: 'Формат файла не распознан. Выберите файл, который выгрузила другая программа, или список адресов.',
    en: 'The format of the file is not known. Choose a file that another program exported, or a list of addresses.',
  },
  importEmptyFile: {
    ru: 'Файл пуст: импортировать нечего.',
    en: 'The file is empty: there is nothing to import.',
  },
  importCutFile: {
    ru: 'Файл обрывается на середине. Скачайте или выгрузите его ещё раз.',
    en: 'The file breaks off in the middle. Download or export it again.',
  },
  importBrokenJson: {
    ru: 'Файл повреждён: это не JSON. Выгрузите его ещё раз.',
    en: 'The file is damaged: it is not JSON. Export it again.',
  },
  importBrokenCsv: {
    ru: 'Таблицу не удалось прочитать: в ней нарушены кавычки или столбцы.',
    en: 'The table could not be read: its quotes or columns are broken.',
  },
  importBrokenZip: {
    ru: 'Архив повреждён, распаковать его не удалось. Скачайте его ещё раз.',
    en: 'The archive is damaged and could not be unpacked. Download it again.',
  },
  importEncryptedZip: {
    ru: 'Архив защищён паролем. Распакуйте его и выберите файлы без пароля.',
    en: 'The archive is protected by a password. Unpack it and choose the files without a password.',
  },
  importZipBomb: {
    ru: 'Архив распаковывается в слишком большой объём, поэтому чтение остановлено.',
    en: 'The archive unpacks to far too much, so reading was stopped.',
  },
  importManyFiles: { ru: 'В архиве слишком много файлов.', en: 'There are too many files in the archive.' },
  importTooDeep: {
    ru: 'Папки или данные в файле вложены друг в друга слишком глубоко.',
    en: 'Folders or data in the file are nested too deeply.',
  },
  importLongEntry: {
    ru: 'Запись слишком длинная: столько в одной записи хранить нельзя.',
    en: 'The entry is too long: one item cannot hold so much.',
  },
  importCutEntry: {
    ru: 'Файл обрывается на этой записи: сохранено то, что удалось прочитать.',
    en: 'The file breaks off within this entry: what could be read is kept.',
  },
  importNoAddress: { ru: 'Нет адреса.', en: 'There is no address.' },
  importNoAddressInLine: { ru: 'В строке нет адреса.', en: 'There is no address in the line.' },
  importBadAddress: {
    ru: 'Неверный адрес: нужен полный, с http://, https:// или ftp://.',
    en: 'Wrong address: it has to be whole, with http://, https:// or ftp://.',
  },
  importLongAddress: {
    ru: 'Адрес длиннее 2048 символов.',
    en: 'The address is longer than 2048 characters.',
  },
  importCodeAddress: {
    ru: 'Это не адрес страницы, а программа или данные: такие закладки небезопасны.',
    en: 'This is no address of a page but a program or data: such bookmarks are not safe.',
  },
  importFileAddress: {
    ru: 'Это файл на компьютере, а не страница в сети.',
    en: 'This is a file on a computer, not a page on the network.',
  },
  importBrowserAddress: {
    ru: 'Внутренняя страница браузера: вне его она не откроется.',
    en: 'A page of the browser itself: it does not open elsewhere.',
  },
  importInTrash: {
    ru: 'Запись лежит в корзине прежней программы.',
    en: 'The item is in the trash of the other program.',
  },
  importEncrypted: {
    ru: 'Запись зашифрована. Выгрузите её без шифрования.',
    en: 'The item is encrypted. Export it without encryption.',
  },
  importEncryptedPart: {
    ru: 'Часть заметки зашифрована и перенесена как есть.',
    en: 'A part of the note is encrypted and was taken as it is.',
  },
  importIncomplete: {
    ru: 'В записи не хватает обязательных данных: файл повреждён.',
    en: 'The entry lacks required data: the file is damaged.',
  },
  importServiceMessage: { ru: 'Служебное сообщение.', en: 'A service message.' },
  importNoText: { ru: 'В сообщении нет текста.', en: 'The message has no text.' },
  importOthersChat: {
    ru: 'Сообщение из чата с другими людьми: переносится только «Избранное».',
    en: 'A message of a chat with others: only “Saved messages” are imported.',
  },
  importFileOfOther: {
    ru: 'Это файл, а не ссылка и не заметка.',
    en: 'This is a file, neither a link nor a note.',
  },
  importFolderDescription: {
    ru: 'Описание папки не перенесено: для него нет места.',
    en: "The folder's description is not imported: there is no place for it.",
  },
  importLinkToFile: {
    ru: 'Это не сам файл, а ссылка на него или устройство. Такое не переносится.',
    en: 'This is a link to a file or a device, not a file: it is not imported.',
  },
  importUnreadableFile: {
    ru: 'Файл не открывается: возможно, на него нет прав.',
    en: 'The file cannot be opened: perhaps there is no permission.',
  },
  importHiddenFile: { ru: 'Скрытый файл не переносится.', en: 'A hidden file is not imported.' },
  importUnknownFile: { ru: 'Файл такого вида не переносится.', en: 'A file of this kind is not imported.' },
  importNotFound: {
    ru: 'Импорт не найден. Возможно, его срок хранения истёк.',
    en: 'Import not found. It may be older than imports are kept.',
  },
  importNotFile: {
    ru: 'Файл присылают как есть, с Content-Type: application/octet-stream.',
    en: 'Send the file as it is, with Content-Type: application/octet-stream.',
  },
  importTooLarge: {
    ru: 'Файл больше, чем принимает этот сервер. Разделите его на части или попросите владельца сервера перенести его командой npm run import.',
    en: 'The file is larger than this server accepts. Split it into parts, or ask the owner of the server to import it with npm run import.',
  },
  fileOver: { ru: 'Не больше {max} МБ', en: 'No more than {max} MB' },
  importDiskFull: {
    ru: 'На сервере нет места для этого файла. Обратитесь к его владельцу.',
    en: 'The server has no room for this file. Ask its owner.',
  },
  importQuota: {
    ru: 'Начатых импортов уже слишком много. Выполните их или отмените.',
    en: 'Too many imports are begun already. Run or cancel them.',
  },
  importNotReady: {
    ru: 'Этот импорт нельзя выполнить: он ещё читается, уже выполнен или отменён.',
    en: 'This import cannot be run: it is still being read, or is done or cancelled.',
  },
  importRunning: {
    ru: 'Один импорт уже выполняется. Дождитесь его конца или отмените его.',
    en: 'One import is running already. Wait for its end or cancel it.',
  },
  importDone: {
    ru: 'Этот импорт уже выполнен. Отменить его можно в истории действий.',
    en: 'This import is done. It can be undone in the history of actions.',
  },
  importTooManyRows: {
    ru: 'В файле больше записей, чем этот сервер хранит для одного пользователя. Разделите его на части.',
    en: 'The file has more entries than this server keeps for one user. Split it into parts.',
  },
  importTooManyTags: {
    ru: 'В файле больше категорий, чем этот сервер хранит для одного пользователя. Разделите его на части или уберите из него лишние теги.',
    en: 'The file has more categories than this server keeps for one user. Split it into parts, or take some tags out of it.',
  },
  importTooComplex: {
    ru: 'Файл устроен слишком сложно, прочитать его не удалось.',
    en: 'The file is too complex to be read.',
  },
  importLost: {
    ru: 'Файл не удалось дочитать: сервер, который его принял, больше не работает. Загрузите его ещё раз.',
    en: 'The file could not be read to its end: the server that received it is gone. Upload it again.',
  },
  importFailed: {
    ru: 'Импорт прервался из-за ошибки на сервере. Попробуйте ещё раз.',
    en: 'The import was broken off by a fault of the server. Try again.',
  },
  importSame: { ru: 'Уже есть в Копилке.', en: 'Kept already.' },
  importSameInTrash: { ru: 'Уже лежит в корзине.', en: 'In the trash already.' },
  importSameInFile: { ru: 'Повторяется в файле.', en: 'Repeated in the file.' },
  importPageNotRead: {
    ru: 'Ссылка сохранена, но прочитать её страницу не удалось.',
    en: 'The link is saved, but its page could not be read.',
  },
  importTextNotMerged: {
    ru: 'Текст не добавлен к тому, что уже есть в Копилке: вместе они длиннее, чем может быть одна запись.',
    en: 'The text was not added to the one that is kept already: together they are longer than one item can be.',
  },
  importVersionsNotMerged: {
    ru: 'Прежние версии не добавлены к записи, которая уже есть в Копилке: {max}.',
    en: 'Earlier versions not added to the item that is kept already: {max}.',
  },
  importPlaceLine: { ru: 'строка {max}', en: 'line {max}' },
  importPlaceEntry: { ru: 'запись {max}', en: 'entry {max}' },
  importTagArchived: { ru: 'архив', en: 'archive' },
  importTagUnread: { ru: 'не прочитано', en: 'unread' },
  importTagStarred: { ru: 'избранное', en: 'starred' },
  importTagPrivate: { ru: 'личное', en: 'private' },
  importTagDone: { ru: 'сделано', en: 'done' },
  importAttachments: { ru: 'Вложения не перенесены: {max}.', en: 'Attachments not imported: {max}.' },
  importOtherFields: {
    ru: 'Дополнительные поля не перенесены: {max}.',
    en: 'Other fields not imported: {max}.',
  },
  importInnerLinks: {
    ru: 'Ссылки без полного адреса сайта стали обычным текстом: {max}.',
    en: 'Links without the full address of a site became plain text: {max}.',
  },
  importBadDates: {
    ru: 'Даты не поняты и не перенесены: {max}.',
    en: 'Dates not understood and not imported: {max}.',
  },
  importNamesCut: {
    ru: 'Названия тегов и папок сокращены до 50 символов: {max}.',
    en: 'Names of tags and folders cut to 50 characters: {max}.',
  },
  importManyTags: {
    ru: 'Лишние теги не перенесены: {max}.',
    en: 'Tags beyond the limit not imported: {max}.',
  },
  importOldVersions: {
    ru: 'Самые старые версии не перенесены: {max}.',
    en: 'The oldest versions not imported: {max}.',
  },
  importBrokenVersions: {
    ru: 'Испорченные или слишком длинные версии не перенесены: {max}.',
    en: 'Damaged or too long versions not imported: {max}.',
  },
  importVersionsCut: {
    ru: 'Прежние версии, у которых сокращены заголовок или теги: {max}.',
    en: 'Earlier versions whose title or tags were cut: {max}.',
  },
  importBrokenPicture: { ru: 'Картинка повреждена.', en: 'The picture is damaged.' },
  importLargePicture: {
    ru: 'Картинка больше, чем принимает этот сервер.',
    en: 'The picture is larger than this server accepts.',
  },
  importNoRoomForPicture: {
    ru: 'Для картинки нет места: их уже столько, сколько этот сервер хранит для одного пользователя.',
    en: 'There is no room for the picture: you already have as many as this server keeps for one user.',
  },
  importNewerArchive: {
    ru: 'Архив записала более новая Копилка. Обновите эту и попробуйте снова.',
    en: 'A newer Копилка wrote the archive. Update this one and try again.',
  },
  importTitleCut: { ru: 'Заголовок сокращён до 255 символов.', en: 'The title was cut to 255 characters.' },
  importTextCut: {
    ru: 'Описание слишком длинное: перенесено только его начало.',
    en: 'The description is too long: only its beginning is imported.',
  },
  importUntitled: { ru: 'Без названия', en: 'Untitled' },
  rateLimited: {
    ru: 'Вы превысили лимит запросов. Пожалуйста, попробуйте позже.',
    en: 'You have exceeded the request limit. Please try again later.',
  },
  internal: { ru: 'Внутренняя ошибка сервера', en: 'Internal server error' },
  databaseUnavailable: {
    ru: 'База данных сейчас недоступна. Подождите немного и попробуйте снова.',
    en: 'The database is unavailable right now. Wait a little and try again.',
  },
} as const satisfies Record<string, Record<Locale, string>>

export type MessageKey = keyof typeof MESSAGES

/** A key, or a key with the limit it speaks of: `tooLong:255`. Validation issues have it as their message. */
export type MessageRef = MessageKey | `${MessageKey}:${number}`

/** The message of a reference; any other text is a schema's default message and becomes 'wrongType'. */
export const translate = (ref: string, locale: Locale): string => messageIn(MESSAGES, ref, locale)
