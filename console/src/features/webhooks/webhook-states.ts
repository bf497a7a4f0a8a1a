import type { Webhook } from '@tenantry/client'

/** The words of the service for states that need no repair, or a test. */
const untested = 'Its URL has not answered a test yet'
const byHand = 'It was disabled by hand'

export type WebhookState = 'enabled' | 'failing' | 'untested' | 'stopped' | 'disabled'

/** A webhook that is enabled can be stopped nevertheless, for example before its first test. */
export const stateOf = ({ status, disabled_reason: reason, failing_since: since }: Webhook): WebhookState => {
  if (status === 0) return 'disabled'
  if (reason === '') return since ? 'failing' : 'enabled'
  return reason === untested ? 'untested' : 'stopped'
}

/** Whether it sends nothing although nobody has switched it off. */
export const isTroubled = (webhook: Webhook): boolean =>
  ['failing', 'stopped'].includes(stateOf(webhook)) ||
  (webhook.status === 0 && webhook.disabled_reason !== byHand)
