import * as access from './zh/access.ts'
import * as account from './zh/account.ts'
import * as approvals from './zh/approvals.ts'
import * as audit from './zh/audit.ts'
import * as attributes from './zh/attributes.ts'
import * as catalogue from './zh/catalogue.ts'
import * as dashboard from './zh/dashboard.ts'
import * as developers from './zh/developers.ts'
import * as entry from './zh/entry.ts'
import * as errors from './zh/errors.ts'
import * as frame from './zh/frame.ts'
import * as hosted from './zh/hosted.ts'
import * as invitations from './zh/invitations.ts'
import * as news from './zh/news.ts'
import * as ownAccount from './zh/own-account.ts'
import * as platform from './zh/platform.ts'
import * as providers from './zh/providers.ts'
import * as roleEnds from './zh/role-ends.ts'
import * as reviews from './zh/reviews.ts'
import * as sso from './zh/sso.ts'
import * as ssoAttempts from './zh/sso-attempts.ts'
import * as support from './zh/support.ts'
import * as userImport from './zh/user-import.ts'

export const zh = {
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
