import { ssoOutcomes, ssoReasons, ssoTestReasons } from './en/sso-attempts.ts'

/** Why sign-ins by a connection ended as they did. */
export const ssoAttempts = {
  ssoOutcomes,
  ssoReasons,
  ssoTestReasons,
}
