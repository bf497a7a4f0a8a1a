import { networksOf, type Networks } from '../values/networks.ts'
import type { CallerRow } from './caller.store.ts'
import type { TenantRow } from './tenancy.store.ts'
import type { Caller, Credential } from './credential.ts'
import type { Maker } from './guests.store.ts'
import type { GuestPart } from './permissions.ts'
import { identityOf } from '../values/proofs.ts'

/** The limits of a key. Each request checks them, because the service caches callers for a moment. */
export interface KeyBounds {
  id: number
  /** Undefined if the key never expires. */
  expiresAt: Date | undefined
  allowedCidrs: string[]
  networks: Networks
}

/**
 * The caller of a request with the caller's present permissions. A credential names the caller, but never carries
 * permissions.
 */
export interface Actor {
  userId: number
  tenantId: string
  tenantSlug: string
  /** The username, or the name of the service account. */
  name: string
  /** The person's account, which the person's users in other tenants share. Undefined for a service account. */
  accountId: number | undefined
  /** Undefined if nobody has signed in. */
  credential: Credential | undefined
  /**
   * True if the caller's tenant is disabled. The built-in tenant, whose callers can enter others, cannot be disabled.
   */
  isSuspended: boolean
  permissions: ReadonlySet<string>
  /** When the permissions end that the caller holds only for a time. */
  ends: ReadonlyMap<string, Date>
  /** True if two kinds of proof opened the session, or a passkey that verified its user. */
  hasMfa: boolean
  /**
   * The missing proof of the session: another password, a confirmed e-mail, or the second factor that the caller's
   * tenant requires.
   */
  restriction: Restriction | undefined
  /** Undefined for a caller without a key. */
  key: KeyBounds | undefined
  /** Undefined for the console, the SDK and keys. */
  application: CallingApplication | undefined
  /**
   * The connection that opened the session, which then reaches only the caller's tenant. Undefined for other sign-in
   * methods.
   */
  connectionId: string | undefined
  /** Undefined for users and service accounts. */
  guest: Guest | undefined
  /** The person who works as the user of a support session. Undefined for every other credential. */
  support: Support | undefined
}

/** A support session, and its actor: a user of the tenant, or one of the built-in tenant. */
export interface Support {
  id: string
  kind: SupportKind
  tenantId: string
  userId: number
  name: string
  accountId: number
  /** The session of the actor on which it hangs. */
  sessionId: string
}

export type SupportKind = 'view' | 'act'

/** The rights of a guest of a setup link. */
export interface Guest {
  linkId: string
  email: string
  parts: readonly GuestPart[]
  /** The roles that the guest may map groups to. */
  roleIds: readonly number[]
  mayActivate: boolean
  /** The one connection that the guest reaches. Undefined before the guest has created it. */
  connectionId: string | undefined
  /** The service account of the directory that a guest of the link created. */
  scimAccountId: number | undefined
  /** True if a guest of the link created the connection. */
  isConnectionOwn: boolean
  /** True from the activation of the connection on. Guests then only read it. */
  isActivated: boolean
  maker: Maker
}

export interface CallingApplication {
  id: number
  /** True if the application does not belong to the installation. */
  isThirdParty: boolean
  /** True if the application's tokens work at this API. */
  isApiOpen: boolean
  /** The name that people see. */
  name: string
  /** The permissions that the session may use; undefined for all that the user has. */
  narrowedTo: readonly string[] | undefined
  /** The user's own permissions, whatever the session may use. */
  held: ReadonlySet<string>
}

/** The caller at an endpoint without authentication, and of the program's own work. */
export const nobody: Actor = {
  userId: 0,
  tenantId: '',
  tenantSlug: '',
  name: '',
  accountId: undefined,
  credential: undefined,
  isSuspended: false,
  permissions: new Set(),
  ends: new Map(),
  hasMfa: false,
  restriction: undefined,
  key: undefined,
  application: undefined,
  connectionId: undefined,
  guest: undefined,
  support: undefined,
}

export const actorOf = (rules: Rules, { userId, tenantId, credential }: Caller, row: CallerRow): Actor => ({
  userId,
  tenantId,
  tenantSlug: row.tenant_slug,
  name: row.name,
  accountId: row.account_id ?? undefined,
  credential,
  isSuspended: row.tenant_status !== 1,
  permissions: narrowed(row),
  ends: endsOf(row),
  hasMfa: provesTwice(row.amr ?? []),
  restriction: row.amr === null ? undefined : restrictionOf(rules, row, { ...row, amr: row.amr }),
  key: keyOf(row),
  application: applicationOf(row),
  connectionId: row.connection_id ?? undefined,
  guest: undefined,
  support: undefined,
})

/** The user or service account who acts: in a support session not the user, but the person who works as the user. */
export const actingIn = ({ support, userId, tenantId, name, accountId }: Actor) =>
  support
    ? { userId: support.userId, tenantId: support.tenantId, name: support.name, accountId: support.accountId }
    : { userId, tenantId, name, accountId }

/** The giver of a role, as assignments name it. */
export interface Giver {
  id: number
  /** The giver's tenant if it is another one. */
  elsewhere: string | null
  /** Null for a service account and the system. */
  accountId: number | null
}

/** The user's present permissions, limited to those that the session may use. */
const narrowed = ({ permissions, narrowed_codes: codes }: CallerRow): ReadonlySet<string> => {
  const held = new Set(permissions)
  return codes === null ? held : new Set(codes.filter((code) => held.has(code)))
}

const never: ReadonlyMap<string, Date> = new Map()

/** The ends of permissions, as a statement returns them. */
export const endsOf = ({ ends }: Pick<CallerRow, 'ends'>): ReadonlyMap<string, Date> =>
  ends === null ? never : new Map(Object.entries(ends).map(([code, time]) => [code, new Date(time)]))

const applicationOf = (row: CallerRow): CallingApplication | undefined =>
  row.application_id === null
    ? undefined
    : {
        id: row.application_id,
        isThirdParty: row.is_third_party === true,
        isApiOpen: row.is_api_open === true,
        name: row.application_name ?? '',
        narrowedTo: row.narrowed_codes ?? undefined,
        held: new Set(row.permissions),
      }

/** The value of `amr` (RFC 8176) for more than one kind of proof. */
const mfa = 'mfa'

export const provesTwice = (amr: readonly string[]): boolean => amr.includes(mfa)

/** The way of the first proof, for records. A sign-in of a connection has none of `auth.ways`. */
export const wayOf = (amr: readonly string[]): string => {
  if (amr.includes('sso')) return 'connection'
  if (identityOf(amr) !== undefined) return 'provider'
  if (amr.includes('pwd')) return 'password'
  return amr.includes('email') ? 'email_code' : 'passkey'
}

/** A session that lacks one of these proofs is restricted to the person's own account. */
type Restriction = 'password' | 'email' | 'factor'

interface Rules {
  requireVerifiedEmail: boolean
}

interface SessionFacts {
  /** The kinds of proof of the person's identity (RFC 8176). */
  amr: readonly string[]
  /** True if the person registered the account and has not confirmed its present address. */
  is_email_open: boolean
  /** True if an expired password opened the session. */
  is_password_expired: boolean
}

/** The reason why a session is restricted in a tenant. Undefined if the session is not restricted. */
export const restrictionOf = (
  { requireVerifiedEmail }: Rules,
  tenant: Pick<TenantRow, 'is_factor_required'>,
  { amr, is_email_open: isEmailOpen, is_password_expired: isPasswordExpired }: SessionFacts,
): Restriction | undefined => {
  if (isPasswordExpired) return 'password'
  if (requireVerifiedEmail && isEmailOpen) return 'email'
  return tenant.is_factor_required && !provesTwice(amr) ? 'factor' : undefined
}

const keyOf = ({ key_id: id, expires_at, allowed_cidrs }: CallerRow): KeyBounds | undefined => {
  const allowedCidrs = allowed_cidrs ?? []
  return id === null
    ? undefined
    : { id, expiresAt: expires_at ?? undefined, allowedCidrs, networks: networksOf(allowedCidrs) }
}

/** True if the caller uses no key, or a key that is valid at this time and for this address. */
export const isWithinBounds = ({ key }: Actor, ip: string, now: Date): boolean =>
  key === undefined || ((key.expiresAt === undefined || key.expiresAt > now) && key.networks.has(ip))

/** Undefined if nobody has signed in. */
export const callerOf = ({ userId, tenantId, credential }: Actor): Caller | undefined =>
  credential && { userId, tenantId, credential }
