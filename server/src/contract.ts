/** What clients of the API build on: the shapes of its bodies and answers, its error codes, its permissions. */
export { errorCodes, type ErrorName, type FieldError } from './errors.ts'
export type { AuditExportQuery, AuditLog, AuditQuery } from './features/audit/audit.schemas.ts'
export type {
  ChangePassword,
  KeySet,
  Login,
  Refresh,
  Register,
  Registration,
  TokenPair,
} from './features/auth/auth.schemas.ts'
export type { Activity, ActivityQuery, DayActivity, Stats } from './features/dashboard/dashboard.schemas.ts'
export type {
  CreateNotification,
  Notification,
  UnreadCount,
} from './features/notifications/notifications.schemas.ts'
export type {
  AssignRole,
  CreateRole,
  Permission,
  PermissionQuery,
  ReplacePermissions,
  Role,
  UpdateRole,
} from './features/roles/roles.schemas.ts'
export type { Setting, UpdateSetting } from './features/settings/settings.schemas.ts'
export type { Health, Liveness, Readiness, UpgradeStatus, Version } from './features/system/system.schemas.ts'
export type { CreateTenant, Tenant, UpdateTenant } from './features/tenants/tenants.schemas.ts'
export type { CreateUser, UpdateUser, User, UserQuery } from './features/users/users.schemas.ts'
export type { PageOf, PageQuery } from './http/schemas.ts'
export { permissions, type PermissionCode } from './permissions.ts'
