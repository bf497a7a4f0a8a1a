import * as access from './en/access.ts'
import * as account from './en/account.ts'
import * as approvals from './en/approvals.ts'
import * as audit from './en/audit.ts'
import * as attributes from './en/attributes.ts'
import * as catalogue from './en/catalogue.ts'
import * as dashboard from './en/dashboard.ts'
import * as developers from './en/developers.ts'
import * as entry from './en/entry.ts'
import * as errors from './en/errors.ts'
import * as frame from './en/frame.ts'
import * as hosted from './en/hosted.ts'
import * as invitations from './en/invitations.ts'
import * as news from './en/news.ts'
import * as ownAccount from './en/own-account.ts'
import * as platform from './en/platform.ts'
import * as providers from './en/providers.ts'
import * as roleEnds from './en/role-ends.ts'
import * as reviews from './en/reviews.ts'
import * as sso from './en/sso.ts'
import * as ssoAttempts from './en/sso-attempts.ts'
import * as support from './en/support.ts'
import * as userImport from './en/user-import.ts'

/** All texts, for types and tests; the page fetches the parts that it needs (i18n.ts). */
export const en = {
  ...hosted,
  ...entry,
  ...errors,
  ...frame,
  ...catalogue,
  ...dashboard,
  ...account,
  ...attributes,
  ...audit,
  ...access,
  ...developers,
  ...invitations,
  ...news,
  ...ownAccount,
  ...platform,
  ...providers,
  ...roleEnds,
  ...reviews,
  ...approvals,
  ...sso,
  ...ssoAttempts,
  ...support,
  ...userImport,
}
