/**
 * What `npm run distribute` asks of Citus, on a PostgreSQL without it: `create_distributed_table` partitions the table by its
 * column into `count` partitions. PostgreSQL then rejects every key without the owner, and its plans say which partitions a
 * statement reads: those of one number lie on one machine. With 0 the table stays whole, and is its only shard. Needs a
 * superuser; install it before the tables.
 */
export const standInForCitus = (count: number): string => `
set allow_system_table_mods = on;

create table pg_catalog.pg_dist_partition (logicalrelid regclass, partmethod "char", repmodel "char");
create table pg_catalog.pg_dist_node (groupid integer, shouldhaveshards boolean, isactive boolean);
insert into pg_catalog.pg_dist_node values (0, false, true), (1, true, true);
grant select on pg_catalog.pg_dist_partition, pg_catalog.pg_dist_node to public;

create function pg_catalog.citus_is_coordinator() returns boolean language sql as 'select true';

create function pg_catalog.create_reference_table(name text) returns void language sql as
  $$ insert into pg_dist_partition values (name::regclass, 'n', 't') $$;

create function pg_catalog.citus_add_local_table_to_metadata(name text) returns void language sql as
  $$ insert into pg_dist_partition values (name::regclass, 'n', 's') $$;

create function pg_catalog.undistribute_table(name text) returns void language sql as
  $$ delete from pg_dist_partition where logicalrelid = name::regclass $$;

create function pg_catalog.create_distributed_table(name text, by text, colocate_with text) returns void
language plpgsql as $$
declare
  later text[];
  step text;
begin
  if exists (
    select from pg_constraint join pg_dist_partition on logicalrelid in (conrelid, confrelid)
    where contype = 'f' and name::regclass in (conrelid, confrelid) and repmodel <> 't'
  ) then
    raise exception 'foreign keys of % lead to a table that is spread otherwise', name;
  end if;
  if ${count} = 0 then
    insert into pg_dist_partition values (name::regclass, 'h', 's');
    return;
  end if;
  select array_agg(format('alter table %I add constraint %I %s', name, conname, pg_get_constraintdef(oid)) order by contype desc)
    into later from pg_constraint where conrelid = name::regclass and contype in ('p', 'u', 'f');
  select coalesce(later, '{}') || coalesce(array_agg(pg_get_indexdef(indexrelid)), '{}') into later from pg_index
    where indrelid = name::regclass and not exists (select from pg_constraint where conindid = indexrelid);
  execute format('alter table %I rename to spread_from', name);
  execute format('create table %I (like spread_from including defaults including constraints including storage)
    partition by hash (%I)', name, by);
  for at in 0 .. ${count - 1} loop
    execute format('create table %I partition of %I for values with (modulus ${count}, remainder %s)',
      name || '_on_' || at, name, at);
  end loop;
  execute format('insert into %I select * from spread_from', name);
  drop table spread_from;
  foreach step in array later loop
    execute step;
  end loop;
  insert into pg_dist_partition values (name::regclass, 'h', 's');
end $$;

create function pg_catalog.run_command_on_workers(command text) returns table (success boolean) language sql as
  $$ values (true), (false) $$;

create function pg_catalog.run_command_on_shards(name text, command text)
returns table (shardid bigint, success boolean, result text) language plpgsql as $$
begin
  for shardid, result in
    select inhrelid, inhrelid::regclass from pg_inherits where inhparent = name::regclass
    union all select oid, oid::regclass from pg_class where oid = name::regclass and relkind = 'r'
  loop
    execute format(command, result);
    success := true;
    return next;
  end loop;
end $$;
`
