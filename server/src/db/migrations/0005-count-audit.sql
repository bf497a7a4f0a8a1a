-- Counts sealed audit records as they are sealed: totals and pages far behind cost no more than the first (decision 0063).

-- What a filter of the audit query finds among the sealed records of a tenant, in blocks of about 4096 that follow each
-- other by id: a block reaches from its `first_id` to the next one's. -1 and '' stand for whatever user, action, resource.
-- Records that wait to be sealed are in no block; who counts adds those of audit_unsealed, in the same statement.
create table audit_counts (
  tenant_id uuid not null,
  user_id bigint not null,
  action text collate "C" not null,
  resource text collate "C" not null,
  first_id bigint not null,
  -- No record in the block comes after it, or was written outside of these moments.
  last_id bigint not null,
  oldest_at timestamptz not null,
  newest_at timestamptz not null,
  count bigint not null,
  primary key (tenant_id, user_id, action, resource, first_id)
) with (fillfactor = 80);

-- A user with an action or a resource, newest first: the rare action of a busy user would otherwise be looked for among
-- all they did. The resource beside an action, which nearly always decides it, is only looked at: in the index.
create index audit_logs_tenant_id_user_id_action_id_idx on audit_logs (tenant_id, user_id, action, id) include (resource);
create index audit_logs_tenant_id_user_id_resource_id_idx on audit_logs (tenant_id, user_id, resource, id);
drop index audit_logs_tenant_id_action_id_idx;
create index audit_logs_tenant_id_action_id_idx on audit_logs (tenant_id, action, id) include (resource);

-- Counting --------------------------------------------------------------------------------------------------------

-- Triggers, so that also a version before this one counts what it seals. Whoever seals or lets expire holds the chain's
-- lock: nobody changes the counts of a tenant at the same time.

-- Puts records into the blocks of all eight filters that find them. Those after the end fill the last block up to 4096
-- and then open others; one that was committed late goes into the block it falls into. Nothing here is joined but by an
-- index: plans may be as old as the connection, made when the tables were empty.
create function count_audit() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into audit_counts as c
    (tenant_id, user_id, action, resource, first_id, last_id, oldest_at, newest_at, count)
  with filters as (
    select s.tenant_id, u as user_id, a as action, r as resource,
      array_agg(s.id order by s.id) as ids, array_agg(l.created_at order by s.id) as times
    from changed s
      cross join lateral (
        select * from audit_logs l where l.tenant_id = s.tenant_id and l.id = s.id limit 1
      ) l,
      unnest(array[-1, l.user_id]) u, unnest(array['', l.action]) a, unnest(array['', l.resource]) r
    group by 1, 2, 3, 4
  ), ends as (
    select f.*, coalesce(e.first_id, 0) as first_id, coalesce(e.count, 0) as count,
      -- How many of the ids are not after the last one that was counted.
      width_bucket(coalesce(e.last_id, 0), f.ids) as late
    from filters f
    left join lateral (
      select * from audit_counts b
      where b.tenant_id = f.tenant_id and b.user_id = f.user_id and b.action = f.action and b.resource = f.resource
      order by b.first_id desc limit 1
    ) e on true
  ), placed as (
    select e.tenant_id, e.user_id, e.action, e.resource, r.id, r.created_at, case
      when r.nth <= late then coalesce((
        select max(b.first_id) from audit_counts b
        where b.tenant_id = e.tenant_id and b.user_id = e.user_id and b.action = e.action and b.resource = e.resource
          and b.first_id <= r.id), 0)
      when count + r.nth - late <= 4096 then first_id
      else ids[greatest(late + 1, late + 1 - count + (count + r.nth - late - 1) / 4096 * 4096)::int]
    end as first_id
    from ends e, unnest(ids, times) with ordinality r (id, created_at, nth)
  )
  select tenant_id, user_id, action, resource, first_id, max(id), min(created_at), max(created_at), count(*)
  from placed
  group by 1, 2, 3, 4, 5
  on conflict (tenant_id, user_id, action, resource, first_id) do update set
    last_id = greatest(c.last_id, excluded.last_id),
    oldest_at = least(c.oldest_at, excluded.oldest_at),
    newest_at = greatest(c.newest_at, excluded.newest_at),
    count = c.count + excluded.count;
  return null;
end $$;
create trigger audit_unsealed_counted after delete on audit_unsealed
  referencing old table as changed for each statement
  -- What a removed tenant leaves is purged, not sealed.
  when (current_user <> 'tenantry_purge') execute function count_audit();

-- Takes records out of the blocks they fall into; an empty block goes.
create function discount_audit(tenant_ids uuid[], ids bigint[], user_ids bigint[], actions text[], resources text[])
returns void language sql as $$
  with lost as (
    select f.tenant_id, u as user_id, a as action, r as resource, b.first_id, count(*) as count
    from unnest(tenant_ids, ids, user_ids, actions, resources) f (tenant_id, id, user_id, action, resource),
      unnest(array[-1, f.user_id]) u, unnest(array['', f.action]) a, unnest(array['', f.resource]) r,
      lateral (
        select max(c.first_id) as first_id from audit_counts c
        where c.tenant_id = f.tenant_id and c.user_id = u and c.action = a and c.resource = r and c.first_id <= f.id
      ) b
    group by 1, 2, 3, 4, 5
  ), emptied as (
    delete from audit_counts c using lost l
    where c.tenant_id = l.tenant_id and c.user_id = l.user_id and c.action = l.action and c.resource = l.resource
      and c.first_id = l.first_id and c.count <= l.count
  )
  update audit_counts c set count = c.count - l.count from lost l
  where c.tenant_id = l.tenant_id and c.user_id = l.user_id and c.action = l.action and c.resource = l.resource
    and c.first_id = l.first_id and c.count > l.count
$$;

-- What is deleted while it waits to be sealed was never counted; the counts of a removed tenant go as a whole.
create function discount_deleted_audit() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  if exists (select from tenants where id in (select tenant_id from changed) and deleted_at is null) then
    perform discount_audit(array_agg(tenant_id), array_agg(id), array_agg(user_id), array_agg(action), array_agg(resource))
    from changed l where not exists (select from audit_unsealed u where u.tenant_id = l.tenant_id and u.id = l.id);
  end if;
  return null;
end $$;
create trigger audit_logs_discounted after delete on audit_logs
  referencing old table as changed for each statement execute function discount_deleted_audit();

create function discount_waiting_audit() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  perform discount_audit(array_agg(tenant_id), array_agg(id), array_agg(user_id), array_agg(action), array_agg(resource))
  from changed join audit_logs l using (tenant_id, id);
  return null;
end $$;
-- A record that is made to wait again, as an import does; not one that was just written (by the trigger of 0002).
create trigger audit_unsealed_discounted after insert on audit_unsealed
  referencing new table as changed for each statement
  when (pg_trigger_depth() = 0) execute function discount_waiting_audit();

-- What is sealed already. The indexes above hold a lock that keeps writers out until the end.
set local work_mem = '256MB';
alter table audit_logs no force row level security;
alter table audit_unsealed no force row level security;
insert into audit_counts (tenant_id, user_id, action, resource, first_id, last_id, oldest_at, newest_at, count)
select tenant_id, user_id, action, resource, case step when 0 then 0 else min(id) end, max(id), min(created_at),
  max(created_at), count(*)
from (
  select tenant_id, u as user_id, a as action, r as resource, id, created_at,
    (row_number() over (partition by tenant_id, u, a, r order by id) - 1) / 4096 as step
  from audit_logs l,
    unnest(array[-1, l.user_id]) u, unnest(array['', l.action]) a, unnest(array['', l.resource]) r
  where not exists (select from audit_unsealed w where w.tenant_id = l.tenant_id and w.id = l.id)
) numbered
group by tenant_id, user_id, action, resource, step;
alter table audit_logs force row level security;
alter table audit_unsealed force row level security;

-- Row-level security: the second lock -----------------------------------------------------------------------------

do $$
declare
  scope constant text := $policy$tenant_id = nullif(current_setting('app.tenant_id', true), '')::uuid$policy$;
  expiry constant text := $policy$(select audit_expiry(nullif(current_setting('app.tenant_id', true), '')::uuid))$policy$;
begin
  alter table audit_counts enable row level security;
  alter table audit_counts force row level security;
  execute format('create policy tenant_scope on audit_counts to tenantry_app using (%s) with check (%s)', scope, scope);
  execute format('create policy sealing on audit_counts to tenantry_seal using (%s) with check (%s)', scope, scope);
  execute format('create policy removed_tenant on audit_counts to tenantry_purge using (%s and exists (
    select from tenants t where t.id = tenant_id and t.deleted_at is not null))', scope);
  -- What the tenant's own setting lets expire is counted no more; what waits was not counted yet.
  execute format('create policy expired on audit_counts to tenantry_purge using (%s and %s is not null)', scope, expiry);
  execute format('create policy expired on audit_unsealed for select to tenantry_purge using (%s and %s is not null)',
    scope, expiry);
end $$;

grant select on audit_counts to tenantry_app;
grant select, insert, update, delete on audit_counts to tenantry_seal;
grant select, update, delete on audit_counts to tenantry_purge;
-- An import says which of its records wait.
grant insert on audit_unsealed to tenantry_seal;
