import * as access from './zh/access.ts'
import * as account from './zh/account.ts'
import * as dashboard from './zh/dashboard.ts'
import * as developers from './zh/developers.ts'
import * as entry from './zh/entry.ts'
import * as frame from './zh/frame.ts'
import * as hosted from './zh/hosted.ts'
import * as ownAccount from './zh/own-account.ts'
import * as platform from './zh/platform.ts'
import * as sso from './zh/sso.ts'
import * as ssoAttempts from './zh/sso-attempts.ts'
import * as userImport from './zh/user-import.ts'

export const zh = {
  ...hosted,
  ...entry,
  ...frame,
  ...dashboard,
  ...account,
  ...access,
  ...developers,
  ...ownAccount,
  ...platform,
  ...sso,
  ...ssoAttempts,
  ...userImport,
}
