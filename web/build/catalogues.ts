import { compileMessageOrThrow } from '@lingui/message-utils/compileMessage'
import type { Plugin } from 'vite'

/** Compiles the ICU messages of the catalogues while building, so that no parser travels to the browser. */
export const catalogues = (): Plugin => ({
  name: 'kopilka:catalogues',
  enforce: 'pre',
  transform: {
    filter: { id: /\/src\/messages\/[\w-]+\.json$/ },
    handler(json) {
      const messages: Record<string, string> = JSON.parse(json)
      const compiled = Object.entries(messages).map(([id, message]) => [id, compileMessageOrThrow(message)])
      return { code: JSON.stringify(Object.fromEntries(compiled)), map: null }
    },
  },
})
