import type { Plugin } from 'vite'

/** TipTap's packages, but its core: each exports the extensions that it makes where it is loaded. */
const PACKAGE = /\/node_modules\/@tiptap\/(?!core\/)[\w-]+\/dist\/index\.js$/
const MADE = /^(const \w+ = )(?=(?:(?:Extension|Node|Mark)\.create|new PluginKey)\()/gm

/**
 * Tells the bundler that making an extension of TipTap has no effect: those that the editor does not use (the counter of
 * characters, the placeholder and others that stand in one file with the history) are left out.
 */
export const pureExtensions = (): Plugin => ({
  name: 'kopilka:pure-extensions',
  apply: 'build',
  transform: {
    filter: { id: PACKAGE },
    handler: (code) => ({ code: code.replace(MADE, '$1/* @__PURE__ */ '), map: null }),
  },
})
