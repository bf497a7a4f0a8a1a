import { addressFaults, applicationKinds, applicationKindTexts, applications } from './en/applications.ts'
import { flagOperators, flagReasons, flags, flagTypes } from './en/flags.ts'
import { serviceAccounts } from './en/service-accounts.ts'
import { deliveryStates, replayBegins, webhooks } from './en/webhooks.ts'

/** The texts of the pages of applications, feature flags, service accounts and webhooks. */
export const developers = {
  addressFaults,
  applicationKinds,
  applicationKindTexts,
  applications,
  deliveryStates,
  flagOperators,
  flagReasons,
  flags,
  flagTypes,
  replayBegins,
  serviceAccounts,
  webhooks,
}
