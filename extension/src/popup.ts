import { MAX_LENGTH, MAX_TAGS_PER_ITEM } from '@kopilka/contract/limits.ts'
import type { Link } from '@kopilka/contract/links.ts'
import type { Tag } from '@kopilka/contract/tags.ts'
import { api, type Tab, t } from './browser.ts'
import { CallFailure, call } from './call.ts'
import { type Connection, connect, connection, disconnect, readConnection } from './connection.ts'
import { descriptionOf, factsOf, isKeepable, offerOf, titleOf } from './page.ts'
import { drop, enqueue, type Sent, waiting } from './queue.ts'

const MAX_SUGGESTIONS = 8
const MAX_KEYWORDS = 4
const SUGGEST_AFTER_MS = 200

type Child = Node | string

/** An element with attributes and children; text is text, never markup. */
const element = <Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Record<string, string | boolean> = {},
  ...children: Child[]
): HTMLElementTagNameMap[Name] => {
  const made = document.createElement(name)
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) made.setAttribute(key, '')
    else if (value !== false) made.setAttribute(key, value)
  }
  made.append(...children)
  return made
}

const find = <Found extends HTMLElement>(selector: string): Found => {
  const found = document.querySelector<Found>(selector)
  if (!found) throw new Error(selector)
  return found
}

const say = (text: string, isError = false): void => {
  const place = find('#message')
  place.textContent = text
  place.toggleAttribute('data-error', isError)
}

const show = (...children: Child[]): void => find('main').replaceChildren(...children)

const button = (text: string, onClick: () => void): HTMLButtonElement => {
  const made = element('button', { type: 'button' }, text)
  made.addEventListener('click', onClick)
  return made
}

const openTab = (url: string): void => {
  void api.tabs.create({ url })
  window.close()
}

/** What a failure means, in words. */
const reasonOf = (failure: unknown): string => {
  if (!(failure instanceof CallFailure)) return t('failed')
  if (failure.status === 401) return t('tokenDead')
  return failure.message || t(failure.mayPass ? 'serverAway' : 'failed')
}

/** Fails unless the token may save: an empty link gets as far as being refused for what it lacks. */
const checkToken = async (made: Connection): Promise<void> => {
  await call<Tag[]>(made, { path: '/tags/', query: { limit: '1' } })
  try {
    await call(made, { method: 'POST', path: '/urllinks/', body: {} })
  } catch (failure) {
    if (!(failure instanceof CallFailure) || failure.status !== 400) throw failure
  }
}

/** Asks where Копилка is and for a token; takes both from its settings where the tab shows them. */
async function showConnecting(tab: Tab): Promise<void> {
  const offer = await offerOf(tab)
  const server = element('input', {
    name: 'server',
    type: 'url',
    placeholder: 'https://',
    required: true,
    value: offer?.server ?? '',
  })
  const token = element('input', {
    name: 'token',
    type: 'password',
    autocomplete: 'off',
    required: true,
    value: offer?.token ?? '',
  })
  const submit = element('button', { type: 'submit' }, t('connect'))
  const form = element(
    'form',
    { novalidate: true },
    element('p', { class: 'quiet' }, t(offer ? 'connectFound' : 'connectAbout')),
    element('label', {}, t('server'), server),
    element('label', {}, t('token'), token),
    submit,
  )
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    const made = readConnection(server.value, token.value)
    if (!made) return say(t('connectWrong'), true)
    // First of all: browsers ask only while the press is handled.
    if (!(await connect(made))) return say(t('permissionDenied'), true)
    try {
      await checkToken(made)
    } catch (failure) {
      await disconnect()
      return say(reasonOf(failure), true)
    }
    say('')
    void api.runtime.sendMessage('retry').then(showWaiting)
    await start()
  })
  show(form)
  ;(offer ? submit : server).focus()
}

/** The names in a field of tags, one of each. */
const namesIn = (text: string): string[] => {
  const names = text.split(',').map((name) => name.trim().replace(/\s+/g, ' '))
  const kept = new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name]))
  return [...kept.values()].slice(0, MAX_TAGS_PER_ITEM)
}

/** A field of tags, separated by commas, with the page's keywords and the user's own tags to choose from. */
function tagsField(server: Connection, keywords: string) {
  const ofPage = namesIn(keywords)
    .filter(({ length }) => length <= MAX_LENGTH.tagName)
    .slice(0, MAX_KEYWORDS)
  const input = element('input', { name: 'tags', autocomplete: 'off', placeholder: t('tagsHint') })
  const suggestions = element('div', { class: 'suggestions', role: 'group', 'aria-label': t('suggestions') })
  let timer = 0
  const suggest = async () => {
    const typed = input.value.slice(input.value.lastIndexOf(',') + 1).trim()
    const query = { limit: String(MAX_SUGGESTIONS), ...(typed !== '' && { search: typed }) }
    const found = await call<Tag[]>(server, { path: '/tags/', query }).catch(() => [])
    const taken = namesIn(input.value).map((name) => name.toLowerCase())
    const names = [...found.map(({ name }) => name), ...(typed === '' ? ofPage : [])]
    const free = new Map(names.map((name) => [name.toLowerCase(), name]))
    for (const name of taken) free.delete(name)
    suggestions.replaceChildren(
      // A comma would make two of one.
      ...[...free.values()]
        .filter((name) => !name.includes(','))
        .map((name) =>
          button(name, () => {
            const before = input.value.slice(0, input.value.lastIndexOf(',') + 1)
            input.value = `${before}${before === '' ? '' : ' '}${name}, `
            input.focus()
            void suggest()
          }),
        ),
    )
  }
  input.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(() => void suggest(), SUGGEST_AFTER_MS)
  })
  void suggest()
  return { input, suggestions }
}

/** Says whether the address is kept already, and leads there. */
async function showKept(server: Connection, url: string, place: HTMLElement): Promise<void> {
  try {
    const { found } = await call<{ found: Link | null }>(server, { path: '/urllinks/check/', query: { url } })
    if (!found) return
    const link = element('a', { href: `${server.server}/urllinks/${found.id}` }, found.title)
    link.addEventListener('click', (event) => {
      event.preventDefault()
      openTab(link.href)
    })
    place.replaceChildren(`${t('alreadyKept')} `, link)
    place.hidden = false
  } catch (failure) {
    say(reasonOf(failure), true)
  }
}

/** The form that saves the page of the tab. */
async function showForm(server: Connection, tab: Tab): Promise<void> {
  const facts = await factsOf(tab)
  if (!isKeepable(facts.url)) return show(element('p', {}, t('cannotKeep')))
  const kept = element('div', { class: 'kept', role: 'status', hidden: true })
  const title = element('input', { name: 'title', value: titleOf(facts.title, facts.url), required: true })
  const quote = element('textarea', { name: 'quote', rows: '3' }, facts.selection)
  const note = element('textarea', {
    name: 'note',
    rows: '2',
    placeholder: facts.selection === '' ? facts.description : '',
  })
  const tags = tagsField(server, facts.keywords)
  const submit = element('button', { type: 'submit' }, t('save'))
  const form = element(
    'form',
    { novalidate: true },
    kept,
    element('p', { class: 'address' }, facts.url),
    element('label', {}, t('title'), title),
    element('label', {}, t('tags'), tags.input),
    tags.suggestions,
    ...(facts.selection === '' ? [] : [element('label', {}, t('quote'), quote)]),
    element('label', {}, t('note'), note),
    element(
      'div',
      { class: 'row' },
      submit,
      button(t('disconnect'), async () => {
        await disconnect()
        await start()
      }),
    ),
  )
  form.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) form.requestSubmit()
  })
  form.addEventListener('submit', async (event) => {
    event.preventDefault()
    // Ctrl+Enter comes here even while the button is disabled.
    if (submit.disabled) return
    submit.disabled = true
    const said = note.value.trim() === '' && quote.value.trim() === '' ? facts.description : note.value
    try {
      const key = await enqueue({
        url: facts.url,
        title: titleOf(title.value, facts.url),
        description: descriptionOf(quote.value, said, facts.url),
        tags: namesIn(tags.input.value),
      })
      say(t('sending'))
      // Sent by the worker of the extension: the popup may be closed meanwhile.
      const sent = (await api.runtime.sendMessage('flush').catch(() => undefined)) as Sent | undefined
      await showWaiting()
      say('')
      show(...(await outcomeOf(server, key, sent)))
    } catch {
      submit.disabled = false
      say(t('failed'), true)
    }
  })
  show(form)
  title.select()
  void showKept(server, facts.url, kept)
}

/** Says what became of a link that was sent. */
async function outcomeOf(server: Connection, key: string, sent: Sent | undefined): Promise<Child[]> {
  const saved = sent?.saved[key]
  if (saved)
    return [
      element('p', { role: 'status' }, `${t('saved')} «${saved.title}».`),
      button(t('open'), () => openTab(`${server.server}/urllinks/${saved.id}`)),
    ]
  const refused = (await waiting()).find((one) => one.key === key)?.refused
  const because = refused === undefined && sent?.failure?.status === 401 ? 'queuedTokenDead' : 'queued'
  return [element('p', { role: 'status' }, refused === undefined ? t(because) : t('refused', refused))]
}

/** What has not reached the server yet, and why. */
async function showWaiting(): Promise<void> {
  const place = find('#waiting')
  const links = await waiting()
  place.hidden = links.length === 0
  if (links.length === 0) return
  const rows = links.map(({ key, body, refused }) =>
    element(
      'li',
      {},
      element('span', {}, refused === undefined ? body.title : `${body.title}: ${refused}`),
      button(t('remove'), async () => {
        await drop(key)
        await api.runtime.sendMessage('flush')
        await showWaiting()
      }),
    ),
  )
  place.replaceChildren(
    element(
      'div',
      { class: 'row' },
      element('strong', {}, t('waiting', String(links.length))),
      button(t('sendNow'), async () => {
        await api.runtime.sendMessage('retry')
        await showWaiting()
      }),
    ),
    element('ul', {}, ...rows),
  )
}

async function start(): Promise<void> {
  const [tab = {}] = await api.tabs.query({ active: true, currentWindow: true })
  const server = await connection()
  await (server ? showForm(server, tab) : showConnecting(tab))
  await showWaiting()
}

document.documentElement.lang = t('language')
await start()
