/* Pauses of work in the background. Browsers run the timers of a hidden tab once a second, later once a minute. */

/** Lets what the user does go first; in a hidden tab as fast as in one that is looked at. */
export const yieldToPage = (): Promise<void> =>
  new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(undefined)
  })

/** Waits so long; in a hidden tab not at all. */
export const pause = (milliseconds: number): Promise<void> =>
  document.hidden ? yieldToPage() : new Promise((resolve) => setTimeout(resolve, milliseconds))
