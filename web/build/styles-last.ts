import type { Plugin } from 'vite'

const LAYER = '@layer mantine{'
/** A layer within Mantine's: rules that stand directly in Mantine's layer win over it. */
const FIRST_LAYER = '@layer mantine.first{'

/**
 * Moves the style sheets behind the static frame of the document: in the head they would hold back its first paint.
 * The scripts of the page still wait for them. Sheets that load later are put into the head, before these, and must win
 * all the same, as Mantine's components are made of each other.
 */
export const stylesLast = (): Plugin => ({
  name: 'kopilka:styles-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html, { bundle }) {
      for (const [, name = ''] of html.matchAll(/<link rel="stylesheet"[^>]* href="\/([^"]+)"/g)) {
        const sheet = bundle?.[name]
        if (sheet?.type === 'asset') sheet.source = String(sheet.source).replaceAll(LAYER, FIRST_LAYER)
      }
      const links = html.match(/<link rel="stylesheet"[^>]*>\s*/g) ?? []
      const rest = links.reduce((page, link) => page.replace(link, ''), html)
      return rest.replace('</body>', `${links.join('')}</body>`)
    },
  },
})
