import { expect, it } from 'vitest'
import { carriesRows, lacksOwner, locksSeveralNodes, needsPlanCheck } from './check-statements.ts'

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
  'select "owner_id", "kept_bytes" from "change_counts" where "owner_id" > $1 order by "owner_id" limit $2',
  'begin',
  'select 1',
])('accepts %s', (sql) => {
  expect(lacksOwner(sql)).toBe(false)
})

it.each([
  'select "id" from "jobs" where "kind" = $1 and ("run_at" <= $2 or "run_at" > $3) limit $4 for update skip locked',
  'select "owner_id" from "users" where "owner_id" = $1 for no key update',
  'select "owner_id"\n from "users"\n where "owner_id" = $1 for update',
  'select "secret_hash" from "known_devices" where "secret_hash" = $1 for share',
])('refuses the row locks of %s', (sql) => {
  expect(locksSeveralNodes(sql)).toBe(true)
})

it.each([
  'select "id" from "jobs" where "kind" = $1 and ("run_at" <= $2 or "run_at" > $3) limit $4',
  'select "id" from "sessions" where "owner_id" = $1 and "id" = $2 for update',
  'select "count" from "rate_limits" where "key" = $1 for update',
  'update "users" set "first_name" = $1 where "owner_id" = $2',
])('takes the row locks of %s', (sql) => {
  expect(locksSeveralNodes(sql)).toBe(false)
})

it.each([
  'insert into item_tags (owner_id, item_id)\n    select $1, id from items where owner_id = $1',
  'insert into "item_tags" ("owner_id", "item_id") select ?, id from json_each(?) join items on id = value and owner_id = ?',
])('refuses the insert %s', (sql) => {
  expect(carriesRows(sql)).toBe(true)
})

it.each([
  'insert into item_tags (owner_id, item_id) select owner_id, id from items where owner_id = $1',
  'insert into item_tags (owner_id, item_id) select items.owner_id, id from items, json_to_recordset($1) as x(id text)',
  'insert into item_tags (owner_id, item_id) select $1, item_id from json_to_recordset(cast($2 as json)) as x(item_id text)',
  'insert into "items" ("owner_id", "id") values ($1, $2)',
])('takes the insert %s', (sql) => {
  expect(carriesRows(sql)).toBe(false)
})

it.each([
  '\n    select id from items where owner_id = $1',
  '\n    with found as materialized (select id from items where owner_id = $1) select * from found',
  'insert into "items" ("owner_id", "id") values ($1, $2)',
])('has %j explained', (sql) => {
  expect(needsPlanCheck(sql)).toBe(true)
})

it.each([
  'begin',
  '\n    select owner_id from search_removals where owner_id > $1 and removed_at < $2\n order by owner_id limit 1',
])('does not have %j explained', (sql) => {
  expect(needsPlanCheck(sql)).toBe(false)
})
