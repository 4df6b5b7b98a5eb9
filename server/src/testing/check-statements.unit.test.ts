import { expect, it } from 'vitest'
import { lacksOwner } from './check-statements.ts'

it.each([
  'select "id" from "items" where "id" = ?',
  'select "id", "owner_id" from "items" where "id" = $1',
  'delete from "items"',
  'update "tags" set "name" = ? where "id" = ?',
  'insert into "tags" ("id", "name") values (?, ?)',
  'select "id" from "items" where "owner_id" = ? and "id" in (select "item_id" from "item_tags" where "tag_id" = ?)',
  'select "tags"."id" from "tags" inner join "item_tags" on "item_tags"."owner_id" = "tags"."owner_id"',
  'select count(*) from "users"',
  'with found as (select id from items) select * from found',
])('rejects %s', (sql) => {
  expect(lacksOwner(sql)).toBe(true)
})

it.each([
  'select "id" from "items" where "owner_id" = ? and "id" = ?',
  'select "tags"."id" from "tags" inner join "item_tags" on "item_tags"."owner_id" = "tags"."owner_id" where "tags"."owner_id" = $1',
  'insert into "tags" ("owner_id", "id") values (?, ?)',
  'delete from "rate_limits" where "ends_at" <= ?',
  'with found as materialized (select id from items where owner_id = $1) select * from found',
  'begin',
  'select 1',
])('accepts %s', (sql) => {
  expect(lacksOwner(sql)).toBe(false)
})
