-- Counts what retention takes from hooks of all tenants before it is delivered. Their place is the number of a seal, and
-- numbers have holes, so a gap between two seals says nothing (decision 0124).
set local lock_timeout = '1s';

alter table webhooks add column missed bigint not null default 0;

-- Retention runs in the scope of the tenant whose records expire.
create policy expiring on webhooks for select to tenantry_purge using (all_tenants);
create policy counted on webhooks for update to tenantry_purge using (all_tenants);
grant update (missed) on webhooks to tenantry_purge;
