-- A process with streams looks for sessions that have ended, of all tenants: the replica that ended one of another tenant
-- may have lost Redis, and told nobody (decision 0128).
create policy searched on sessions for select to tenantry_search using (true);
grant select (tenant_id, id) on sessions to tenantry_search;
