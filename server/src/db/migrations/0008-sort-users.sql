-- Lists users from the newest on as well: list_users of 0004, with one argument more (0073). The one without it stays for a
-- version before this one that runs beside.

create function list_users(pattern text, wanted_status smallint, page_limit integer, page_offset bigint,
  count_max integer, descending boolean, out total bigint, out ids bigint[])
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
  -- A page far behind is found from the other end, where the counts of its blocks lead to it.
  backwards constant boolean := descending and (pattern is not null or page_offset < 8192);
  statement constant text := 'select array(select id from users where tenant_id = $1 and id >= $2'
    || case when wanted_status is null then '' else ' and status = $3' end
    || case when pattern is null then '' else ' and search_folded like $4' end
    || ' order by id' || case when backwards then ' desc' else '' end || ' limit $5 offset $6)';
  everybody bigint;
  density double precision;
  first_id bigint := 0;
  skipped bigint := 0;
begin
  select coalesce(sum(enabled + disabled), 0),
    coalesce(sum(case wanted_status when 1 then enabled when 0 then disabled else enabled + disabled end), 0)
  into everybody, total from user_counts where tenant_id = tenant and part = 'all';

  if pattern is null then
    if descending and not backwards then
      page_limit := least(page_limit, greatest(total - page_offset, 0));
      page_offset := greatest(total - page_offset - page_limit, 0);
    end if;
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
    if descending and not backwards then
      ids := array(select id from unnest(ids) with ordinality as page (id, place) order by place desc);
    end if;
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

revoke execute on function list_users(text, smallint, integer, bigint, integer, boolean) from public;
grant execute on function list_users(text, smallint, integer, bigint, integer, boolean) to tenantry_app;

do $$
declare
  lacks constant boolean := not has_schema_privilege('tenantry_search', 'public', 'create');
begin
  if lacks then grant create on schema public to tenantry_search; end if;
  alter function list_users(text, smallint, integer, bigint, integer, boolean) owner to tenantry_search;
  if lacks then revoke create on schema public from tenantry_search; end if;
end $$;
