import type { en } from './en.ts'
import { common, fieldFaults, fields, table } from './zh/kit.ts'
import { audit, auditActions, auditFields, auditResources } from './zh/audit.ts'
import { dashboard } from './zh/dashboard.ts'
import { errors } from './zh/errors.ts'
import { notifications, notificationTypes } from './zh/notifications.ts'
import { permissionTexts, systemRoles } from './zh/permissions.ts'
import { profile } from './zh/profile.ts'
import { roles } from './zh/roles.ts'
import { jsonErrors, settings } from './zh/settings.ts'
import { shell } from './zh/shell.ts'
import { signIn } from './zh/sign-in.ts'
import { tenants } from './zh/tenants.ts'
import { userImport } from './zh/user-import.ts'
import { users } from './zh/users.ts'

export const zh: typeof en = {
  audit,
  auditActions,
  auditFields,
  auditResources,
  common,
  dashboard,
  errors,
  fieldFaults,
  fields,
  jsonErrors,
  notificationTypes,
  notifications,
  permissionTexts,
  profile,
  roles,
  settings,
  shell,
  signIn,
  systemRoles,
  table,
  tenants,
  userImport,
  users,
}
