-- Roles and database of the hardened setup (docs/operating.md). The image of PostgreSQL runs this file once, on an
-- empty volume. The passwords come from its environment; \getenv needs psql 15 or later.
\set ON_ERROR_STOP on
\getenv owner_password OWNER_PASSWORD
\getenv service_password SERVICE_PASSWORD

create role tenantry_app nologin;
create role tenantry_login nologin;
create role tenantry_search nologin;
create role tenantry_seal nologin;
create role tenantry_purge nologin;
create role tenantry_import nologin;
create role tenantry_owner login password :'owner_password';
create role tenantry_service login noinherit password :'service_password';
grant tenantry_app, tenantry_login, tenantry_search, tenantry_seal, tenantry_purge, tenantry_import
  to tenantry_owner, tenantry_service;
create database tenantry owner tenantry_owner;
