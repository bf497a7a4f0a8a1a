-- Turns audit_logs into a table partitioned by ranges of its id (docs/scaling.md). Once, as the owner of the schema:
--   psql "$DATABASE_URL" -v ON_ERROR_STOP=1 -f docs/partition-audit.sql
--
-- The existing table becomes the first partition in place: nothing is copied, and requests wait for a moment only. One
-- step reads all rows, the check of that partition's bounds; it runs before, while requests go on. Ids grow with time, so
-- a range of ids is a range of time, and the primary key (tenant_id, id) needs no further column.

-- The first partition ends beyond every id that requests can draw while this runs; a request beyond it would fail.
do $$
declare
  first_end constant bigint := 10000000 + coalesce((select last_value from pg_sequences
    where schemaname = 'public' and sequencename = 'audit_logs_id_seq'), 0);
begin
  perform set_config('partition.first_end', first_end::text, false);
  execute format('alter table audit_logs add constraint audit_logs_bounds check (id < %s) not valid', first_end);
end $$;
alter table audit_logs validate constraint audit_logs_bounds;

begin;
set local lock_timeout = '5s';
lock table audit_logs in access exclusive mode;

alter table audit_logs rename to audit_logs_p0;
alter table audit_logs_p0 alter id drop identity;
create table audit_logs (like audit_logs_p0 including defaults) partition by range (id);

do $$
declare
  old constant text := 'audit_logs_p0';
  first_end constant bigint := current_setting('partition.first_end');
  width constant bigint := 50000000;
  item record;
begin
  -- A partitioned table has no identity column before PostgreSQL 17. Requests draw from this sequence, imports raise it.
  execute format('create sequence audit_logs_ids as bigint owned by audit_logs.id start %s', first_end);
  alter table audit_logs alter id set default nextval('audit_logs_ids');
  grant usage on sequence audit_logs_ids to tenantry_app;
  grant usage, update on sequence audit_logs_ids to tenantry_import;

  -- Keys, indexes, row-level security and grants move to the whole table; no role reaches a partition directly.
  for item in select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as text, indisprimary
              from pg_index where indrelid = old::regclass loop
    execute format('alter index %I rename to %I', item.name, replace(item.name, 'audit_logs', old));
    if not item.indisprimary then execute replace(item.text, 'public.' || old, 'public.audit_logs'); end if;
  end loop;
  alter table audit_logs add primary key (tenant_id, id);
  alter table audit_logs enable row level security;
  alter table audit_logs force row level security;
  for item in select policyname, cmd, roles, replace(qual, old, 'audit_logs') as qual, with_check
              from pg_policies where schemaname = 'public' and tablename = old loop
    execute format('create policy %I on audit_logs for %s to %s', item.policyname, item.cmd, array_to_string(item.roles, ', '))
      || coalesce(' using (' || item.qual || ')', '') || coalesce(' with check (' || item.with_check || ')', '');
  end loop;
  for item in select grantee, privilege_type from information_schema.role_table_grants
              where table_schema = 'public' and table_name = old and grantee like 'tenantry\_%' loop
    execute format('grant %s on audit_logs to %I', item.privilege_type, item.grantee);
    execute format('revoke %s on audit_logs_p0 from %I', item.privilege_type, item.grantee);
  end loop;

  execute format('alter table audit_logs attach partition audit_logs_p0 for values from (minvalue) to (%s)', first_end);
  alter table audit_logs_p0 drop constraint audit_logs_bounds;
  for n in 1..4 loop
    execute format('create table audit_logs_p%s partition of audit_logs for values from (%s) to (%s)',
      n, first_end + (n - 1) * width, first_end + n * width);
  end loop;
end $$;

-- The default partition takes ids beyond all ranges (an import can raise the ids far), so no request ever fails.
create table audit_logs_rest partition of audit_logs default;
commit;
analyze audit_logs;
