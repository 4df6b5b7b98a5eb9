import { placesOf, readDraft } from './draft.ts'

type Release = () => void

/** A page that is being left gives its places back within moments, on a busy machine too. */
const LEAVING_MS = 3000

/**
 * Holds a place until released, or until the page is gone; answers undefined where another form holds it.
 * Browsers have locks on https and localhost only; elsewhere whoever comes later takes the text over.
 */
const hold = (place: string, options: LockOptions): Promise<Release | undefined> => {
  if (!('locks' in navigator)) return Promise.resolve(() => {})
  return new Promise((resolve) => {
    const keep = (lock: Lock | null) => lock && new Promise<void>((release) => resolve(release))
    navigator.locks.request(`draft:${place}`, options, keep).then(
      () => resolve(undefined),
      () => resolve(undefined),
    )
  })
}

/** Where a form that opens keeps its text: what this tab has left there, else the newest that no open form holds. */
export const takePlace = async (form: string): Promise<{ place: string; release: Release }> => {
  const key = `draft:${form}`
  const take = (place: string, release: Release) => {
    sessionStorage.setItem(key, place)
    return { place, release }
  }
  const own = sessionStorage.getItem(key)
  if (own !== null && readDraft(own)) {
    const release = await hold(own, { signal: AbortSignal.timeout(LEAVING_MS) })
    if (release) return take(own, release)
  }
  for (const place of [...placesOf(form), `${form}:${Date.now()}`]) {
    const release = await hold(place, { ifAvailable: true })
    if (release) return take(place, release)
  }
  return takePlace(form)
}
