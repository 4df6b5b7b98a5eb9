import type { Migration } from '../migrate.ts'
import { first } from './001-first.ts'

/** In the order they apply. A new one goes at the end. */
export const migrations: readonly Migration[] = [first]
