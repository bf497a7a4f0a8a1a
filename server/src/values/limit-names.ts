/** The kinds of which a tenant can have a limit. */
export const limitNames = [
  'users',
  'pending_invitations',
  'service_accounts',
  'roles',
  'webhooks',
  'connections',
] as const
export type LimitName = (typeof limitNames)[number]
