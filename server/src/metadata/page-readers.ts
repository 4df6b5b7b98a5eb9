import { Worker } from 'node:worker_threads'
import { type PageMetadata, pageMetadata } from '@kopilka/contract/metadata.ts'
import { AppError } from '../errors.ts'
import type { FetchedPage } from './fetch-page.ts'

/** Pages read at once. */
const THREADS = 2
/** Milliseconds for one page, the start of a thread included: many times what two megabytes of an honest one take. */
const PATIENCE = 5_000
/**
 * Milliseconds of reading after which a page goes on only while nobody waits: two that are hard to read must not hold up
 * all others. A busy machine takes longer than that to start a thread.
 */
const SHARE = 1_000
/** Milliseconds after which a thread that has nothing to do gives its memory back. */
const IDLE = 30_000
/** Megabytes of a thread: a page has two at most, and is there in a few copies. */
const MEMORY = { maxOldGenerationSizeMb: 96, maxYoungGenerationSizeMb: 16 }

interface Reading {
  readonly page: FetchedPage
  readonly signal: AbortSignal
  readonly resolve: (metadata: PageMetadata) => void
  readonly reject: (refusal: AppError) => void
}

/** Reads pages in threads of their own, which are there while they are needed: a page that holds one up holds up nothing else. */
export function createPageReaders({ patience = PATIENCE, share = SHARE } = {}) {
  const waiting: Reading[] = []
  const threads = new Set<Worker>()
  const idle = new Map<Worker, NodeJS.Timeout>()

  function start(): Worker {
    const thread = new Worker(new URL('page-worker.ts', import.meta.url), { resourceLimits: MEMORY })
    threads.add(thread)
    // Out of memory, for example: whoever waits for the thread sees it end.
    thread.on('error', () => {})
    thread.on('exit', () => forget(thread))
    return thread
  }

  function forget(thread: Worker): void {
    threads.delete(thread)
    clearTimeout(idle.get(thread))
    idle.delete(thread)
  }

  async function stop(thread: Worker): Promise<void> {
    forget(thread)
    await thread.terminate()
  }

  function freeThread(): Worker | undefined {
    const [thread] = idle.keys()
    if (!thread) return threads.size < THREADS ? start() : undefined
    clearTimeout(idle.get(thread))
    idle.delete(thread)
    return thread
  }

  function readNext(): void {
    // Nobody waits for these any more.
    while (waiting[0]?.signal.aborted) waiting.shift()?.reject(new AppError('fetchTooSlow'))
    const thread = waiting.length > 0 ? freeThread() : undefined
    const reading = thread && waiting.shift()
    if (reading) read(thread, reading)
  }

  function read(thread: Worker, { page, resolve, reject }: Reading): void {
    const end = () => void stop(thread)
    const patient = setTimeout(end, patience)
    let sharing: NodeJS.Timeout | undefined
    thread.once('message', begin).once('exit', giveUp)
    thread.postMessage(page, [page.bytes.buffer])

    /** The thread says when it takes the page up, and then what it read. */
    function begin(): void {
      thread.once('message', finish)
      sharing = setInterval(() => {
        if (waiting.some(({ signal }) => !signal.aborted)) end()
      }, share)
    }

    function finish(answer: unknown): void {
      settle()
      thread.off('exit', giveUp)
      idle.set(thread, setTimeout(() => void stop(thread), IDLE).unref())
      resolve(pageMetadata.parse(answer))
      readNext()
    }

    function giveUp(): void {
      settle()
      reject(new AppError('fetchTooComplex'))
      readNext()
    }

    function settle(): void {
      clearTimeout(patient)
      clearInterval(sharing)
    }
  }

  return {
    /**
     * Takes the page's bytes away. Throws 'fetchTooComplex' for a page that takes too much memory or too long, sooner
     * where others wait, 'fetchTooSlow' where the signal came before its turn.
     */
    read: (page: FetchedPage, signal: AbortSignal): Promise<PageMetadata> =>
      new Promise((resolve, reject) => {
        waiting.push({ page, signal, resolve, reject })
        readNext()
      }),

    /** What is being read, and what waits, is given up. */
    async close(): Promise<void> {
      for (const { reject } of waiting.splice(0)) reject(new AppError('fetchTooComplex'))
      await Promise.all([...threads].map(stop))
    },
  }
}
