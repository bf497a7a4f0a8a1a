import { access } from './en-access.ts'
import { account } from './en-account.ts'
import { dashboard } from './en-dashboard.ts'
import { developers } from './en-developers.ts'
import { entry } from './en-entry.ts'
import { frame } from './en-frame.ts'
import { hosted } from './en-hosted.ts'
import { platform } from './en-platform.ts'
import { ssoAttempts } from './en-sso-attempts.ts'
import { sso } from './en-sso.ts'
import { userImport } from './en-user-import.ts'

/** All texts, for types and tests; the page fetches the parts that it needs (i18n.ts). */
export const en = {
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
