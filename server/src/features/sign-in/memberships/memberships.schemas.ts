import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Status, Uuid } from '../../../http/schemas.ts'
import { OwnPassword } from '../../accounts/factors/factors.schemas.ts'

export { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'

export const Membership = Type.Object(
  {
    tenant: Type.Object({
      id: Uuid,
      name: Type.String({ examples: ['Acme'] }),
      slug: Type.String({ examples: ['acme'] }),
      status: Status,
    }),
    user_id: Id,
    username: Type.String({ examples: ['ada'] }),
    status: Status,
    is_current: Type.Boolean({
      description: 'Whether the session of this request is in the tenant.',
      examples: [true],
    }),
  },
  { title: 'Membership' },
)
export type Membership = Static<typeof Membership>

export const SwitchTenant = Type.Object({ tenant_id: Uuid }, { title: 'SwitchTenant' })
export type SwitchTenant = Static<typeof SwitchTenant>

export const TenantParams = Type.Object({ tenantId: Uuid })

export const DeleteAccount = Type.Object({ password: OwnPassword }, { title: 'DeleteAccount' })
export type DeleteAccount = Static<typeof DeleteAccount>
