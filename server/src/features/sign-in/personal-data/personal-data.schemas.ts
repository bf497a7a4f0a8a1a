import type { Static } from 'typebox'
import { Identity } from '../../accounts/identities/identities.schemas.ts'
import { Type } from '../../../values/type.ts'
import { Id, OneOf, Time, Uuid } from '../../../http/schemas.ts'
import { AuditLog } from '../../audit/audit/audit.schemas.ts'
import { AttributeValues } from '../../configuration/attributes/attributes.schemas.ts'
import { Factor, OwnPassword } from '../../accounts/factors/factors.schemas.ts'
import { Session } from '../../accounts/sessions/sessions.schemas.ts'
import { User } from '../../accounts/users/users.schemas.ts'

export const ExportAccount = Type.Object({ password: OwnPassword }, { title: 'ExportAccount' })
export type ExportAccount = Static<typeof ExportAccount>

/** A time, or "" for a missing time. */
const Moment = (description: string, example = '2026-01-31T09:30:00.000Z') =>
  Type.String({ description: `ISO 8601 in UTC, "" ${description}.`, examples: [example] })

const { id, username, nickname, avatar, status, last_login } = User.properties

const ExportedUser = Type.Object(
  {
    id,
    username,
    email: User.properties.email,
    nickname,
    avatar,
    status,
    last_login,
    last_ip: Type.String({
      description: 'The address of the last sign-in to this tenant, "" before the first one.',
      examples: ['192.0.2.7'],
    }),
    last_seen_on: Type.String({
      description: 'The last UTC day with a request, "" before the first one.',
      examples: ['2026-01-31'],
    }),
    previously_seen_on: Type.String({ description: 'The day with a request before that.', examples: [''] }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'ExportedUser' },
)
export type ExportedUser = Static<typeof ExportedUser>

const ExportedRole = Type.Object({ id: Id, name: Type.String({ examples: ['member'] }) })

const { created_at, last_used_at, ip, user_agent, application } = Session.properties

const ExportedSession = Type.Object(
  {
    id: Session.properties.id,
    created_at,
    last_used_at,
    expires_at: Time,
    ip,
    user_agent,
    proofs: Type.Array(Type.String(), {
      description: 'How the person proved their identity (RFC 8176).',
      examples: [['pwd']],
    }),
    application,
    scopes: Type.Array(Type.String(), { description: 'Of an application.', examples: [[]] }),
  },
  { title: 'ExportedSession' },
)
export type ExportedSession = Static<typeof ExportedSession>

const ExportedConsent = Type.Object(
  {
    id: Id,
    application: Type.String({ examples: ['Planner'] }),
    host: Type.String({ description: 'Of the redirect address.', examples: ['planner.example.com'] }),
    scopes: Type.Array(Type.String(), { examples: [['openid', 'invoice:read']] }),
    resource: Type.String({ description: 'The identifier of the resource, "" for none.', examples: [''] }),
    created_at: Time,
  },
  { title: 'ExportedConsent' },
)
export type ExportedConsent = Static<typeof ExportedConsent>

const ExportedNotification = Type.Object(
  {
    id: Id,
    title: Type.String({ examples: ['Welcome'] }),
    content: Type.String({ examples: ['Your account is ready.'] }),
    type: OneOf('info', 'success', 'warning', 'error'),
    is_read: Type.Boolean({ examples: [false] }),
    created_at: Time,
  },
  { title: 'ExportedNotification' },
)
export type ExportedNotification = Static<typeof ExportedNotification>

const ExportedSetting = Type.Object(
  {
    key: Type.String({ examples: ['ui.density'] }),
    value: Type.Unknown({ examples: ['compact'] }),
    updated_at: Time,
  },
  { title: 'ExportedSetting' },
)
export type ExportedSetting = Static<typeof ExportedSetting>

const ExportedTenant = Type.Object(
  { id: Uuid, name: Type.String({ examples: ['Acme'] }), slug: Type.String({ examples: ['acme'] }) },
  { title: 'ExportedTenant' },
)
export type ExportedTenant = Static<typeof ExportedTenant>

const ExportedInvitation = Type.Object(
  {
    id: Id,
    tenant: ExportedTenant,
    email: Type.String({ examples: ['ada@example.com'] }),
    nickname,
    status: OneOf('pending', 'accepted', 'revoked', 'expired'),
    created_at: Time,
    expires_at: Time,
    closed_at: Moment('while it is open', ''),
  },
  { title: 'ExportedInvitation' },
)
export type ExportedInvitation = Static<typeof ExportedInvitation>

const { detail, actor: _actor, ...actFields } = AuditLog.properties

const ExportedRecord = Type.Object(
  {
    ...actFields,
    detail,
    ip: Type.String({
      description: 'Of the request; "" in records of what others did.',
      examples: ['192.0.2.7'],
    }),
    user_agent: Type.String({ description: 'As `ip`.', examples: ['curl/8.5.0'] }),
  },
  { title: 'ExportedRecord' },
)

const ExportedAct = Type.Object(actFields, {
  title: 'ExportedAct',
  description: 'A record without `detail`, which may name others.',
})
const membershipFields = {
  tenant: ExportedTenant,
  user: ExportedUser,
  roles: Type.Array(ExportedRole),
  sessions: Type.Array(ExportedSession),
  consents: Type.Array(ExportedConsent),
  notifications: Type.Array(ExportedNotification),
  settings: Type.Array(ExportedSetting, { description: 'Values that the user has set.' }),
  attributes: AttributeValues,
  records_about: Type.Array(ExportedRecord, { description: 'Audit records about the user, oldest first.' }),
  records_by: Type.Array(ExportedAct, {
    description: 'Audit records of what the user did, oldest first.',
  }),
}

const ExportedMembership = Type.Object(membershipFields, { title: 'ExportedMembership' })

const ExportedAccount = Type.Object(
  {
    person: { ...Uuid, description: 'Names the person in all their tenants.' },
    email: Type.String({ examples: ['ada@example.com'] }),
    email_confirmed: Type.Boolean({ examples: [true] }),
    is_registered: Type.Boolean({ description: 'Whether the person registered it.', examples: [true] }),
    has_own_password: Type.Boolean({
      description: 'Whether the person chose the password.',
      examples: [true],
    }),
    settings: Type.Object({
      language: Type.String({
        description: 'The language of e-mails, which the last sign-in had; "" before the first sign-in.',
        examples: ['en'],
      }),
    }),
    recovery_codes_left: Type.Integer({ examples: [10] }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'ExportedAccount' },
)
export type ExportedAccount = Static<typeof ExportedAccount>

const ExportedDevice = Type.Object(
  { last_seen_at: Time },
  {
    title: 'ExportedDevice',
    description:
      'A device that the person signed in from. The service keeps a keyed hash of browser and system, which tells neither.',
  },
)
export type ExportedDevice = Static<typeof ExportedDevice>

const ExportedSignIn = Type.Object(
  {
    id: Uuid,
    created_at,
    last_used_at,
    expires_at: Time,
    ip,
    user_agent,
    proofs: ExportedSession.properties.proofs,
  },
  { title: 'ExportedSignIn' },
)
export type ExportedSignIn = Static<typeof ExportedSignIn>

/** The data stored about a person in all tenants. */
export const AccountExport = Type.Object(
  {
    exported_at: Time,
    account: ExportedAccount,
    factors: Type.Array(Factor),
    identities: Type.Array(Identity, { description: 'The persons of providers who open the account.' }),
    devices: Type.Array(ExportedDevice),
    sign_ins: Type.Array(ExportedSignIn, {
      description: 'Sign-ins of browsers, which sessions of applications hang on.',
    }),
    invitations: Type.Array(ExportedInvitation, {
      description: 'To the address of the account, once the person has proved the mailbox.',
    }),
    memberships: Type.Array(ExportedMembership),
  },
  { title: 'AccountExport' },
)

/** The data that one tenant stores about a user. */
export const UserExport = Type.Object(
  { exported_at: Time, ...membershipFields, invitations: Type.Array(ExportedInvitation) },
  { title: 'UserExport' },
)
