import type { Plugin } from 'vite'

const MERGE_REFS = '\0kopilka:merge-refs'
const SOURCE = `import { useMergedRef } from '@mantine/hooks'
export const useMergeRefs = (refs) => useMergedRef(...refs)`

/**
 * Gives Mantine's ScrollArea, and so every dialog, the one function that it takes from floating-ui from elsewhere:
 * the library's 12 KB then load with the first popover.
 */
export const mergeRefs = (): Plugin => ({
  name: 'kopilka:merge-refs',
  apply: 'build',
  enforce: 'pre',
  resolveId: (source, importer = '') =>
    source === '@floating-ui/react' && importer.endsWith('/ScrollArea.mjs') ? MERGE_REFS : undefined,
  load: (id) => (id === MERGE_REFS ? SOURCE : undefined),
})
