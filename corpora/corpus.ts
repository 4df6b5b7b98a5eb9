import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import process from 'node:process'

/** Kind of a corpus: a folder named after the test that reads it, `xss` for xss.test.ts. */
type Kind = 'addresses' | 'imports' | 'linkding' | 'stems' | 'xss'

/** Where a corpus lies. */
export const corpusFolder = (kind: Kind): string => join(process.env.CORPORA ?? '', kind)

/** The texts of a corpus's files by their names. `npm run test:corpora -- FOLDER` says where the corpora are. */
export function corpus(kind: Kind): ReadonlyMap<string, string> {
  const folder = corpusFolder(kind)
  return new Map(readdirSync(folder).map((file) => [file, readFileSync(join(folder, file), 'utf8')]))
}
