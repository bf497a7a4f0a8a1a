import type { Static } from 'typebox'
import { Id, OneOf, Time, Uuid } from '../../../http/schemas.ts'
import { Type } from '../../../values/type.ts'
import { Email } from '../../accounts/users/users.schemas.ts'
import { LinkToken } from '../../sign-in/auth/email.schemas.ts'
import { EmailCodeChallenge, EmailCodeLogin } from '../../sign-in/auth/email-code.schemas.ts'

export { EmailCodeChallenge }

const Parts = Type.Array(OneOf('domains', 'connection', 'directory'), {
  minItems: 1,
  maxItems: 3,
  uniqueItems: true,
  description: 'The parts that the guest sets up.',
  examples: [['domains', 'connection']],
})
const RoleIds = Type.Array(Id, {
  maxItems: 20,
  uniqueItems: true,
  description: 'The roles that the guest may map groups to.',
  examples: [[7]],
})
const DraftId = Type.Union([Uuid, Type.Null()], {
  description: 'The draft that the guest sets up; null until the guest has created one.',
  examples: [null],
})
const Hours = Type.Integer({ minimum: 1, maximum: 336, examples: [72] })
const MayActivate = Type.Boolean({
  description: 'Whether the guest may activate the connection. Other managers are notified.',
  examples: [false],
})

export const CreateSetupLink = Type.Object(
  {
    email: Email,
    parts: Parts,
    connection_id: Type.Optional(DraftId),
    expires_in_hours: Type.Optional({ ...Hours, default: 72 }),
    role_ids: Type.Optional(RoleIds),
    may_activate: Type.Optional(MayActivate),
  },
  { title: 'CreateSetupLink' },
)
export type CreateSetupLink = Static<typeof CreateSetupLink>

export const SetupLink = Type.Object(
  {
    id: Uuid,
    email: Type.String({ examples: ['it@example.com'] }),
    parts: Parts,
    connection_id: DraftId,
    expires_in_hours: Hours,
    role_ids: RoleIds,
    may_activate: MayActivate,
    status: OneOf('open', 'ended'),
    created_by: Type.Integer({
      minimum: 0,
      description: 'The user or service account that sent it; 0 for one of another tenant.',
      examples: [7],
    }),
    created_at: Time,
    expires_at: Time,
    last_used_at: Type.String({
      description: 'When a guest last entered, in UTC; "" before that.',
      examples: [''],
    }),
  },
  { title: 'SetupLink' },
)
export type SetupLink = Static<typeof SetupLink>

export const OpenSetup = Type.Object({ token: LinkToken }, { title: 'OpenSetup' })
export type OpenSetup = Static<typeof OpenSetup>

export const EnterSetup = Type.Object(
  { token: LinkToken, ...EmailCodeLogin.properties },
  { title: 'EnterSetup' },
)
export type EnterSetup = Static<typeof EnterSetup>

export const SetupGuest = Type.Object(
  {
    token: Type.String({
      description: 'The access token of the guest, for 60 minutes. No refresh.',
      examples: ['tng_P2eJ4n…'],
    }),
    expires_at: Time,
    email: Type.String({ examples: ['it@example.com'] }),
    tenant: Type.Object({ id: Uuid, name: Type.String({ examples: ['Acme'] }) }),
    parts: Parts,
    connection_id: DraftId,
    new_connection_id: {
      ...Uuid,
      description:
        'An id for the connection that the guest creates. Each entry gives the same one, so its URLs stay.',
    },
    roles: Type.Array(Type.Object({ id: Id, name: Type.String({ examples: ['Editors'] }) }), {
      description: 'The roles that the guest may map groups to.',
    }),
    may_activate: MayActivate,
  },
  { title: 'SetupGuest' },
)
export type SetupGuest = Static<typeof SetupGuest>

export const SetupDirectory = Type.Object(
  {
    base_url: Type.String({ examples: ['https://admin.example.com/scim/v2'] }),
    key: Type.String({
      description: 'The key of the directory. No later answer shows it.',
      examples: ['tnt_4fZk0QpLx8RmC2vTnB7yWd3HsJ9gAeU6iOqKz1Xc5bN1Ku9m3Pq0Wz7Yt5Rx2Vb4Nc000000F2n4Hd8Aa'],
    }),
  },
  { title: 'SetupDirectory' },
)
export type SetupDirectory = Static<typeof SetupDirectory>
