import type { ssoAttempts as en } from './en-sso-attempts.ts'
import { ssoOutcomes, ssoReasons, ssoTestReasons } from './zh/sso-attempts.ts'

/** Why sign-ins by a connection ended as they did. */
export const ssoAttempts: typeof en = {
  ssoOutcomes,
  ssoReasons,
  ssoTestReasons,
}
