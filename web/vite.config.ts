import react from '@vitejs/plugin-react'
import mantine from 'postcss-preset-mantine'
import { defineConfig } from 'vite'
import { catalogues } from './build/catalogues.ts'
import { codeSplitting } from './build/chunks.ts'
import { compress } from './build/compress.ts'
import { earlyScript } from './build/early-script.ts'
import { mantineStyles } from './build/mantine-styles.ts'
import { mergeRefs } from './build/merge-refs.ts'
import { pureExtensions } from './build/pure-extensions.ts'
import { serviceWorker } from './build/service-worker.ts'
import { stylesLast } from './build/styles-last.ts'
import { transitions } from './build/transitions.ts'

/** Where the API listens while developing: `npm start` in another terminal. */
const API = process.env.API_URL ?? 'http://127.0.0.1:3000'

export default defineConfig({
  root: import.meta.dirname,
  plugins: [
    ...[
      react(),
      catalogues(),
      mantineStyles(),
      mergeRefs(),
      transitions(),
      pureExtensions(),
      stylesLast(),
      earlyScript(),
    ],
    // The files as they are sent, in this order.
    ...[serviceWorker(), compress()],
  ],
  css: { postcss: { plugins: [mantine()] } },
  build: {
    // Small files as data: URLs would need more than the server's content security policy allows.
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    // Every browser that runs the rest preloads by itself. Without it the entry is an import and no file.
    modulePreload: { polyfill: false },
    rolldownOptions: {
      output: {
        codeSplitting,
        // The first script names all others, and hashes cannot be compressed: seven characters of 36 tell versions apart, and are the
        // fewest that rolldown allows.
        hashCharacters: 'base36',
        entryFileNames: 'assets/[name]-[hash:7].js',
        chunkFileNames: 'assets/[name]-[hash:7].js',
        assetFileNames: 'assets/[name]-[hash:7][extname]',
      },
    },
  },
  server: { host: '127.0.0.1', proxy: { '/api': API } },
})
