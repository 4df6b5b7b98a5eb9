import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'

/** Source files: path from the repository's folder (with '/'), and text. */
export type Sources = ReadonlyMap<string, string>

export interface Import {
  readonly line: number
  /** As written: './x.ts', 'zod/mini', '@kopilka/contract/notes.ts'. */
  readonly specifier: string
  /** `import type` and `export type`: erased before the program runs. */
  readonly typeOnly: boolean
}

const SKIPPED = new Set(['node_modules', 'dist', 'data'])

/** Every TypeScript and JavaScript file in these folders of `root`. */
export function readSources(root: string, folders: readonly string[]): Sources {
  const files = new Map<string, string>()
  const walk = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = posix.join(folder, entry.name)
      if (entry.isDirectory()) {
        if (!SKIPPED.has(entry.name) && !entry.name.startsWith('.')) walk(path)
      } else if (/\.(?:ts|tsx|mjs)$/.test(entry.name)) files.set(path, readFileSync(join(root, path), 'utf8'))
    }
  }
  folders.forEach(walk)
  return files
}

// Enough for code formatted by Biome: a statement starts its line, and quotes are balanced.
const STATEMENT = /^[ \t]*(?:import|export)\s+(?:(type\s+)?[\w$*{},\s]+?\s+from\s+)?['"]([^'"]+)['"]/gm
const DYNAMIC = /\bimport\(\s*['"]([^'"]+)['"]/g

/** All imports and re-exports of a file, import() included. */
export function importsOf(text: string): Import[] {
  const found: Import[] = []
  for (const match of text.matchAll(STATEMENT)) {
    const start = match.index + match[0].search(/\S/)
    found.push({ line: lineAt(text, start), specifier: match[2] ?? '', typeOnly: match[1] !== undefined })
  }
  for (const match of text.matchAll(DYNAMIC)) {
    found.push({ line: lineAt(text, match.index), specifier: match[1] ?? '', typeOnly: false })
  }
  return found
}

/** The number of the line (from 1) that holds the character at `index`. */
export const lineAt = (text: string, index: number): number => text.slice(0, index).split('\n').length
