import type { developers as en } from './en-developers.ts'
import { addressFaults, applicationKinds, applicationKindTexts, applications } from './zh/applications.ts'
import { flagOperators, flagReasons, flags, flagTypes } from './zh/flags.ts'
import { serviceAccounts } from './zh/service-accounts.ts'
import { deliveryStates, replayBegins, webhooks } from './zh/webhooks.ts'

export const developers: typeof en = {
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
