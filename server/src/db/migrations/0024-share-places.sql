-- Remembers which receivers are slow: a replica gives their hooks places of their own, so that they take none from the
-- others (decision 0133).
set local lock_timeout = '1s';

alter table webhooks add column is_slow boolean not null default false;
grant select (is_slow) on webhooks to tenantry_search;
