-- Keeps what was sent and answered (decision 0135). The body is the audit record, so no row has a copy of it; an event of the
-- hook's own has no record, and is kept. An earlier row is of the hook's own tenant.
set local lock_timeout = '1s';

alter table webhook_deliveries
  -- The last 20 attempts, the newest last.
  add column history jsonb not null default '[]' check (jsonb_array_length(history) <= 20),
  -- The tenant of the record: with all_tenants it can be another one.
  add column event_tenant_id uuid,
  -- Of an event that no record stands for: its `log`, and its `digest` in base64.
  add column own_event jsonb;
