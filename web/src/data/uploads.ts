import { imports, type SampledImport } from '@kopilka/contract/imports.ts'
import type { QueryClient } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import { importQuery, importsQuery } from '../api/import-queries.ts'
import { watchSession } from '../api/session.ts'
import { upload } from '../api/upload.ts'

/*
 * The file that is being sent to the server. It belongs to the page, not to a component: another screen may be opened
 * meanwhile. A file that could not be sent stays, so that it can be sent once more.
 */

export interface Upload {
  file: File
  /** The share of the file that has been sent, from 0 to 1. */
  share: number
  /** Why it was not sent. */
  failure?: { cause: unknown; unreadable: boolean }
}

let current: Upload | undefined
/** A file that was dropped or pasted on another screen. */
let offered: File | undefined
let controller = new AbortController()
const listeners = new Set<() => void>()

const replace = (upload: Upload | undefined): void => {
  current = upload
  for (const listener of listeners) listener()
}

const onUpload = (listener: () => void): (() => void) => {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** The file that is being sent, or could not be. */
export const useUpload = (): Upload | undefined => useSyncExternalStore(onUpload, () => current)

/** Leaves a file to the screen of imports, which is about to open. */
export const offerFile = (file: File): void => {
  offered = file
}

/** The file that was left, once. */
export const takeOffered = (): File | undefined => {
  const file = offered
  offered = undefined
  return file
}

/** The browser asks before a tab is closed that is sending a file. */
const askBeforeUnload = (event: BeforeUnloadEvent): void => event.preventDefault()

/** Whether the browser can still read the file: it may have been changed, moved or unplugged since it was chosen. */
const isReadable = (file: File): Promise<boolean> =>
  file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    )

/** Shows an import that has just begun, without asking for it. */
const cacheStarted = (queryClient: QueryClient, started: SampledImport): void => {
  queryClient.setQueryData(importQuery(started.id).queryKey, started)
  queryClient.setQueryData(importsQuery.queryKey, (list) => ({
    count: (list?.count ?? 0) + 1,
    results: [started, ...(list?.results ?? [])],
  }))
}

/** Gives the file up, whether it is being sent or could not be. */
export const dropUpload = (): void => {
  controller.abort()
  replace(undefined)
}

/** Sends a file, in place of any other. */
export const startUpload = async (queryClient: QueryClient, file: File): Promise<void> => {
  dropUpload()
  controller = new AbortController()
  const { signal } = controller
  const stop = watchSession({ ended: dropUpload, replaced: dropUpload, renewed: () => undefined })
  window.addEventListener('beforeunload', askBeforeUnload)
  replace({ file, share: 0 })
  try {
    const started = await upload(imports.create, file, {
      signal,
      onProgress: (share) => replace({ file, share }),
    })
    cacheStarted(queryClient, started)
    replace(undefined)
  } catch (cause) {
    const unreadable = !(await isReadable(file))
    if (!signal.aborted) replace({ file, share: 0, failure: { cause, unreadable } })
  } finally {
    window.removeEventListener('beforeunload', askBeforeUnload)
    stop()
  }
}
