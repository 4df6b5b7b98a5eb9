import type { Plugin } from 'vite'

/**
 * Moves the style sheets behind the static frame of the document: in the head they would hold back its first paint.
 * The scripts of the page still wait for them.
 */
export const stylesLast = (): Plugin => ({
  name: 'kopilka:styles-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const links = html.match(/<link rel="stylesheet"[^>]*>\s*/g) ?? []
      const rest = links.reduce((page, link) => page.replace(link, ''), html)
      return rest.replace('</body>', `${links.join('')}</body>`)
    },
  },
})
