/** The service never disables or deletes this tenant, and keeps its slug. Every installation has it under this id. */
export const builtInTenantId = '00000000-0000-4000-8000-000000000001'

/** The roles that administer the installation, and any other tenant: system roles keep their ids (docs/contract.md). */
export const platformAdminId = 1
export const adminId = 2
