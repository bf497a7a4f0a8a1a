import {
  addressFaults,
  applicationKinds,
  applicationKindTexts,
  applications,
  applicationSecrets,
} from './en/applications.ts'
import { flagOperators, flagReasons, flags, flagTypes } from './en/flags.ts'
import { keySecrets, serviceAccounts } from './en/service-accounts.ts'
import { deliveryStates, replayBegins, webhooks, webhookSecrets } from './en/webhooks.ts'

/** The texts of the pages of applications, feature flags, service accounts and webhooks. */
export const developers = {
  addressFaults,
  applicationKinds,
  applicationKindTexts,
  applications,
  applicationSecrets,
  deliveryStates,
  flagOperators,
  flagReasons,
  flags,
  flagTypes,
  keySecrets,
  replayBegins,
  serviceAccounts,
  webhooks,
  webhookSecrets,
}
