import type { Copy } from '../responses.ts'
import type { Finder } from '../search-request.ts'
import { finderWith } from './finder.ts'
import { isIndexBehind } from './index-storage.ts'
import { overlayOf, type Sent } from './overlay.ts'
import type { EngineCall, EngineResponse, SearchEngine } from './search-worker.ts'

type Method = keyof SearchEngine
type Argument<M extends Method> = Parameters<SearchEngine[M]>[0]
type Result<M extends Method> = Awaited<ReturnType<SearchEngine[M]>>

/** Milliseconds after the last call until the worker ends: it has tens of megabytes in memory. */
const IDLE = 120_000

interface Running {
  readonly signIn: string
  readonly worker: Worker
  /** Calls without a response, by what fails them. */
  readonly waiting: Set<(failure: Error) => void>
  /** The view of which it has the changes that wait, and what these are. */
  view?: Copy
  sent: Sent
  /** When it has the last view that it was given. */
  shown: Promise<void>
  idle?: ReturnType<typeof setTimeout>
}

let running: Running | undefined

/** Ends the worker, which keeps nothing that the database does not have. */
export function endSearch(because = 'The search has ended.'): void {
  const ended = running
  running = undefined
  clearTimeout(ended?.idle)
  ended?.worker.terminate()
  for (const fail of ended?.waiting ?? []) fail(new Error(because))
}

function workerOf(signIn: string): Running {
  if (running && running.signIn !== signIn) endSearch()
  if (running) return running
  // The build makes a file of the worker where it finds both expressions in one.
  const worker = new Worker(new URL('./search-worker.ts', import.meta.url), { type: 'module', name: signIn })
  worker.addEventListener('error', ({ message }) => endSearch(message))
  running = { signIn, worker, waiting: new Set(), sent: new Map(), shown: Promise.resolve() }
  return running
}

async function call<M extends Method>(
  to: Running,
  method: M,
  argument: Argument<M>,
  signal?: AbortSignal,
): Promise<Result<M>> {
  const { worker, waiting } = to
  signal?.throwIfAborted()
  if (running !== to) throw new Error('The search has ended.')
  const { port1, port2 } = new MessageChannel()
  clearTimeout(to.idle)
  const { promise, resolve, reject } = Promise.withResolvers<EngineResponse>()
  waiting.add(reject)
  port1.onmessage = ({ data }: MessageEvent<EngineResponse>) => resolve(data)
  const abort = () => port1.postMessage('abort')
  signal?.addEventListener('abort', abort)
  // Method and argument belong together.
  worker.postMessage({ method, argument } as EngineCall, [port2])
  try {
    const response = await promise
    if ('failure' in response) throw new Error(response.failure)
    // The engine's own.
    return response.value as Result<M>
  } finally {
    signal?.removeEventListener('abort', abort)
    port1.close()
    waiting.delete(reject)
    if (waiting.size === 0 && running === to) to.idle = setTimeout(endSearch, IDLE)
  }
}

const NOTHING: Copy = { items: new Map(), tags: new Map(), textsOf: async () => new Map() }

/** Has the worker know what the changes that wait make of the copy: one view after the other. */
function overlay(worker: Running, copy: Copy, view: Copy): Promise<void> {
  const show = async () => {
    if (worker.view === view) return
    const { overlay, sent } = await overlayOf(copy, view, worker.sent)
    await call(worker, 'overlay', overlay)
    worker.sent = sent
    worker.view = view
  }
  const shown = worker.shown.then(show)
  worker.shown = shown.catch(() => undefined)
  return shown
}

/** The worker, when it knows the copy with the changes that wait. */
async function workerFor(signIn: string, copy: Copy, view: Copy): Promise<Running> {
  const worker = workerOf(signIn)
  await overlay(worker, copy, view)
  return worker
}

/**
 * Finds in the copy and in `view`, which has the changes that wait besides, until the signal aborts. The search runs in a worker
 * of its own.
 */
export const finderIn = (signIn: string, copy: Copy, view: Copy, signal?: AbortSignal): Finder =>
  finderWith({
    search: async (request) => call(await workerFor(signIn, copy, view), 'search', request, signal),
    similarTo: async (request) => call(await workerFor(signIn, copy, view), 'similarTo', request, signal),
  })

/** Indexes the copy in the background where the first search would have to wait for it. */
export async function indexCopy(signIn: string): Promise<void> {
  if (!(await isIndexBehind(signIn))) return
  const worker = workerOf(signIn)
  // What waits for the server is not kept: an index with it would be behind again. The next search sends it again.
  await overlay(worker, NOTHING, NOTHING)
  await call(worker, 'catchUp', undefined)
  await call(worker, 'keep', undefined)
}
