declare global {
  interface Window {
    /** Responses that app/early.ts has asked for, by {@link earlyKey}. */
    earlyResponses?: Map<string, Promise<Response>>
  }
}

/** The token is part of it: another tab may have signed somebody else in meanwhile. */
const earlyKey = (token: string | undefined, address: string): string => `${token} ${address}`

/** A response that was asked for before the application ran; each is given out once. */
export const takeEarly = (token: string | undefined, address: string): Promise<Response> | undefined => {
  const key = earlyKey(token, address)
  const response = window.earlyResponses?.get(key)
  window.earlyResponses?.delete(key)
  return response
}

/** Forgets what the first screen has not taken: it grows old. */
export const dropEarly = (): void => window.earlyResponses?.clear()
