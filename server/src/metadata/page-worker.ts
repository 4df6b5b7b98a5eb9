import { parentPort } from 'node:worker_threads'
import type { FetchedPage } from './fetch-page.ts'
import { readPage } from './read-page.ts'

/** The thread in which pages are read: one that holds it up holds up nothing else. */
parentPort?.on('message', (page: FetchedPage) => parentPort?.postMessage(readPage(page)))
