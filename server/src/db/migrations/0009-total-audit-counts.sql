-- Keeps the total of a filter of the audit query in its last block: it is read from one row, however many blocks there are
-- (decision 0063).

-- Whoever seals or deletes meanwhile waits for the end of this, and then counts by these functions.
lock table audit_logs, audit_unsealed in share row exclusive mode;

-- How many records the blocks before this one hold: kept in the last block of a filter, of no meaning in any other.
alter table audit_counts add column earlier bigint not null default 0;

-- As in 0005, and so much is new: the last block counts what goes into those before it.
create or replace function count_audit() returns trigger language plpgsql set enable_seqscan = off as $$
begin
  insert into audit_counts as c
    (tenant_id, user_id, action, resource, first_id, last_id, oldest_at, newest_at, count, earlier)
  with filters as (
    select s.tenant_id, u as user_id, a as action, r as resource,
      array_agg(s.id order by s.id) as ids, array_agg(l.created_at order by s.id) as times, count(*) as records
    from changed s
      cross join lateral (
        select * from audit_logs l where l.tenant_id = s.tenant_id and l.id = s.id limit 1
      ) l,
      unnest(array[-1, l.user_id]) u, unnest(array['', l.action]) a, unnest(array['', l.resource]) r
    group by 1, 2, 3, 4
  ), ends as (
    select f.*, coalesce(e.first_id, 0) as first_id, coalesce(e.count, 0) as count,
      -- How many of the ids are not after the last one that was counted.
      width_bucket(coalesce(e.last_id, 0), f.ids) as late,
      coalesce(e.earlier + e.count, 0) + f.records as total
    from filters f
    left join lateral (
      select * from audit_counts b
      where b.tenant_id = f.tenant_id and b.user_id = f.user_id and b.action = f.action and b.resource = f.resource
      order by b.first_id desc limit 1
    ) e on true
  ), placed as (
    select e.tenant_id, e.user_id, e.action, e.resource, total, r.id, r.created_at, case
      when r.id is null then first_id
      when r.nth <= late then coalesce((
        select max(b.first_id) from audit_counts b
        where b.tenant_id = e.tenant_id and b.user_id = e.user_id and b.action = e.action and b.resource = e.resource
          and b.first_id <= r.id), 0)
      when count + r.nth - late <= 4096 then first_id
      else ids[greatest(late + 1, late + 1 - count + (count + r.nth - late - 1) / 4096 * 4096)::int]
    end as first_id
    from ends e, lateral (
      select * from unnest(ids, times) with ordinality
      -- The last block also where nothing goes into it.
      union all select null, null, null where ids[records] < first_id
    ) r (id, created_at, nth)
  )
  select tenant_id, user_id, action, resource, first_id, coalesce(max(id), 0), coalesce(min(created_at), 'infinity'),
    coalesce(max(created_at), '-infinity'), count(id), total - count(id)
  from placed
  group by 1, 2, 3, 4, 5, total
  on conflict (tenant_id, user_id, action, resource, first_id) do update set
    last_id = greatest(c.last_id, excluded.last_id),
    oldest_at = least(c.oldest_at, excluded.oldest_at),
    newest_at = greatest(c.newest_at, excluded.newest_at),
    count = c.count + excluded.count,
    earlier = excluded.earlier - c.count;
  return null;
end $$;

-- As in 0005, and so much is new: the last block of each filter, perhaps another than before, says anew what is before it.
create or replace function
  discount_audit(tenant_ids uuid[], ids bigint[], user_ids bigint[], actions text[], resources text[])
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
    and c.first_id = l.first_id and c.count > l.count;

  update audit_counts c set earlier = e.earlier
  from (
    select f.tenant_id, u as user_id, a as action, r as resource
    from unnest(tenant_ids, user_ids, actions, resources) f (tenant_id, user_id, action, resource),
      unnest(array[-1, f.user_id]) u, unnest(array['', f.action]) a, unnest(array['', f.resource]) r
    group by 1, 2, 3, 4
  ) f
  cross join lateral (
    select b.first_id, sum(b.count) over (order by b.first_id) - b.count as earlier from audit_counts b
    where b.tenant_id = f.tenant_id and b.user_id = f.user_id and b.action = f.action and b.resource = f.resource
    order by b.first_id desc limit 1
  ) e
  where c.tenant_id = f.tenant_id and c.user_id = f.user_id and c.action = f.action and c.resource = f.resource
    and c.first_id = e.first_id and c.earlier <> e.earlier
$$;

-- What is counted already.
alter table audit_counts no force row level security;
update audit_counts c set earlier = f.count - c.count
from (
  select tenant_id, user_id, action, resource, max(first_id) as last, sum(count) as count
  from audit_counts group by 1, 2, 3, 4 having count(*) > 1
) f
where c.tenant_id = f.tenant_id and c.user_id = f.user_id and c.action = f.action and c.resource = f.resource
  and c.first_id = f.last;
alter table audit_counts force row level security;
