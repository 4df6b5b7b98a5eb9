import { api, type MenuPress, type Tab, t } from './browser.ts'
import { connection } from './connection.ts'
import { descriptionOf, factsOf, isKeepable, titleOf } from './page.ts'
import { enqueue, flush, waiting } from './queue.ts'

const MENUS = [
  { id: 'page', title: 'menuPage', contexts: ['page'] },
  { id: 'link', title: 'menuLink', contexts: ['link'] },
  { id: 'selection', title: 'menuSelection', contexts: ['selection'] },
] as const

const BADGE_MS = 4000
const GREEN = '#256f61'
const RED = '#b3261e'

/** A word of success or failure on the extension's button; afterwards how many links wait. */
const showBadge = async (text: string, color: string): Promise<void> => {
  await api.action.setBadgeBackgroundColor({ color })
  await api.action.setBadgeText({ text })
  setTimeout(() => void showWaiting(), BADGE_MS)
}

const showWaiting = async (): Promise<void> => {
  const { length } = await waiting()
  await api.action.setBadgeBackgroundColor({ color: RED })
  await api.action.setBadgeText({ text: length > 0 ? String(length) : '' })
}

const send = async (options: Parameters<typeof flush>[0]) => {
  const sent = await flush(options)
  await showWaiting()
  return sent
}

/** The link that a press in a context menu asks for. */
const linkOf = async ({ menuItemId, linkUrl, linkText, selectionText }: MenuPress, tab: Tab | undefined) => {
  if (menuItemId === 'link' && linkUrl !== undefined)
    return {
      url: linkUrl,
      title: titleOf(linkText ?? selectionText ?? '', linkUrl),
      description: descriptionOf('', '', linkUrl),
    }
  const facts = await factsOf(tab ?? {})
  const quote = menuItemId === 'selection' ? facts.selection || (selectionText ?? '') : ''
  return {
    url: facts.url,
    title: titleOf(facts.title, facts.url),
    description: descriptionOf(quote, quote === '' ? facts.description : '', facts.url),
  }
}

const saveFromMenu = async (press: MenuPress, tab: Tab | undefined): Promise<void> => {
  const link = await linkOf(press, tab)
  if (!(await connection()) || !isKeepable(link.url)) return showBadge('!', RED)
  const key = await enqueue(link)
  const sent = await flush()
  await (sent.saved[key] ? showBadge('✓', GREEN) : showWaiting())
}

api.runtime.onInstalled.addListener(async () => {
  await api.contextMenus.removeAll()
  for (const { id, title, contexts } of MENUS)
    api.contextMenus.create({ id, title: t(title), contexts: [...contexts] })
})
api.contextMenus.onClicked.addListener((press, tab) => void saveFromMenu(press, tab))
api.runtime.onStartup.addListener(() => void send({ ifIdle: true }))
// A reader who stays may be connected again by now; an empty queue asks for nothing.
api.tabs.onActivated.addListener(() => void send({ ifIdle: true }))
self.addEventListener('online', () => void send({ ifIdle: true }))
// The popup may be closed while its link is on its way.
api.runtime.onMessage.addListener((message, _sender, respond) => {
  if (message !== 'flush' && message !== 'retry') return undefined
  void send({ retry: message === 'retry' }).then(respond)
  // The response comes later.
  return true
})
