import type { Plugin } from 'vite'

/** The transitions of the dialogs, menus and drawers here. */
const USED: readonly string[] = ['fade', 'fade-down', 'pop', 'slide-right', 'slide-left']
const TRANSITION = /^\t"?([a-z-]+)"?: (?:\{\n(?:\t\t.*\n)*\t\}|.*\}),?\n/gm

/** Leaves out Mantine's other transitions, which the first page would bring. Where one is missing, what opens is there at once. */
export const transitions = (): Plugin => ({
  name: 'kopilka:transitions',
  apply: 'build',
  transform: {
    filter: { id: /\/@mantine\/core\/esm\/components\/Transition\/transitions\.mjs$/ },
    handler(code) {
      const kept = new Set<string>()
      const start = code.indexOf('const transitions = {')
      const shorter = code.slice(start).replace(TRANSITION, (whole: string, name: string) => {
        if (!USED.includes(name)) return ''
        kept.add(name)
        return whole
      })
      if (kept.size < USED.length)
        this.error(`No transition ${USED.filter((name) => !kept.has(name)).join(', ')}`)
      return { code: code.slice(0, start) + shorter, map: null }
    },
  },
})
