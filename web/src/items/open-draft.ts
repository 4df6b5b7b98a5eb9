import { type Draft, draftsOf, readDraft } from './draft.ts'

/** Where a form keeps its unsaved text while it is open. */
export interface OpenDraft {
  /** No other open form has it. */
  place: string
  /** The text to begin with. */
  draft?: Draft | undefined
  /** Drafts of closed forms, the newest first; empty where the form starts with a draft. */
  abandoned: Draft[]
  release: () => void
}

type Release = () => void

/** A page that is being left gives its places back within moments, on a busy machine too. */
export const LEAVING_MS = 5000
/** A database that does not respond must not keep the form from opening. */
const PATIENCE_MS = 10_000

/**
 * Locks a place until released, or until the page is gone; returns undefined where another form holds it.
 * Browsers have locks on https and localhost only; elsewhere the form opened last takes the text over.
 */
export const hold = (place: string, options: LockOptions): Promise<Release | undefined> => {
  if (!('locks' in navigator)) return Promise.resolve(() => {})
  return new Promise((resolve) => {
    const keep = (lock: Lock | null) => lock && new Promise<void>((release) => resolve(release))
    navigator.locks.request(`draft:${place}`, options, keep).then(
      () => resolve(undefined),
      () => resolve(undefined),
    )
  })
}

/** Those of the drafts that no open form holds. */
export const withoutHeld = async <Place extends Pick<Draft, 'place'>>(drafts: Place[]): Promise<Place[]> => {
  if (!('locks' in navigator)) return drafts
  const { held = [] } = await navigator.locks.query()
  return drafts.filter(({ place }) => held.every(({ name }) => name !== `draft:${place}`))
}

/** The router's name for the present history entry: a reload and a restored session keep it. */
const historyEntry = (): string => String(window.history.state?.__TSR_key)

const keyOf = (form: string): string => `draft:${form}`

/** In place of a history entry: the next form that opens begins with the draft. */
const NEXT = 'next'

/** Has the next form of this kind that opens in this tab begin with the draft of a place. */
export const beginNextWith = (form: string, place: string): void =>
  sessionStorage.setItem(keyOf(form), `${NEXT} ${place}`)

/** The place that a form had last in this tab, and in which history entry. */
export const lastPlace = (form: string): { entry: string; place: string } => {
  const [entry = '', place = ''] = sessionStorage.getItem(keyOf(form))?.split(' ') ?? []
  return { entry, place }
}

const open = async (form: string, adopts: boolean): Promise<OpenDraft> => {
  const entry = historyEntry()
  const take = (place: string, release: Release, draft: Draft | undefined, abandoned: Draft[]): OpenDraft => {
    sessionStorage.setItem(keyOf(form), `${entry} ${place}`)
    return { place, release, draft, abandoned }
  }
  const { entry: ownEntry, place: own } = lastPlace(form)
  if ((adopts || ownEntry === entry || ownEntry === NEXT) && (await readDraft(own))) {
    const release = await hold(own, { signal: AbortSignal.timeout(LEAVING_MS) })
    if (release) return take(own, release, await readDraft(own), [])
  }
  const drafts = await draftsOf(form)
  for (const draft of adopts ? drafts : []) {
    const release = await hold(draft.place, { ifAvailable: true })
    if (release) return take(draft.place, release, draft, [])
  }
  return take(...(await newPlace(form)), undefined, await withoutHeld(drafts))
}

const newPlace = async (form: string): Promise<[place: string, release: Release]> => {
  const place = `${form}:${crypto.getRandomValues(new Uint32Array(2)).join('-')}`
  return [place, (await hold(place, { ifAvailable: true })) ?? (() => {})]
}

/**
 * Takes a place for a form that opens. After a reload or a crash it starts with its draft. With a draft of other visits
 * have left a form that `adopts` begins as well, of this tab first; any other form only offers it. It waits for what `moves` drafts.
 */
export const openDraft = async (
  form: string,
  adopts: boolean,
  moves: Promise<unknown> = Promise.resolve(),
): Promise<OpenDraft> => {
  const blank = async (): Promise<OpenDraft> => {
    await new Promise((resolve) => setTimeout(resolve, PATIENCE_MS))
    const [place, release] = await newPlace(form)
    return { place, release, abandoned: [] }
  }
  return Promise.race([moves.then(() => open(form, adopts)), blank()])
}
