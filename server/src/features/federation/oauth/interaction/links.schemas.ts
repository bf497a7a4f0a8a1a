import type { Static } from 'typebox'
import { Type } from '../../../../values/type.ts'
import { OneOf, SecondStep, Uuid } from '../../../../http/schemas.ts'
import { LoginFactor } from '../../../sign-in/auth/auth.schemas.ts'
import { LinkToken } from '../../../sign-in/auth/email.schemas.ts'
import * as invitations from '../../../tenancy/invitations/invitations.schemas.ts'
import * as signUps from '../../../tenancy/sign-up/sign-up.schemas.ts'

export { LoginFactor }

export const OpenForLink = Type.Object(
  { kind: OneOf('invitation', 'sign_up'), token: LinkToken },
  { title: 'OpenForLink' },
)
export type OpenForLink = Static<typeof OpenForLink>

export const OpenedForLink = Type.Object({ id: Uuid }, { title: 'OpenedForLink' })

/** The interaction of the link, in which a provider brought the person. It replaces the password. */
const interaction = Type.Optional(Uuid)

export const AcceptInvitation = Type.Object(
  { ...invitations.AcceptInvitation.properties, interaction },
  { title: 'AcceptInvitationHere' },
)
export type AcceptInvitation = Static<typeof AcceptInvitation>

export const ConfirmSignUp = Type.Object(
  { ...signUps.ConfirmSignUp.properties, interaction },
  { title: 'ConfirmSignUpHere' },
)
export type ConfirmSignUp = Static<typeof ConfirmSignUp>

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
