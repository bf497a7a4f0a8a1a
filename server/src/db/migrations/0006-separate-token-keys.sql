-- Separates the keys of access tokens, whose public halves are published, from those of refresh tokens, which verify only
-- here. A key of an earlier version signed both: it becomes `legacy`, and verifies until its tokens have expired.

alter table signing_keys drop constraint signing_keys_purpose_check;
update signing_keys set purpose = 'legacy' where purpose = 'token';
alter table signing_keys
  alter column purpose drop default,
  add constraint signing_keys_purpose_check check (purpose in ('access', 'refresh', 'legacy', 'audit')),
  -- A published key signs when every cache of the key set has seen it.
  add column signs_from timestamptz;
update signing_keys set signs_from = created_at;
alter table signing_keys alter column signs_from set not null;

drop policy token_keys on signing_keys;
create policy token_keys on signing_keys to tenantry_app using (purpose <> 'audit');

-- Every `iss` of this installation's tokens. Earlier versions wrote `tenantry` unless told otherwise.
create table token_issuers (
  issuer text primary key check (char_length(issuer) between 1 and 255),
  last_used_at timestamptz not null
);
insert into token_issuers select 'tenantry', now() where exists (select from signing_keys where purpose = 'legacy');
grant select, insert, update, delete on token_issuers to tenantry_app;
