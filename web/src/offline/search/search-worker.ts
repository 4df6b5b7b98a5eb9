import { indexStorage } from './index-storage.ts'
import { createSearchEngine } from './search-engine.ts'

export type SearchEngine = ReturnType<typeof createSearchEngine>

/**
 * A call of a method of the engine; the response goes to the port that comes with it. Any message from there says that it is not
 * wanted any more.
 */
export type EngineCall = {
  [Method in keyof SearchEngine]: {
    readonly method: Method
    readonly argument: Parameters<SearchEngine[Method]>[0]
  }
}[keyof SearchEngine]

export type EngineResponse = { readonly value: unknown } | { readonly failure: string }

/** The page names the worker after its sign-in. */
const engine = createSearchEngine(indexStorage(self.name))

const run = ({ method, argument }: EngineCall, signal: AbortSignal): Promise<unknown> =>
  // The types of both belong together.
  (engine[method] as (argument: unknown, signal: AbortSignal) => Promise<unknown>)(argument, signal)

addEventListener('message', ({ data, ports: [port] }: MessageEvent<EngineCall>) => {
  const respond = (response: EngineResponse) => port?.postMessage(response)
  const ending = new AbortController()
  port?.addEventListener('message', () => ending.abort())
  port?.start()
  run(data, ending.signal).then(
    (value) => respond({ value }),
    (failure: unknown) => respond({ failure: String(failure) }),
  )
})
