import { authz } from './en/authz.ts'
import { catalogue } from './en/catalogue.ts'
import { factors } from './en/factors.ts'
import { invitations } from './en/invitations.ts'
import { memberships } from './en/memberships.ts'
import { notifications, notificationTypes } from './en/notifications.ts'
import { ownProfile } from './en/own-profile.ts'
import { profile } from './en/profile.ts'
import { recovery } from './en/recovery.ts'
import { roles } from './en/roles.ts'
import { sendings } from './en/sendings.ts'
import { serviceAccounts } from './en/service-accounts.ts'
import { sessions } from './en/sessions.ts'
import { jsonErrors, settings } from './en/settings.ts'
import { settingTexts } from './en/setting-texts.ts'
import { tenant } from './en/tenant.ts'
import { tenants } from './en/tenants.ts'
import { userImport } from './en/user-import.ts'
import { users } from './en/users.ts'
import { deliveryStates, replayBegins, webhooks } from './en/webhooks.ts'

/** The texts of the other pages, which come with the first of them. */
export const enPages = {
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
