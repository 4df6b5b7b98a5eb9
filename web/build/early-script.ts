import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

const EARLY = fileURLToPath(new URL('../src/app/early.ts', import.meta.url))

/**
 * Adds the script that asks for what the screen needs (src/app/early.ts) to the document, as a file of its own: whatever
 * the bundler shared between it and the application would hold it up. It gets the list of files of each chunk.
 */
export const earlyScript = (): Plugin => ({
  name: 'kopilka:early-script',
  apply: 'build',
  buildStart() {
    this.emitFile({ type: 'chunk', id: EARLY, name: 'early' })
  },
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle = {} }) {
      const files: Record<string, string[]> = {}
      let early = ''
      for (const chunk of Object.values(bundle)) {
        // The service worker is no part of a page.
        if (chunk.type !== 'chunk' || !chunk.fileName.startsWith('assets/')) continue
        if (chunk.facadeModuleId === EARLY) early = chunk.fileName
        const styles = [...(chunk.viteMetadata?.importedCss ?? [])]
        files[chunk.name] = [chunk.fileName, ...styles].map((file) => `/${file}`)
      }
      const script = {
        tag: 'script',
        injectTo: 'head-prepend' as const,
        attrs: { type: 'module', async: true, src: `/${early}`, 'data-chunks': JSON.stringify(files) },
      }
      return { html, tags: [script] }
    },
  },
})
