/** The id of the built-in tenant in every installation. The service never disables or deletes it, and keeps its slug. */
export const builtInTenantId = '00000000-0000-4000-8000-000000000001'

/** The ids of the system roles, the same in every installation. */
export const systemRoleIds = { 'platform-admin': 1, admin: 2, viewer: 3, member: 4 }
