import type { developers as en } from './en-developers.ts'
import {
  addressFaults,
  applicationKinds,
  applicationKindTexts,
  applications,
  applicationSecrets,
} from './zh/applications.ts'
import { flagOperators, flagReasons, flags, flagTypes } from './zh/flags.ts'
import { keySecrets, serviceAccounts } from './zh/service-accounts.ts'
import { deliveryStates, replayBegins, webhooks, webhookSecrets } from './zh/webhooks.ts'

export const developers: typeof en = {
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
