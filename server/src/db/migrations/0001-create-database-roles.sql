-- Creates the database roles that transactions take on. None of them can log in, owns a table or is exempt from
-- row-level security. The login role is a member of all; docs/operating.md shows how to create them beforehand.
do $$
declare
  wanted text;
  -- Since PostgreSQL 16 the creator of a role is its member without the right to take it on. 'SET' asks for that
  -- right.
  needed constant text := case when current_setting('server_version_num')::int >= 160000 then 'SET' else 'MEMBER' end;
begin
  foreach wanted in array array['tenantry_app', 'tenantry_login', 'tenantry_search', 'tenantry_seal', 'tenantry_purge',
                                'tenantry_import'] loop
    if not exists (select from pg_roles where rolname = wanted) then
      begin
        execute format('create role %I nologin nosuperuser nobypassrls', wanted);
      exception when duplicate_object or unique_violation then null;
      end;
    end if;
    if not pg_has_role(current_user, wanted, needed) then
      execute format('grant %I to current_user', wanted);
    end if;
  end loop;
end $$;
