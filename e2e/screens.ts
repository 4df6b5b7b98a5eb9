import type { Locator, Page } from '@playwright/test'
import { type Crowded, LONG } from './fixtures.ts'

/** A screen of the route table. */
export interface Screen {
  /** `:note`, `:link` and `:tag` stand for ids. */
  path: string
  /** How its document is called, without the name of the product. */
  title: string
  /** What is visible once everything has loaded that the screen waits for. */
  loaded: (page: Page) => Locator
}

const screen = (path: string, title: string, loaded: Screen['loaded']): Screen => ({ path, title, loaded })
const article = (page: Page) => page.getByRole('article').last()
const field = (name: string | RegExp) => (page: Page) => page.getByRole('textbox', { name })
const text = (text: string | RegExp) => (page: Page) => page.getByRole('main').getByText(text).first()

/** The route table of docs/specification.md, section 2, and the screens of docs/behaviour.md, for an account of {@link Crowded}. */
export const PROTECTED = {
  'home and profile': [
    screen('/home', 'Главная', (page) => page.getByRole('article').nth(1)),
    screen('/profile', 'Профиль', field('Email')),
    screen('/profile/history', 'История действий', text(/Пока ни одного действия|Nothing done yet/)),
    screen('/profile/data', 'Данные', (page) =>
      page.getByRole('button', { name: /Удалить учётную запись|Delete the account/ }),
    ),
    screen('/profile/duplicates', 'Повторы', text(/Повторов нет|No duplicates/)),
    screen('/profile/programs', 'Программы', text(/Пока ни одного ключа|No tokens yet/)),
    screen('/trash', 'Корзина', text(/В корзине пусто|The trash is empty/)),
  ],
  notes: [
    screen('/notes', 'Заметки', article),
    screen('/notes/add', 'Новая заметка', field(/Содержание|Content/)),
    screen('/add?title=Idea&text=Text', 'Новая заметка', field(/Содержание|Content/)),
    screen('/notes/:note', LONG, text(/Создано|Created/)),
    screen(
      '/notes/:note/versions',
      `Прежние версии: ${LONG}`,
      text(/Прежних версий нет|No earlier versions/),
    ),
    screen('/notes/:note/edit', `Редактирование заметки «${LONG}»`, field(/Содержание|Content/)),
  ],
  links: [
    screen('/url-links', 'Ссылки', article),
    screen('/urllinks/:link', LONG, text(/Создано|Created/)),
    screen(
      '/urllinks/:link/versions',
      `Прежние версии: ${LONG}`,
      text(/Прежних версий нет|No earlier versions/),
    ),
    screen('/urllinks/:link/edit', `Редактирование ссылки «${LONG}»`, field(/Описание|Description/)),
    screen('/urllinks/add', 'Новая ссылка', field(/Описание|Description/)),
  ],
  tags: [
    screen('/tags', 'Категории', text(LONG.slice(0, 50))),
    screen('/tags/:tag', 'тег 0', article),
    screen('/tags/:tag/edit/', 'Редактирование категории «тег 0»', field(/Название Тега|name/i)),
  ],
} as const
export const PUBLIC = [
  screen('/privacy', 'Политика конфиденциальности', text('support@example.org')),
  screen('/auth/login', 'Вход', field('Email')),
  screen('/auth/registration', 'Регистрация', field('Email')),
  screen('/auth/password-reset', 'Сброс пароля', field('Email')),
  screen('/auth/password-confirm', 'Новый пароль', text(/неполная|incomplete/)),
] as const

/** Every screen of someone who is signed in. */
export const PROTECTED_SCREENS: readonly Screen[] = Object.values(PROTECTED).flat()

/** The address of a screen with the ids of an account in it. */
export const addressOf = ({ path }: Screen, { note, link }: Pick<Crowded, 'note' | 'link'>): string =>
  path
    .replace(':note', note.id)
    .replace(':link', link.id)
    .replace(':tag', note.tags[0]?.id ?? '')
