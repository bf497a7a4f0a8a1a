-- Lets old sendings go (decision 0123): the index finds them, and the policy gives them to the sweep of all tenants.
set local lock_timeout = '1s';

create index sendings_created_at_idx on sendings (created_at);
create policy expired on sendings to tenantry_purge using (created_at < now() - interval '180 days');
