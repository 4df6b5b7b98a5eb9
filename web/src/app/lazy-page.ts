import { lazyRouteComponent } from '@tanstack/react-router'
import { createElement } from 'react'
import { useLanguage } from '../messages/language.ts'

/** Tells in local storage that the page was reloaded because a part of it did not load. */
const FLAG = 'reloaded_after_failed_load'

/** A part of the application did not load: the connection broke, or a newer version replaced the file. */
export class PartNotLoaded extends Error {
  override readonly name = 'PartNotLoaded'
}

let failed = false
/** A reload takes a while to begin; React may ask again meanwhile. */
let reloading = false

type Page = () => React.JSX.Element

/** Renders a screen anew in each language; nothing in it is mounted anew, so what is typed stays. */
const inLanguage = (Screen: Page) => {
  useLanguage()
  return createElement(Screen)
}

/** A component loaded when its route is visited: `lazyPage(() => import('…'), 'NotesPage')`. */
export const lazyPage = <Name extends string>(load: () => Promise<Record<Name, Page>>, name: Name) =>
  lazyRouteComponent<Record<Name, Page>, Name>(async () => {
    try {
      const { [name]: Screen } = await load()
      return { [name]: () => inLanguage(Screen) } as Record<Name, Page>
    } catch (cause) {
      failed = true
      throw new PartNotLoaded('a part of the page did not load', { cause })
    }
  }, name)

/** Reloads the page unless that was done already; answers whether it does. */
export const reloadOnce = (): boolean => {
  if (reloading || localStorage.getItem(FLAG) !== null) return reloading
  localStorage.setItem(FLAG, '1')
  reloading = true
  window.location.reload()
  return true
}

/** To be called when a route is ready: where every part has loaded, the next failure may reload again. */
export const allowReload = (): void => {
  if (!failed) localStorage.removeItem(FLAG)
}
