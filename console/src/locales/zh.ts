import { access } from './zh-access.ts'
import { account } from './zh-account.ts'
import { dashboard } from './zh-dashboard.ts'
import { developers } from './zh-developers.ts'
import { entry } from './zh-entry.ts'
import { frame } from './zh-frame.ts'
import { hosted } from './zh-hosted.ts'
import { platform } from './zh-platform.ts'
import { ssoAttempts } from './zh-sso-attempts.ts'
import { sso } from './zh-sso.ts'
import { userImport } from './zh-user-import.ts'

export const zh = {
  ...hosted,
  ...entry,
  ...frame,
  ...dashboard,
  ...account,
  ...access,
  ...platform,
  ...developers,
  ...sso,
  ...ssoAttempts,
  ...userImport,
}
