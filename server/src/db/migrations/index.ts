import type { Migration } from '../migration.ts'
import { first } from './001-first.ts'
import { letters } from './002-letters.ts'
import { limits } from './003-limits.ts'
import { idempotencyKeys } from './004-idempotency-keys.ts'
import { searchTokens } from './005-search-tokens.ts'
import { counts } from './006-counts.ts'
import { searchSpelled } from './007-search-spelled.ts'
import { accounts } from './008-accounts.ts'
import { openKinds } from './009-open-kinds.ts'
import { searchIndex } from './010-search-index.ts'
import { usage } from './011-usage.ts'
import { lists } from './012-lists.ts'
import { journal } from './013-journal.ts'
import { vocabulary } from './014-vocabulary.ts'
import { exportLinks } from './015-export-links.ts'
import { imports } from './016-imports.ts'
import { operationSteps } from './017-operation-steps.ts'
import { apiTokens } from './018-api-tokens.ts'
import { sameItems } from './019-same-items.ts'
import { linkdingIds } from './020-linkding-ids.ts'
import { plainSearchKeys } from './021-plain-search-keys.ts'
import { duplicates } from './022-duplicates.ts'
import { files } from './023-files.ts'
import { changeFeed } from './024-change-feed.ts'
import { pictureIdentity } from './025-picture-identity.ts'
import { trashIdentity } from './026-trash-identity.ts'
import { historyBytes } from './027-history-bytes.ts'
import { layoutIdentity } from './028-layout-identity.ts'

/** All migrations in the order they apply. A new one goes at the end. */
export const migrations: readonly Migration[] = [
  first,
  letters,
  limits,
  idempotencyKeys,
  searchTokens,
  counts,
  searchSpelled,
  accounts,
  openKinds,
  searchIndex,
  usage,
  lists,
  journal,
  vocabulary,
  exportLinks,
  imports,
  operationSteps,
  apiTokens,
  sameItems,
  linkdingIds,
  plainSearchKeys,
  duplicates,
  files,
  changeFeed,
  pictureIdentity,
  trashIdentity,
  historyBytes,
  layoutIdentity,
]
