import { constants, platform, setPriority } from 'node:os'
import { parentPort } from 'node:worker_threads'
import type { FetchedPage } from './fetch-page.ts'
import { readPage } from './read-page.ts'

// Others who ask the server go first. Only on Linux has a thread a priority of its own; elsewhere this is the process's.
if (platform() === 'linux') setPriority(0, constants.priority.PRIORITY_BELOW_NORMAL)

/** The thread in which pages are read: one that holds it up holds up nothing else. It says when it begins, then what it read. */
parentPort?.on('message', (page: FetchedPage) => {
  parentPort?.postMessage('begun')
  parentPort?.postMessage(readPage(page))
})
