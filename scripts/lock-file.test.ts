import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { ROOT } from './prepare.mjs'

interface Package {
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

/** Where `name` is found from the folder `from`: there or in the folders above, as Node looks for it. */
const isFoundFrom = (packages: Readonly<Record<string, Package>>, from: string, name: string): boolean => {
  for (let folder = from; ; ) {
    if (Object.hasOwn(packages, `${folder}${folder && '/'}node_modules/${name}`)) return true
    if (folder === '') return false
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  }
}

test('package-lock.json holds the packages of every kind of machine', () => {
  const { packages }: { packages: Record<string, Package> } = JSON.parse(
    readFileSync(join(ROOT, 'package-lock.json'), 'utf8'),
  )
  const missing = Object.entries(packages).flatMap(([folder, { dependencies, optionalDependencies }]) =>
    Object.keys({ ...dependencies, ...optionalDependencies })
      .filter((name) => !isFoundFrom(packages, folder, name))
      .map(
        (name) => `${folder} needs ${name}: npm ci would fail. Choose a version the registry has in full.`,
      ),
  )
  expect(missing).toEqual([])
})
