import * as access from './en/access.ts'
import * as account from './en/account.ts'
import * as dashboard from './en/dashboard.ts'
import * as developers from './en/developers.ts'
import * as entry from './en/entry.ts'
import * as frame from './en/frame.ts'
import * as hosted from './en/hosted.ts'
import * as ownAccount from './en/own-account.ts'
import * as platform from './en/platform.ts'
import * as sso from './en/sso.ts'
import * as ssoAttempts from './en/sso-attempts.ts'
import * as userImport from './en/user-import.ts'

/** All texts, for types and tests; the page fetches the parts that it needs (i18n.ts). */
export const en = {
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
