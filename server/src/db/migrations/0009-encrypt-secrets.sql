-- Encrypts secrets at rest (crypto/secrets.ts): a signing key has its private half in `private_sealed`, or, without a secret
-- key and from earlier versions, in `private_pem`.

alter table signing_keys
  add column private_sealed bytea,
  drop constraint signing_keys_private_check,
  add constraint signing_keys_private_check check (num_nonnulls(private_pem, private_sealed) = 1
    or (purpose = 'audit' and retired_at is not null and num_nonnulls(private_pem, private_sealed) = 0));
grant update (private_sealed) on signing_keys to tenantry_seal;

-- The secret keys that rows are encrypted with, as fingerprints: a start without one of them is refused.
create table secret_keys (
  fingerprint bytea primary key check (octet_length(fingerprint) = 8),
  first_used_at timestamptz not null
);
grant select, insert, delete on secret_keys to tenantry_app;
