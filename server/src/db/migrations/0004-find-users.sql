-- Keeps lists of users fast in a tenant of a million: searched by an index, counted without counting (0061, 0062).

-- tenantry_search: what finds users across row-level security and keeps their counts, inside the functions of this file only;
-- made and granted as the roles of the first migration, to the owner alone: the service need not be a member.
do $$
declare
  needed constant text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  if not exists (select from pg_roles where rolname = 'tenantry_search') then
    begin
      create role tenantry_search nologin nosuperuser nobypassrls;
    exception when duplicate_object or unique_violation then null;
    end;
  end if;
  if not pg_has_role(current_user, 'tenantry_search', needed) then
    grant tenantry_search to current_user;
  end if;
end $$;

-- Counts -----------------------------------------------------------------------------------------------------------

-- How many users a tenant has, in three divisions, so that nothing has to be counted when it is asked for.
create table user_counts (
  tenant_id uuid not null,
  -- 'all': slot 0, the total.
  -- 'block': 8,192 consecutive ids, slot = id >> 13; a page far behind starts at its block.
  -- 'day': the UTC day of creation, slot = days since 1970; the dashboard's growth.
  part text collate "C" not null check (part in ('all', 'block', 'day')),
  slot bigint not null,
  enabled bigint not null,
  disabled bigint not null,
  primary key (tenant_id, part, slot)
);

-- What a user counts for.
create function user_count_slots(id bigint, created_at timestamptz) returns table (part text, slot bigint)
language sql immutable as $$
  values ('all', 0::bigint), ('block', id >> 13), ('day', ((created_at at time zone 'utc')::date - date '1970-01-01')::bigint)
$$;

-- Of every statement, whoever runs it. Counts are locked in one order by all: no two wait for each other.
create function count_users() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  if tg_op = 'INSERT' then
    insert into user_counts as c (tenant_id, part, slot, enabled, disabled)
    select u.tenant_id, s.part, s.slot, count(*) filter (where u.status = 1), count(*) filter (where u.status = 0)
    from changed u, user_count_slots(u.id, u.created_at) s
    group by 1, 2, 3 order by 1, 2, 3
    on conflict (tenant_id, part, slot) do update
      set enabled = c.enabled + excluded.enabled, disabled = c.disabled + excluded.disabled;
  else
    -- The counts of a tenant that is being purged are gone before its users.
    with gone as (
      select u.tenant_id, s.part, s.slot, count(*) filter (where u.status = 1) as enabled,
        count(*) filter (where u.status = 0) as disabled
      from changed u, user_count_slots(u.id, u.created_at) s
      group by 1, 2, 3
    ), held as (
      select c.tenant_id, c.part, c.slot, gone.enabled, gone.disabled
      from user_counts c join gone using (tenant_id, part, slot)
      order by 1, 2, 3 for update of c
    )
    update user_counts c set enabled = c.enabled - held.enabled, disabled = c.disabled - held.disabled
    from held where (c.tenant_id, c.part, c.slot) = (held.tenant_id, held.part, held.slot);
  end if;
  return null;
end $$;

-- A user who is enabled or disabled. The service changes nothing else that counts (see the trigger's condition).
create function recount_user() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into user_counts as c (tenant_id, part, slot, enabled, disabled)
  select tenant_id, part, slot, sum(enabled), sum(disabled)
  from (
    select old.tenant_id, part, slot, -old.status as enabled, old.status - 1 as disabled
    from user_count_slots(old.id, old.created_at)
    union all
    select new.tenant_id, part, slot, new.status, 1 - new.status from user_count_slots(new.id, new.created_at)
  ) as changes
  group by 1, 2, 3 order by 1, 2, 3
  on conflict (tenant_id, part, slot) do update
    set enabled = c.enabled + excluded.enabled, disabled = c.disabled + excluded.disabled;
  return null;
end $$;

create trigger users_counted_in after insert on users
  referencing new table as changed for each statement execute function count_users();
create trigger users_counted_out after delete on users
  referencing old table as changed for each statement execute function count_users();
create trigger users_recounted after update of tenant_id, id, status, created_at on users for each row
  when ((old.tenant_id, old.id, old.status, old.created_at) is distinct from
    (new.tenant_id, new.id, new.status, new.created_at))
  execute function recount_user();

-- Indexes ----------------------------------------------------------------------------------------------------------
-- A large installation may create them (and the extensions) concurrently beforehand: docs/operations.md.

-- The list filtered by status, in the order of the ids.
create index if not exists users_tenant_id_status_id_idx on users (tenant_id, status, id);
-- Growth: users created on the day 30 days ago, before this hour.
create index if not exists users_tenant_id_created_at_idx on users (tenant_id, created_at);
-- Growth: what was deleted since, of the few kinds that the dashboard asks for.
create index if not exists audit_logs_deletions_idx on audit_logs (tenant_id, action, created_at)
  where action in ('user.delete', 'role.delete', 'tenant.delete');

-- A keyword anywhere in a user's names. Both extensions are trusted, the owner of the database may create them. Where
-- that fails (the embedded database has none) searching reads the tenant's users along their key. New entries wait in
-- a list that every search reads: shorter than the usual 4 MB.
do $$
declare
  trigrams text;
begin
  if to_regclass('public.users_search_idx') is not null then return; end if;
  create extension if not exists pg_trgm;
  create extension if not exists btree_gin;
  select extnamespace::regnamespace::text into trigrams from pg_extension where extname = 'pg_trgm';
  execute format('create index users_search_idx on users using gin (tenant_id, search_folded %s.gin_trgm_ops)
    with (gin_pending_list_limit = 1024)', trigrams);
exception when insufficient_privilege or undefined_file or feature_not_supported or undefined_object then
  raise notice 'there is no index for searching users: %', sqlerrm;
end $$;

-- Finding ----------------------------------------------------------------------------------------------------------

-- Whether the index serves a pattern: without a run of three letters or digits it would be read whole, for seconds.
-- What is a letter to the extension depends on the database's locale, so the extension is asked.
create function is_search_indexed(pattern text) returns boolean
language plpgsql stable set search_path = pg_catalog, public, pg_temp as $$
declare
  trigrams text;
  served boolean;
begin
  select extnamespace::regnamespace::text into trigrams
  from pg_extension, pg_index
  where extname = 'pg_trgm' and has_schema_privilege(extnamespace, 'usage')
    and indexrelid = to_regclass('public.users_search_idx') and indisvalid;
  if trigrams is null then return false; end if;
  execute format($q$
    select string_agg(case when cardinality(%s.show_trgm(c)) > 0 then 'x' else '-' end, '' order by n) like '%%xxx%%'
    from unnest(string_to_array($1, null)) with ordinality as chars(c, n)$q$, trigrams) into served using pattern;
  return served;
end $$;

-- A page of the tenant in scope, as ids in their order, and how many there are: all, those of a status, or those whose
-- names match a LIKE pattern, where counting stops at one more than count_max. LIKE is not leakproof: under row-level
-- security it must not see a row before the policy has, so no index could serve it (decision 0061). Every plan is made
-- for its own values; along the key nothing is sorted, whatever the statistics say.
create function list_users(pattern text, wanted_status smallint, page_limit integer, page_offset bigint,
  count_max integer, out total bigint, out ids bigint[])
language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp
set jit = off
set max_parallel_workers_per_gather = 0
set work_mem = '16MB'
set enable_seqscan = off
set enable_indexscan = on
set enable_indexonlyscan = on
set enable_bitmapscan = off
set enable_sort = off as $$
declare
  tenant constant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  statement constant text := 'select array(select id from users where tenant_id = $1 and id >= $2'
    || case when wanted_status is null then '' else ' and status = $3' end
    || case when pattern is null then '' else ' and search_folded like $4' end
    || ' order by id limit $5 offset $6)';
  everybody bigint;
  density double precision;
  first_id bigint := 0;
  skipped bigint := 0;
begin
  select coalesce(sum(enabled + disabled), 0),
    coalesce(sum(case wanted_status when 1 then enabled when 0 then disabled else enabled + disabled end), 0)
  into everybody, total from user_counts where tenant_id = tenant and part = 'all';

  if pattern is null then
    if page_offset >= 8192 then
      -- What is before the page is passed over by the counts of its blocks.
      select slot << 13, upto - users into first_id, skipped
      from (
        select slot, users, sum(users) over (order by slot) as upto
        from user_counts c,
          lateral (select case wanted_status when 1 then enabled when 0 then disabled else enabled + disabled end) as n(users)
        where tenant_id = tenant and part = 'block') as blocks
      where upto > page_offset order by slot limit 1;
    end if;
    execute statement into ids
      using tenant, first_id, wanted_status, pattern, page_limit, page_offset - skipped;
    return;
  end if;

  if total > 2000 and is_search_indexed(pattern) then
    -- How many of 1,000 users match, taken from 20 places.
    select avg((u.search_folded like pattern)::int) into density
    from (
      select slot from (
        select slot, row_number() over (order by slot) - 1 as n, count(*) over () as blocks
        from user_counts where tenant_id = tenant and part = 'block' and enabled + disabled > 0) as b
      where n % ((blocks + 19) / 20) = 0) as places,
      lateral (select search_folded from users where tenant_id = tenant and id >= slot << 13 order by id limit 50) as u;
    density := greatest(density, 0.0005); -- of 1,000 without a match
  end if;
  if least(total, count_max / density) > 8 * density * everybody then
    -- Few match: all of them by the index, sorted. Each costs as much as eight that are passed along the key.
    perform set_config('enable_indexscan', 'off', true), set_config('enable_indexonlyscan', 'off', true),
      set_config('enable_bitmapscan', 'on', true), set_config('enable_sort', 'on', true);
  end if; -- Else many match, or no index helps: along the key, until enough are found.
  execute statement into ids using tenant, first_id, wanted_status, pattern, count_max + 1, 0;
  total := cardinality(ids);
  if total > count_max and page_offset + page_limit > total then
    execute statement into ids using tenant, first_id, wanted_status, pattern, page_limit, page_offset;
  else
    ids := ids[least(page_offset, total)::int + 1 : least(page_offset + page_limit, total)::int];
  end if;
end $$;

-- The dashboard's counts of the tenant in scope: now, of those here who had been created by a moment, and of those seen
-- on a day. Whole days come from the counts, what was created earlier on the day of that moment from an index.
create function count_users_at(earlier timestamptz, today date, out now_here bigint, out earlier_here bigint,
  out seen_today bigint)
language plpgsql stable security definer
set search_path = pg_catalog, public, pg_temp
set jit = off
set max_parallel_workers_per_gather = 0
set enable_seqscan = off
set enable_bitmapscan = off as $$
declare
  tenant constant uuid := nullif(current_setting('app.tenant_id', true), '')::uuid;
  day constant date := (earlier at time zone 'utc')::date;
begin
  select coalesce(sum(enabled + disabled) filter (where part = 'all'), 0),
    coalesce(sum(enabled + disabled) filter (where part = 'day' and slot < day - date '1970-01-01'), 0)
  into now_here, earlier_here from user_counts where tenant_id = tenant and part in ('all', 'day');
  select earlier_here + count(*) into earlier_here from users
  where tenant_id = tenant and created_at >= day::timestamp at time zone 'utc' and created_at <= earlier;
  select count(*) into seen_today from users where tenant_id = tenant and last_seen_on = today;
end $$;

-- Rights -----------------------------------------------------------------------------------------------------------

-- Of a trigger's function only who creates the trigger is asked for this right.
revoke execute on function count_users(), recount_user(), is_search_indexed(text),
  list_users(text, smallint, integer, bigint, integer), count_users_at(timestamptz, date) from public;
grant execute on function list_users(text, smallint, integer, bigint, integer), count_users_at(timestamptz, date)
  to tenantry_app;
grant execute on function is_search_indexed(text) to tenantry_search;

-- Who owns a function needs the right to create things where it is, when it becomes the owner.
do $$
declare
  lacks constant boolean := not has_schema_privilege('tenantry_search', 'public', 'create');
begin
  if lacks then grant create on schema public to tenantry_search; end if;
  alter function count_users() owner to tenantry_search;
  alter function recount_user() owner to tenantry_search;
  alter function list_users(text, smallint, integer, bigint, integer) owner to tenantry_search;
  alter function count_users_at(timestamptz, date) owner to tenantry_search;
  if lacks then revoke create on schema public from tenantry_search; end if;
end $$;

-- The service reads counts through the functions; the right to read is for who looks at them.
grant select on user_counts to tenantry_app;
grant select, delete on user_counts to tenantry_purge;
grant select, insert, update on user_counts to tenantry_search;
grant select (tenant_id, id, search_folded, status, created_at, last_seen_on) on users to tenantry_search;

-- A policy that is always true leaves no condition that has to come before LIKE.
create policy searched on users for select to tenantry_search using (true);

do $$
declare
  scope constant text := $policy$tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid$policy$;
begin
  execute format('create policy tenant_scope on user_counts for select to tenantry_app using (%s)', scope);
  execute format('create policy removed_tenant on user_counts to tenantry_purge using (%s and exists (
    select from tenants t where t.id = tenant_id and t.deleted_at is not null))', scope);
  create policy counting on user_counts to tenantry_search using (true) with check (true);
end $$;

-- Forced row-level security binds the owner as well. The lock of this statement keeps writers out until the end.
alter table users no force row level security;
insert into user_counts (tenant_id, part, slot, enabled, disabled)
select u.tenant_id, s.part, s.slot, count(*) filter (where u.status = 1), count(*) filter (where u.status = 0)
from users u, user_count_slots(u.id, u.created_at) s
group by 1, 2, 3;
alter table users force row level security;

alter table user_counts enable row level security;
alter table user_counts force row level security;
