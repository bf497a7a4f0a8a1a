import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Include } from '../../../http/schemas.ts'
import { LinkToken } from '../../sign-in/auth/email.schemas.ts'
import { Altcha } from '../../sign-in/robots/robots.schemas.ts'
import { AcceptInvitation, InvitationFound } from '../invitations/invitations.schemas.ts'
import { Slug, slugForm, TenantName } from '../tenants/tenants.schemas.ts'
import { Email, Username } from '../../accounts/users/users.schemas.ts'

export { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'

const organization = {
  organization: TenantName,
  slug: Type.Optional({ ...Slug, description: `${slugForm} Without it, the slug derives from the name.` }),
}

export const SignUp = Type.Object({ ...organization, email: Email, altcha: Altcha }, { title: 'SignUp' })
export type SignUp = Static<typeof SignUp>

export const LookUpSignUp = Type.Object({ token: LinkToken }, { title: 'LookUpSignUp' })
export type LookUpSignUp = Static<typeof LookUpSignUp>

export const LookUpSignUpQuery = Type.Object({ include: Include('proof') })
export type LookUpSignUpQuery = Static<typeof LookUpSignUpQuery>

export const SignUpFound = Type.Object(
  {
    organization: Type.String({ examples: ['Analytical Engines'] }),
    slug: Type.String({
      description: 'The requested slug, or else the slug that derives from the name now.',
      examples: ['analytical-engines'],
    }),
    ...Type.Pick(InvitationFound, ['email', 'account_exists', 'proof']).properties,
  },
  { title: 'SignUpFound' },
)
export type SignUpFound = Static<typeof SignUpFound>

export const ConfirmSignUp = Type.Object(
  {
    ...AcceptInvitation.properties,
    slug: Type.Optional({ ...Slug, description: `${slugForm} Replaces the requested slug.` }),
  },
  { title: 'ConfirmSignUp' },
)
export type ConfirmSignUp = Static<typeof ConfirmSignUp>

export const CreateOrganization = Type.Object(
  { ...organization, username: Username },
  { title: 'CreateOrganization' },
)
export type CreateOrganization = Static<typeof CreateOrganization>
