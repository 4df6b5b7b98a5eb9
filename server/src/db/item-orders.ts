import type { Sort } from '@kopilka/contract/items.ts'
import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from './schema.ts'

/** The column of each order of items. An index on items has each, after the pins. */
export const ORDERS = {
  created: ['created_at', 'desc'],
  updated: ['updated_at', 'desc'],
  title: ['title_key', 'asc'],
} as const satisfies Record<Sort, readonly [keyof Tables['items'], 'asc' | 'desc']>

/** Puts items into an order in which no two are equal, so that pages have no gaps and repeat nothing. */
export function inOrder<Output>(items: SelectQueryBuilder<Tables, 'items', Output>, sort: Sort) {
  const [column, direction] = ORDERS[sort]
  return items.orderBy(column, direction).orderBy('id', direction)
}
