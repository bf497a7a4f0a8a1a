import { catalogue } from './en/catalogue.ts'
import { declared } from './en/declared.ts'
import { notificationTypes, notifications } from './en/notifications.ts'
import { sendings } from './en/sendings.ts'
import { settingTexts } from './en/setting-texts.ts'
import { jsonErrors, settingKinds, settings } from './en/settings.ts'
import { tenant } from './en/tenant.ts'
import { tenants } from './en/tenants.ts'

/** The texts of the other pages. */
export const platform = {
  catalogue,
  declared,
  jsonErrors,
  notificationTypes,
  notifications,
  sendings,
  settingTexts,
  settingKinds,
  settings,
  tenant,
  tenants,
}
