/*
 * The part of the browsers' extension API (Manifest V3) that this extension uses. Chromium and Firefox have it alike, with
 * promises; Firefox calls it `browser`.
 */

export interface Tab {
  id?: number
  /** Present on a page that the user has just called the extension on (`activeTab`). */
  url?: string
  title?: string
}

/** What was pressed in a context menu. */
export interface MenuPress {
  menuItemId: string | number
  linkUrl?: string
  /** The text of a link; Firefox alone tells. */
  linkText?: string
  selectionText?: string
}

interface Listeners<Arguments extends unknown[]> {
  addListener(listener: (...all: Arguments) => unknown): void
}

interface BrowserApi {
  action: {
    setBadgeText(badge: { text: string; tabId?: number }): Promise<void>
    setBadgeBackgroundColor(badge: { color: string }): Promise<void>
  }
  contextMenus: {
    create(item: { id: string; title: string; contexts: string[] }): unknown
    removeAll(): Promise<void>
    onClicked: Listeners<[press: MenuPress, tab: Tab | undefined]>
  }
  i18n: {
    getMessage(name: string, values?: string[]): string
    getUILanguage(): string
  }
  permissions: {
    contains(wanted: { origins: string[] }): Promise<boolean>
    /** Only while a click is handled. */
    request(wanted: { origins: string[] }): Promise<boolean>
    remove(granted: { origins: string[] }): Promise<boolean>
  }
  runtime: {
    onInstalled: Listeners<[]>
    onStartup: Listeners<[]>
    onMessage: Listeners<[message: unknown, sender: unknown, respond: (response: unknown) => void]>
    sendMessage(message: unknown): Promise<unknown>
  }
  scripting: {
    executeScript<Result>(injection: {
      target: { tabId: number }
      func: () => Result
    }): Promise<{ result?: Result }[]>
  }
  storage: {
    local: {
      get(key: string): Promise<Record<string, unknown>>
      set(values: Record<string, unknown>): Promise<void>
      remove(key: string): Promise<void>
    }
  }
  tabs: {
    query(which: { active: true; currentWindow: true }): Promise<Tab[]>
    create(tab: { url: string }): Promise<Tab>
    onActivated: Listeners<[]>
  }
}

declare const chrome: BrowserApi
// Firefox has both names, and promises under this one alone.
declare const browser: BrowserApi | undefined

export const api: BrowserApi = typeof browser === 'undefined' ? chrome : browser

/** A sentence in the browser's language, Russian or English. */
export const t = (name: string, ...values: string[]): string => api.i18n.getMessage(name, values)
