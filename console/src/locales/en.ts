import { common, fieldFaults, fields, table } from './en/kit.ts'
import { audit, auditActions, auditFields, auditResources } from './en/audit.ts'
import { catalogue } from './en/catalogue.ts'
import { authz } from './en/authz.ts'
import { dashboard } from './en/dashboard.ts'
import { errors } from './en/errors.ts'
import { factors } from './en/factors.ts'
import { invitations } from './en/invitations.ts'
import { notifications, notificationTypes } from './en/notifications.ts'
import { permissionTexts, systemRoles } from './en/permissions.ts'
import { profile } from './en/profile.ts'
import { recovery } from './en/recovery.ts'
import { roles } from './en/roles.ts'
import { serviceAccounts } from './en/service-accounts.ts'
import { sessions } from './en/sessions.ts'
import { jsonErrors, settings } from './en/settings.ts'
import { shell } from './en/shell.ts'
import { signIn } from './en/sign-in.ts'
import { tenants } from './en/tenants.ts'
import { userImport } from './en/user-import.ts'
import { users } from './en/users.ts'

/** The texts of the console; other languages need all of these keys, and `t` accepts no other. */
export const en = {
  audit,
  auditActions,
  auditFields,
  auditResources,
  catalogue,
  authz,
  common,
  dashboard,
  errors,
  factors,
  fieldFaults,
  fields,
  invitations,
  jsonErrors,
  notificationTypes,
  notifications,
  permissionTexts,
  profile,
  recovery,
  roles,
  serviceAccounts,
  sessions,
  settings,
  shell,
  signIn,
  systemRoles,
  table,
  tenants,
  userImport,
  users,
}
