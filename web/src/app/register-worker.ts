import { isReachable, onReachable } from '../lib/network.ts'

/** What the worker downloads must not delay the first screen. */
const AFTER_LOAD_MS = 2_000

const version = (): string | null | undefined =>
  document.querySelector('meta[name=version]')?.getAttribute('content')

/**
 * Registers the service worker (web/worker/service-worker.ts), with which the page opens where the server does not. Without
 * https a browser has none but on localhost; it may also forbid them: then everything else works.
 */
export const registerWorker = (): void => {
  if (!import.meta.env.PROD || !('serviceWorker' in navigator)) return
  const { serviceWorker } = navigator
  // It asks before it deletes the files of an older version.
  serviceWorker.addEventListener('message', ({ ports: [port] }) => port?.postMessage(version()))
  const register = () => {
    if (isReachable()) return void serviceWorker.register('/service-worker.js').catch(() => undefined)
    const stop = onReachable(() => {
      stop()
      register()
    })
  }
  window.addEventListener('load', () => setTimeout(register, AFTER_LOAD_MS))
}
