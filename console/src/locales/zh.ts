import type { en } from './en.ts'
import { common, fieldFaults, fields, table } from './zh/kit.ts'
import { audit, auditActions, auditFields, auditResources } from './zh/audit.ts'
import { catalogue } from './zh/catalogue.ts'
import { authz } from './zh/authz.ts'
import { dashboard } from './zh/dashboard.ts'
import { errors } from './zh/errors.ts'
import { factors } from './zh/factors.ts'
import { invitations } from './zh/invitations.ts'
import { notifications, notificationTypes } from './zh/notifications.ts'
import { permissionTexts, systemRoles } from './zh/permissions.ts'
import { profile } from './zh/profile.ts'
import { recovery } from './zh/recovery.ts'
import { roles } from './zh/roles.ts'
import { serviceAccounts } from './zh/service-accounts.ts'
import { sessions } from './zh/sessions.ts'
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
