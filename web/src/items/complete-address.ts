const SCHEME = /^[a-z][a-z\d+.-]*:\/\//i
/** A host as people type one: with a dot inside, or this very machine. */
const HOST = /^(?:localhost|[^.]+(?:\.[^.]+)+)\.?$/i

/** Adds https:// to an address without a scheme ('example.org/x'); returns anything else unchanged. */
export const completeAddress = (typed: string): string => {
  const address = typed.trim()
  if (SCHEME.test(address) || /\s/.test(address)) return typed
  const whole = `https://${address.replace(/^\/\//, '')}`
  if (!URL.canParse(whole)) return typed
  const { hostname, username } = new URL(whole)
  return HOST.test(hostname) && username === '' ? whole : typed
}
