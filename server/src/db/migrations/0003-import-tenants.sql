-- Lets an imported tenant keep its ids (decision 0055): ids given later, to whomever, come after the highest of them.

-- Raises the counter of a table's ids, and never lowers it. The service's roles own no counter; this is all they can do
-- to one. Half of the ids a client can read (2^53) stay out of reach, whatever an import brings.
create function raise_ids(bound text, at_least bigint) returns void
language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  counter regclass;
  present bigint;
begin
  if bound not in ('users', 'roles', 'notifications', 'audit_logs') or at_least > 4503599627370496 then
    raise exception 'the ids of % cannot be raised to %', bound, at_least using errcode = 'invalid_parameter_value';
  end if;
  counter := pg_get_serial_sequence('public.' || bound, 'id');
  execute format('select last_value from %s', counter) into present;
  if at_least <= present then return; end if;
  -- setval would take back what others draw between the two statements. It goes over the wide part of the gap only,
  -- which nobody can draw in that time; nextval, which takes back nothing, over the rest.
  if at_least - present > 20000 then perform setval(counter, at_least - 10000); end if;
  loop
    exit when nextval(counter) >= at_least;
  end loop;
end $$;
revoke execute on function raise_ids(text, bigint) from public;
grant execute on function raise_ids(text, bigint) to tenantry_app;
