-- Finds the records of what happened to a user, and lets old sendings go (decisions 0120 and 0123).
set local lock_timeout = '1s';

-- The user whom a record is about: also one who was assigned a role. Records of before, and of the previous version, name
-- nobody here. No value of `detail` can be looked up under row-level security, because its operators are not leakproof.
alter table audit_logs add column about_user_id bigint;
create index audit_logs_about_user_id_idx on audit_logs (tenant_id, about_user_id, id) where about_user_id is not null;

create index sendings_created_at_idx on sendings (created_at);
-- Sweeping reaches the old sendings of every tenant.
create policy expired on sendings to tenantry_purge using (created_at < now() - interval '180 days');
