import { expect, it } from 'vitest'
import { staysInOnePartition } from './partitions.ts'

const LIST = `insert into tags (owner_id, id) select $1, id from json_to_recordset(cast($2 as json)) as "named"("id" text)
  where true on conflict (owner_id, name_key) do nothing`
const ROWS = 'insert into search_forms (owner_id, form) select $1, form from items where owner_id = $1'

it.each([
  ['one partition', 'select', '[{"Plan":{"Relation Name":"items_on_3"}},{"Relation Name":"tags_on_3"}]'],
  ['one shard', 'select', '[{"Distributed Query":{"Job":{"Task Count":1}}}]'],
  [
    'a list',
    LIST,
    '[{"Custom Plan Provider":"Citus INSERT ... SELECT","INSERT/SELECT method":"pull to coordinator"}]',
  ],
])('takes the plan of %s', (_, sql, plan) => {
  expect(staysInOnePartition({ sql, plan })).toBe(true)
})

it.each([
  ['two partitions', 'select', '[{"Relation Name":"items_on_3"},{"Relation Name":"tags_on_4"}]'],
  ['two shards', 'select', '[{"Distributed Query":{"Job":{"Task Count":2}}}]'],
  ['all shards', 'select', '[{"Distributed Query":{"Job":{"Task Count":32}}}]'],
  [
    'a part that is planned alone',
    'select',
    '[{"Distributed Query":{"Subplans":[{"Plan":{}}],"Job":{"Task Count":1}}}]',
  ],
  ['rows of shards', ROWS, '[{"INSERT/SELECT method":"pull to coordinator"}]'],
])('refuses the plan of %s', (_, sql, plan) => {
  expect(staysInOnePartition({ sql, plan })).toBe(false)
})
