import { accounts } from './accounts.ts'
import { bulk } from './bulk.ts'
import { changes } from './changes.ts'
import type { Endpoint } from './endpoint.ts'
import { exports } from './exports.ts'
import { files } from './files.ts'
import { imports } from './imports.ts'
import { links } from './links.ts'
import { metadata } from './metadata.ts'
import { notes } from './notes.ts'
import { operations } from './operations.ts'
import { latest, search } from './search.ts'
import { site } from './site.ts'
import { tags } from './tags.ts'
import { tokens } from './tokens.ts'
import { trash } from './trash.ts'

/** All calls by family and name. Guards and openapi.json iterate over them. */
export const calls = {
  accounts,
  tokens,
  notes,
  links,
  bulk,
  tags,
  operations,
  trash,
  changes,
  files,
  exports,
  imports,
  search: { latest, search },
  metadata,
  site,
} satisfies Record<string, Record<string, Endpoint>>

/** The same as a list, each call with its name: `notes.update`. */
export const everyCall = Object.entries(calls).flatMap(([family, members]) =>
  Object.entries<Endpoint>(members).map(([name, call]): [string, Endpoint] => [`${family}.${name}`, call]),
)
