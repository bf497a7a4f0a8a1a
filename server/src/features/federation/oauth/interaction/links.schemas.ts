import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { SecondStep, Uuid } from '../../../../http/schemas.ts'
import { LoginFactor } from '../../../sign-in/auth/auth.schemas.ts'
import { AcceptInvitation } from '../../../tenancy/invitations/invitations.schemas.ts'
import { ConfirmSignUp } from '../../../tenancy/sign-up/sign-up.schemas.ts'

export { AcceptInvitation, ConfirmSignUp, LoginFactor }

export const Reader = Type.Object(
  {
    account: Type.String({
      description: 'The address of the person who is signed in with this browser, else "".',
      examples: ['ada@example.com'],
    }),
  },
  { title: 'Reader' },
)
export type Reader = Static<typeof Reader>

export const JoinedHere = Type.Object(
  {
    tenant_id: Type.Union([Type.Null(), Uuid], { description: 'Null before the second step.' }),
    second_step: Type.Union([Type.Null(), SecondStep]),
  },
  { title: 'JoinedHere' },
)
export type JoinedHere = Static<typeof JoinedHere>
