import type { BuiltInSetting } from '../context.ts'
import { factorSettings } from '../features/accounts/factors/factors.settings.ts'
import { passwordSettings } from '../features/accounts/passwords/passwords.settings.ts'
import { mailSettings } from '../features/accounts/mail/mail.settings.ts'
import { limitSettings } from '../features/configuration/limits/limits.settings.ts'
import { auditSettings } from '../features/audit/audit/audit.settings.ts'
import { applicationSettings } from '../features/federation/applications/applications.settings.ts'
import { portalSettings } from '../features/configuration/portal/portal.settings.ts'
import { robotsSettings } from '../features/sign-in/robots/robots.settings.ts'
import { supportSettings } from '../features/sign-in/support/support.settings.ts'
import { waysSettings } from '../features/sign-in/ways/ways.settings.ts'
import { ssoSettings } from '../features/federation/sso/sso.settings.ts'

const rows: BuiltInSetting[] = [
  ...auditSettings,
  ...mailSettings,
  ...factorSettings,
  ...passwordSettings,
  ...applicationSettings,
  ...ssoSettings,
  ...waysSettings,
  ...supportSettings,
  ...robotsSettings,
  ...limitSettings,
  ...portalSettings,
]

/** Every setting that Tenantry itself reads, by key. */
export const builtInSettings: ReadonlyMap<string, BuiltInSetting> = new Map(rows.map((row) => [row.key, row]))
