import { common, fieldFaults, fields, table } from './en/kit.ts'
import { audit, auditActions, auditFields, auditResources } from './en/audit.ts'
import { dashboard } from './en/dashboard.ts'
import { errors } from './en/errors.ts'
import { notifications, notificationTypes } from './en/notifications.ts'
import { permissionTexts, systemRoles } from './en/permissions.ts'
import { profile } from './en/profile.ts'
import { roles } from './en/roles.ts'
import { jsonErrors, settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { tenants } from './en/tenants.ts'
import { userImport } from './en/user-import.ts'
import { users } from './en/users.ts'

/** What every language has to say: the others do not compile without a key of these, and `t` takes no other. */
export const en = {
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
