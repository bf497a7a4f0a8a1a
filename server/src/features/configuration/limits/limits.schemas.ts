import type { Static } from 'typebox'
import { Page, pageFields, Uuid } from '../../../http/schemas.ts'
import type { LimitName } from '../../../values/limit-names.ts'
import { Type } from '../../../values/type.ts'

/** A value of the setting. Null is no limit. */
export type Limits = Partial<Record<LimitName, number | null>>

const Count = Type.Object({
  used: Type.Integer({ minimum: 0, examples: [12] }),
  limit: Type.Union([Type.Integer({ minimum: 0 }), Type.Null()], {
    description: 'Null without a limit.',
    examples: [25],
  }),
})

export const Usage = Type.Object(
  {
    users: Count,
    pending_invitations: Count,
    service_accounts: Count,
    roles: Count,
    webhooks: Count,
    connections: Count,
  } satisfies Record<LimitName, typeof Count>,
  { title: 'Usage' },
)
export type Usage = Static<typeof Usage>

export const TenantUsage = Type.Object({ tenant_id: Uuid, usage: Usage }, { title: 'TenantUsage' })
export type TenantUsage = Static<typeof TenantUsage>
export const TenantUsages = Page(TenantUsage)

export const UsageQuery = Type.Object(pageFields)
export type UsageQuery = Static<typeof UsageQuery>
