-- Stores the system roles once for all tenants, as templates, and lets a product define permissions and templates of its
-- own (decision 0094). A change of a template is then one write, however many tenants there are.
--
-- A role id below 1000 is a template's, one above is that of a tenant's own role. `user_roles.role_id` holds either.

-- A removed permission keeps its row, to which rows of role_permissions refer until maintenance has deleted them.
alter table permissions
  add column removed_at timestamptz,
  drop constraint permissions_code_key;
create unique index permissions_code_key on permissions (code) where removed_at is null;
create sequence product_permission_ids as integer minvalue 1000;

create table role_templates (
  id integer primary key check (id between 1 and 999),
  name text not null check (char_length(name) between 1 and 64),
  name_folded text collate "C" not null constraint role_templates_name_key unique,
  description text not null default '' check (char_length(description) <= 255),
  is_builtin boolean not null default false,
  given_to_new_users boolean not null default false,
  created_at timestamptz not null
);
-- The last id of a template of the product; the first ids are for built-in templates of later versions. A row, because a
-- plan that is rolled back must not use up one of 900 ids.
create table template_counter (
  last_id integer not null constraint template_counter_last_id_check check (last_id between 99 and 999)
);
insert into template_counter values (99);

create table template_permissions (
  template_id integer not null references role_templates (id) on delete cascade,
  permission_id integer not null,
  platform_only boolean not null,
  primary key (template_id, permission_id),
  foreign key (permission_id, platform_only) references permissions (id, platform_only),
  -- Platform-only permissions exist in the template platform-admin alone.
  constraint template_permissions_platform_check check (not platform_only or template_id = 1)
);

-- Permissions and templates that are removed, and whose rows in the tenants maintenance has yet to delete.
create table catalogue_removals (
  kind text not null check (kind in ('permission', 'template')),
  id integer not null,
  primary key (kind, id)
);

-- The owner of the tables is bound by their row-level security, and has no tenant in scope here.
alter table roles no force row level security;
alter table role_permissions no force row level security;
alter table user_roles no force row level security;

alter table user_roles drop constraint user_roles_tenant_id_role_id_fkey;
select setval('roles_id_seq', greatest(1000, (select last_value from roles_id_seq)));

create table moving_roles as
  select tenant_id, id, name, name_folded, description, is_system, created_at,
    case when not is_system then nextval('roles_id_seq')
      else (array[1, 2, 3, 4])[array_position(array['platform-admin', 'admin', 'viewer', 'member'], name)]
    end as new_id
  from roles where is_system or id <= 1000;
create table moving_permissions as
  select m.tenant_id, m.new_id, permission_id, platform_only
  from moving_roles m join role_permissions rp on rp.tenant_id = m.tenant_id and rp.role_id = m.id
  where not is_system;
create table moving_users as
  select m.tenant_id, user_id, new_id
  from moving_roles m join user_roles ur on ur.tenant_id = m.tenant_id and ur.role_id = m.id;

delete from user_roles ur using moving_roles m where ur.tenant_id = m.tenant_id and ur.role_id = m.id;
delete from roles r using moving_roles m where r.tenant_id = m.tenant_id and r.id = m.id;

alter table roles
  drop column is_system,
  add constraint roles_id_check check (id > 1000);
insert into roles (tenant_id, id, name, name_folded, description, created_at) overriding system value
  select tenant_id, new_id, name, name_folded, description, created_at from moving_roles where not is_system;
insert into role_permissions (tenant_id, role_id, permission_id, platform_only)
  select tenant_id, new_id, permission_id, platform_only from moving_permissions;
insert into user_roles (tenant_id, user_id, role_id) select tenant_id, user_id, new_id from moving_users;
drop table moving_roles, moving_permissions, moving_users;

-- The template platform-admin opens every tenant: only users of the built-in one can hold it.
alter table user_roles add constraint user_roles_platform_admin_check
  check (role_id <> 1 or tenant_id = '00000000-0000-4000-8000-000000000001');

alter table roles force row level security;
alter table role_permissions force row level security;
alter table user_roles force row level security;

-- A start compares the catalogue as its login. Requests write the product's part of it, in the scope of the built-in
-- tenant alone; a start writes the rest.
grant select on role_templates, template_permissions to public;
alter table permissions enable row level security;
create policy listed on permissions for select using (true);
create policy product on permissions to tenantry_app
  using (id >= 1000 and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table role_templates enable row level security;
create policy listed on role_templates for select using (true);
create policy product on role_templates to tenantry_app
  using (not is_builtin and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
alter table template_permissions enable row level security;
create policy listed on template_permissions for select using (true);
create policy product on template_permissions to tenantry_app
  using ((template_id >= 100 or permission_id >= 1000)
    and current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant insert, update (name, description, removed_at) on permissions to tenantry_app;
grant insert, delete, update (name, name_folded, description, given_to_new_users) on role_templates to tenantry_app;
grant insert, delete on template_permissions to tenantry_app;
alter table template_counter enable row level security;
create policy product on template_counter to tenantry_app
  using (current_setting('app.tenant_id', true) = '00000000-0000-4000-8000-000000000001');
grant select, update on template_counter to tenantry_app;
grant usage on sequence product_permission_ids to tenantry_app;

-- A new template takes its name from the tenants' own roles, which have to be found.
create index roles_name_folded_idx on roles (name_folded);
create policy searched on roles for select to tenantry_search using (true);
grant select (tenant_id, id, name_folded) on roles to tenantry_search;

-- Maintenance deletes the rows of what is removed: in every tenant, and only those that a statement has put in scope,
-- which reads the removal (catalogue.store.ts).
create policy removed_from_catalogue on user_roles to tenantry_purge
  using (role_id = nullif(current_setting('app.removed_template_id', true), '')::bigint);
create policy removed_from_catalogue on role_permissions to tenantry_purge
  using (permission_id = nullif(current_setting('app.removed_permission_id', true), '')::integer);
grant insert on catalogue_removals to tenantry_app;
grant select, delete on catalogue_removals to tenantry_purge;
