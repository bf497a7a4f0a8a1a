-- Marks the accounts that their persons registered: TENANTRY_REQUIRE_VERIFIED_EMAIL concerns no others (decision 0107). The
-- previous version leaves accounts unmarked, and so are all that exist: an upgrade locks nobody out.

alter table accounts add column is_registered boolean not null default false;
