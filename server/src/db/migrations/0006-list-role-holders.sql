-- Lists who holds a role, by id: the index has the ids in their order, and still finds what is deleted with a role.

create index if not exists user_roles_tenant_id_role_id_user_id_idx on user_roles (tenant_id, role_id, user_id);
drop index user_roles_tenant_id_role_id_idx;
