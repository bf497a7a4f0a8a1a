-- Keeps how many users were active on each day: a user knows the last one only (0074).

create table activity_counts (
  tenant_id uuid not null,
  day date not null,
  -- Sixteen rows share the users of a large tenant, by blocks of 8,192 ids, so that its first requests after midnight do
  -- not all wait for one; a small tenant has one or few.
  slot smallint not null,
  users bigint not null,
  primary key (tenant_id, day, slot)
) with (fillfactor = 80);

create function activity_slot(id bigint) returns smallint language sql immutable as $$ select (id >> 13 & 15)::smallint $$;

-- Of one user, once a day: a statement that changes many, as an import does, locks the counts in the order of its rows.
create function count_activity() returns trigger
language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  insert into activity_counts as c (tenant_id, day, slot, users)
  values (new.tenant_id, new.last_seen_on, activity_slot(new.id), 1)
  on conflict (tenant_id, day, slot) do update set users = c.users + 1;
  return null;
end $$;

-- A condition for each row, not a look at all rows of a statement: other changes of users cost nothing.
create trigger users_seen after update of last_seen_on on users for each row
  when (new.last_seen_on is distinct from old.last_seen_on and new.last_seen_on is not null)
  execute function count_activity();
-- One who comes with a tenant that moves, or from elsewhere.
create trigger users_seen_elsewhere after insert on users for each row
  when (new.last_seen_on is not null) execute function count_activity();

revoke execute on function count_activity() from public;
do $$
declare
  lacks constant boolean := not has_schema_privilege('tenantry_search', 'public', 'create');
begin
  if lacks then grant create on schema public to tenantry_search; end if;
  alter function count_activity() owner to tenantry_search;
  if lacks then revoke create on schema public from tenantry_search; end if;
end $$;

grant select on activity_counts to tenantry_app;
grant select, delete on activity_counts to tenantry_purge;
grant select, insert, update on activity_counts to tenantry_search;

do $$
declare
  scope constant text := $policy$tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid$policy$;
begin
  execute format('create policy tenant_scope on activity_counts for select to tenantry_app using (%s)', scope);
  execute format('create policy removed_tenant on activity_counts to tenantry_purge using (%s and exists (
    select from tenants t where t.id = tenant_id and t.deleted_at is not null))', scope);
  create policy counting on activity_counts to tenantry_search using (true) with check (true);
end $$;

-- What is known so far: who was seen on several days counts for the last of them. The lock of the triggers keeps writers
-- out until the end.
alter table users no force row level security;
insert into activity_counts (tenant_id, day, slot, users)
select tenant_id, last_seen_on, activity_slot(id), count(*) from users where last_seen_on is not null group by 1, 2, 3;
alter table users force row level security;

alter table activity_counts enable row level security;
alter table activity_counts force row level security;
