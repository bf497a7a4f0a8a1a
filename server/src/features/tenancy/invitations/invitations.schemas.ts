import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Id, Include, OneOf, pageFields, Time, Uuid } from '../../../http/schemas.ts'
import { EndTime, ExpiresAt } from '../../accounts/roles/assignments.schemas.ts'
import { LinkToken } from '../../sign-in/auth/email.schemas.ts'
import { GivenPassword } from '../../sign-in/auth/auth.schemas.ts'
import { Email, Nickname, Password, Username } from '../../accounts/users/users.schemas.ts'

export { TokenPair } from '../../accounts/sessions/sessions.schemas.ts'

const InvitationStatus = Type.Unsafe<'pending' | 'accepted' | 'revoked' | 'expired'>({
  type: 'string',
  enum: ['pending', 'accepted', 'revoked', 'expired'],
  examples: ['pending'],
})

export const Invitation = Type.Object(
  {
    id: Id,
    tenant_id: Uuid,
    email: Type.String({ examples: ['ada@example.com'] }),
    role_ids: Type.Array(Id, { description: 'Roles that the person gets, beside those of every new user.' }),
    roles_expire_at: EndTime,
    nickname: Type.String({ examples: ['Ada'] }),
    invited_by: Type.Integer({
      description: 'The user or service account that invited; 0 for an import.',
      examples: [7],
    }),
    status: InvitationStatus,
    created_at: Time,
    expires_at: Time,
    link: Type.String({
      description:
        '"" when the link was mailed. Where e-mail is off or becomes files, the answer that makes the link shows it, and ' +
        'no other one.',
      examples: [''],
    }),
  },
  { title: 'Invitation' },
)
export type Invitation = Static<typeof Invitation>

export const InvitationQuery = Type.Object({
  ...pageFields,
  status: Type.Optional(
    Type.Unsafe<Invitation['status']>({
      ...InvitationStatus,
      description: 'Only invitations of this status.',
    }),
  ),
})
export type InvitationQuery = Static<typeof InvitationQuery>

export const CreateInvitation = Type.Object(
  {
    email: Email,
    role_ids: Type.Optional(Type.Array(Id, { maxItems: 20, uniqueItems: true, examples: [[7]] })),
    roles_expire_at: Type.Optional({
      ...ExpiresAt,
      description: '5 minutes to 400 days ahead. The roles of `role_ids` end then.',
    }),
    nickname: Type.Optional(Nickname),
  },
  { title: 'CreateInvitation' },
)
export type CreateInvitation = Static<typeof CreateInvitation>

export const LookUpInvitation = Type.Object({ token: LinkToken }, { title: 'LookUpInvitation' })
export type LookUpInvitation = Static<typeof LookUpInvitation>

export const InvitationFound = Type.Object(
  {
    tenant: Type.Object({ id: Uuid, name: Type.String({ examples: ['Acme'] }) }),
    email: Type.String({ examples: ['ada@example.com'] }),
    account_exists: Type.Boolean({
      description: 'Whether the address has an account, whose password accepts the invitation.',
      examples: [false],
    }),
    nickname: Type.Optional(
      Type.String({
        description: 'Only with `include=proof`: the nickname that the inviter gave; "" where none.',
        examples: ['Ada'],
      }),
    ),
    proof: Type.Optional({
      ...OneOf('password', 'new_password', 'none'),
      description:
        'Only with `include=proof`: the field that an acceptance needs without a session of the address; `none` if such an acceptance is refused. `new_password` and `none` are for an account whose mailbox nobody has proved.',
    }),
  },
  { title: 'InvitationFound' },
)
export type InvitationFound = Static<typeof InvitationFound>

export const LookUpQuery = Type.Object({ include: Include('proof') })
export type LookUpQuery = Static<typeof LookUpQuery>

export const AcceptInvitation = Type.Object(
  {
    token: LinkToken,
    username: Username,
    password: Type.Optional(GivenPassword),
    new_password: Type.Optional(Password),
    nickname: Type.Optional(Nickname),
  },
  { title: 'AcceptInvitation' },
)
export type AcceptInvitation = Static<typeof AcceptInvitation>
