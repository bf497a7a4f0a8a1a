/** The id of the built-in tenant in every installation. The service never disables or deletes it, and keeps its slug. */
export const builtInTenantId = '00000000-0000-4000-8000-000000000001'

/** The ids of `platform-admin`, `admin` and `member`, the same in every installation. */
export const platformAdminId = 1
export const adminId = 2
export const memberId = 4
