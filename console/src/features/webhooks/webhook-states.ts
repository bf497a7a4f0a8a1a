import type { Webhook } from '@tenantry/client'

/** The service's texts for states that need a test or no action. */
const untested = 'Its URL has not answered a test yet'
const byHand = 'It was disabled by hand'

export type WebhookState = 'enabled' | 'failing' | 'untested' | 'stopped' | 'disabled'

/** An enabled webhook can be stopped nevertheless, for example before its first test. */
export const stateOf = ({ status, disabled_reason: reason, failing_since: since }: Webhook): WebhookState => {
  if (status === 0) return 'disabled'
  if (reason === '') return since ? 'failing' : 'enabled'
  return reason === untested ? 'untested' : 'stopped'
}

/** True if it sends nothing although nobody has disabled it. */
export const isTroubled = (webhook: Webhook): boolean =>
  ['failing', 'stopped'].includes(stateOf(webhook)) ||
  (webhook.status === 0 && webhook.disabled_reason !== byHand)
