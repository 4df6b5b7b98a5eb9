/** What each family of calls is about, in the order the pages show them. A test notices one that is missing. */
export const FAMILIES: Readonly<Record<string, string>> = {
  accounts: 'Учётная запись и вход',
  notes: 'Заметки',
  links: 'Ссылки',
  tags: 'Категории',
  search: 'Поиск и последние записи',
  metadata: 'Сведения о странице',
  site: 'Этот сервер',
}

/** What each call does, by family and name. A test notices one that is missing. */
export const PURPOSES: Readonly<Record<string, string>> = {
  'accounts.register': 'Зарегистрироваться',
  'accounts.login': 'Войти: даёт пару ключей, ключ доступа на 15 минут и ключ обновления на 30 дней',
  'accounts.refresh': 'Обменять ключ обновления на новую пару; старая пара больше не действует',
  'accounts.logout': 'Выйти: оба ключа этого входа больше не действуют',
  'accounts.me': 'Кто вошёл',
  'accounts.passwordReset': 'Попросить письмо для сброса пароля; ответ один, есть такая почта или нет',
  'accounts.passwordResetConfirm': 'Задать новый пароль по ссылке из письма; все входы заканчиваются',
  'accounts.changeProfile': 'Изменить имя и фамилию',
  'accounts.changePassword': 'Изменить пароль; все другие входы заканчиваются',
  'notes.list':
    'Заметки по 15 на странице: закреплённые, за ними новые (sort: другой порядок); с search лучшие совпадения сверху; untagged=1: только без тегов',
  'notes.create': 'Добавить заметку; недостающие теги создаются',
  'notes.read': 'Одна заметка',
  'notes.update':
    'Изменить заметку; add_tags и remove_tags вместо tags меняют только названные теги; без них теги остаются прежними, без pinned — закрепление',
  'notes.remove': 'Удалить заметку; её теги остаются',
  'links.list':
    'Ссылки по 15 на странице: закреплённые, за ними новые (sort: другой порядок); с search лучшие совпадения сверху; untagged=1: только без тегов',
  'links.create': 'Добавить ссылку; недостающие теги создаются',
  'links.read': 'Одна ссылка',
  'links.update':
    'Изменить ссылку; add_tags и remove_tags вместо tags меняют только названные теги; без них теги остаются прежними, без pinned — закрепление',
  'links.remove': 'Удалить ссылку; её теги остаются',
  'tags.list': 'Все категории по алфавиту, или первые limit; search ищет в любой части названия',
  'tags.read': 'Одна категория',
  'tags.update': 'Переименовать категорию',
  'tags.remove': 'Удалить категорию; её записи остаются',
  'tags.items': 'Записи категории: по 100 каждого вида, закреплённые, за ними новейшие',
  'search.latest': 'По 10 записей каждого вида: закреплённые, за ними новейшие',
  'search.search':
    'По 20 лучших совпадений каждого вида и сколько их всего; если ничего не нашлось — для запроса из corrected (кроме exact=1)',
  'metadata.extract': 'Заголовок, описание и ключевые слова страницы по её адресу',
  'site.read': 'Открыта ли регистрация и куда писать о помощи',
}
