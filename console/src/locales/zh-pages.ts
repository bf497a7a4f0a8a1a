import type { enPages } from './en-pages.ts'
import { authz } from './zh/authz.ts'
import { catalogue } from './zh/catalogue.ts'
import { factors } from './zh/factors.ts'
import { invitations } from './zh/invitations.ts'
import { memberships } from './zh/memberships.ts'
import { notifications, notificationTypes } from './zh/notifications.ts'
import { ownProfile } from './zh/own-profile.ts'
import { profile } from './zh/profile.ts'
import { recovery } from './zh/recovery.ts'
import { roles } from './zh/roles.ts'
import { sendings } from './zh/sendings.ts'
import { serviceAccounts } from './zh/service-accounts.ts'
import { sessions } from './zh/sessions.ts'
import { jsonErrors, settings } from './zh/settings.ts'
import { settingTexts } from './zh/setting-texts.ts'
import { tenant } from './zh/tenant.ts'
import { tenants } from './zh/tenants.ts'
import { userImport } from './zh/user-import.ts'
import { users } from './zh/users.ts'
import { deliveryStates, replayBegins, webhooks } from './zh/webhooks.ts'

export const zhPages: typeof enPages = {
  authz,
  catalogue,
  deliveryStates,
  factors,
  invitations,
  jsonErrors,
  memberships,
  notificationTypes,
  notifications,
  ownProfile,
  profile,
  recovery,
  replayBegins,
  roles,
  sendings,
  serviceAccounts,
  sessions,
  settingTexts,
  settings,
  tenant,
  tenants,
  userImport,
  users,
  webhooks,
}
