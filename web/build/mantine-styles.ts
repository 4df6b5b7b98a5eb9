import { basename } from 'node:path'
import type { Plugin } from 'vite'

const stylesOf = (name: string): string => `@mantine/core/styles/${name}.layer.css`

/**
 * Brings along the style sheet of each Mantine component that is really used: whatever keeps a component's class names
 * in the bundle also imports its rules. All of Mantine's rules would be several times as much to load; the development
 * server, which bundles Mantine beforehand, has them all.
 */
export const mantineStyles = (): Plugin[] => [
  {
    name: 'kopilka:mantine-styles',
    apply: 'build',
    transform: {
      filter: { id: /@mantine\/core\/esm\/.*\/\w+\.module\.mjs$/ },
      async handler(code, id) {
        const styles = stylesOf(basename(id, '.module.mjs'))
        return (await this.resolve(styles)) ? { code: `import '${styles}'\n${code}`, map: null } : undefined
      },
    },
  },
  {
    name: 'kopilka:all-mantine-styles',
    apply: 'serve',
    enforce: 'pre',
    resolveId(source) {
      return source === stylesOf('global') ? this.resolve('@mantine/core/styles.layer.css') : undefined
    },
  },
]
