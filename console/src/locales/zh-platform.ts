import type { platform as en } from './en-platform.ts'
import { catalogue } from './zh/catalogue.ts'
import { declared } from './zh/declared.ts'
import { notificationTypes, notifications } from './zh/notifications.ts'
import { sendings } from './zh/sendings.ts'
import { settingTexts } from './zh/setting-texts.ts'
import { jsonErrors, settingKinds, settings } from './zh/settings.ts'
import { tenant } from './zh/tenant.ts'
import { tenants } from './zh/tenants.ts'

export const platform: typeof en = {
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
