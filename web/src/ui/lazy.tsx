import { type FunctionComponent, type ReactNode, use } from 'react'
import { useLanguage } from '../messages/language.ts'

/** Records in local storage that the page was reloaded because a chunk of it did not load. */
const FLAG = 'reloaded_after_failed_load'

/** A chunk of the application did not load: the connection broke, or a newer version replaced the file. */
export class ChunkLoadError extends Error {
  override readonly name = 'ChunkLoadError'
}

/** Chunks that are loading, for {@link allowReload}. */
const loading = new Set<Promise<unknown>>()
/** A chunk that was to be shown did not load. */
let failed = false
/** Whether this document is on its way out: React may ask again meanwhile. */
let reloading = false

/** A component that loads when it is first shown or preloaded. */
type PropsOf<Component> = Component extends (props: infer Props) => ReactNode ? Props : never

export type Lazy<Props> = FunctionComponent<Props> & { preload: () => Promise<void> }

/**
 * A component of another chunk: `lazy(() => import('./list-page.tsx'), 'ListPage', { kind })`. `given` are props known
 * beforehand. Where the chunk does not load it throws {@link ChunkLoadError} for the crash page, and `preload` rejects
 * with the same; the next `preload` tries again. A change of language re-renders it.
 */
export const lazy = <
  Module extends Record<Name, (props: never) => ReactNode>,
  Name extends keyof Module,
  Given extends Partial<PropsOf<Module[Name]>> = object,
>(
  load: () => Promise<Module>,
  name: Name,
  given?: Given,
): Lazy<Omit<PropsOf<Module[Name]>, keyof Given>> => {
  type Props = Omit<PropsOf<Module[Name]>, keyof Given>
  let Loaded: FunctionComponent<Props & Given> | undefined
  let underWay: Promise<void> | undefined
  let rejected = false
  const preload = (): Promise<void> => {
    if (underWay && !rejected) return underWay
    rejected = false
    const promise = load().then(
      (module) => {
        // `given` and the props passed make up all of its props.
        Loaded = module[name] as unknown as FunctionComponent<Props & Given>
      },
      (cause) => {
        rejected = true
        throw new ChunkLoadError('a part of the page did not load', { cause })
      },
    )
    loading.add(promise)
    promise.then(undefined, () => undefined).finally(() => loading.delete(promise))
    underWay = promise
    return promise
  }
  function LazyComponent(props: Props) {
    useLanguage()
    if (!Loaded) use(underWay ?? preload())
    const whole = { ...given, ...props } as Props & Given
    return Loaded && <Loaded {...whole} />
  }
  return Object.assign(LazyComponent, { preload })
}

/** Whether to reload the page for a chunk that did not load: once, and not again before every chunk has loaded. */
export const mayReload = (): boolean => {
  failed = true
  reloading ||= localStorage.getItem(FLAG) === null
  if (reloading) localStorage.setItem(FLAG, '1')
  return reloading
}

/**
 * A form shows its editor once the draft is read, some seconds after the screen at most. Were the flag removed before, an
 * editor that does not load would reload the page without end.
 */
const PARTS_START_MS = 15_000

/** To be called when a screen shows: once all of its chunks have loaded, the next failure may reload again. */
export const allowReload = async (): Promise<void> => {
  await new Promise((resolve) => setTimeout(resolve, PARTS_START_MS))
  await Promise.allSettled(loading)
  if (!failed) localStorage.removeItem(FLAG)
}
