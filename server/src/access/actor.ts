import { networksOf, type Networks } from '../values/networks.ts'
import type { CallerRow } from './caller.store.ts'
import type { TenantRow } from './tenancy.store.ts'
import type { Caller, Credential } from './credential.ts'

/** The bounds of a key. They are checked at each request, because a caller is remembered for a moment. */
export interface KeyBounds {
  id: number
  /** Undefined for a key without an end. */
  expiresAt: Date | undefined
  allowedCidrs: string[]
  networks: Networks
}

/** The caller of a request with their present rights. A credential names the caller, and never carries rights. */
export interface Actor {
  userId: number
  tenantId: string
  tenantSlug: string
  /** The username, or the name of the service account. */
  name: string
  /** The account of the person, whose users in other tenants share it. Undefined for a service account. */
  accountId: number | undefined
  /** Undefined where nobody has signed in. */
  credential: Credential | undefined
  /** The caller's tenant is disabled. The built-in tenant, whose callers can enter others, never is. */
  isSuspended: boolean
  permissions: ReadonlySet<string>
  /** The session was opened with two kinds of proof, or with a passkey that verified its user. */
  hasMfa: boolean
  /** The session lacks this: a proved e-mail, or the second factor that the caller's tenant asks for. */
  restriction: Restriction | undefined
  /** Undefined for a caller without a key. */
  key: KeyBounds | undefined
  /** Undefined for the console, the SDK and keys. */
  application: CallingApplication | undefined
  /** The connection that opened the session, which reaches the caller's tenant alone. Undefined for any other way in. */
  connectionId: string | undefined
}

/** The application that calls for a user. */
export interface CallingApplication {
  id: number
  /** Whether it belongs to somebody else than the installation. */
  isThirdParty: boolean
  /** Whether its tokens work at this API. */
  isApiOpen: boolean
  /** Whether only some of the user's permissions count. */
  isNarrowed: boolean
}

/** The caller of an endpoint without authentication, and of the program itself. */
export const nobody: Actor = {
  userId: 0,
  tenantId: '',
  tenantSlug: '',
  name: '',
  accountId: undefined,
  credential: undefined,
  isSuspended: false,
  permissions: new Set(),
  hasMfa: false,
  restriction: undefined,
  key: undefined,
  application: undefined,
  connectionId: undefined,
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
  hasMfa: provesTwice(row.amr ?? []),
  restriction: row.amr === null ? undefined : restrictionOf(rules, row, { ...row, amr: row.amr }),
  key: keyOf(row),
  application: applicationOf(row),
  connectionId: row.connection_id ?? undefined,
})

/** The permissions that the user holds now, and that the session may use. */
const narrowed = ({ permissions, narrowed_codes: codes }: CallerRow): ReadonlySet<string> => {
  const held = new Set(permissions)
  return codes === null ? held : new Set(codes.filter((code) => held.has(code)))
}

const applicationOf = (row: CallerRow): CallingApplication | undefined =>
  row.application_id === null
    ? undefined
    : {
        id: row.application_id,
        isThirdParty: row.is_third_party === true,
        isApiOpen: row.is_api_open === true,
        isNarrowed: row.narrowed_codes !== null,
      }

/** The value of `amr` (RFC 8176) that stands for more than one kind of proof. */
const mfa = 'mfa'

/** Whether proofs are of more than one kind. */
export const provesTwice = (amr: readonly string[]): boolean => amr.includes(mfa)

/** A session that lacks one of these is restricted to the person's own account. */
type Restriction = 'email' | 'factor'

/** The rules of the installation about sessions. */
interface Rules {
  requireVerifiedEmail: boolean
}

interface SessionFacts {
  /** How the person proved their identity (RFC 8176). */
  amr: readonly string[]
  /** The person registered the account, and has not proved the mailbox of its present address. */
  is_email_open: boolean
}

/** Tells why a session is restricted in a tenant; undefined when it is not. */
export const restrictionOf = (
  { requireVerifiedEmail }: Rules,
  tenant: Pick<TenantRow, 'is_factor_required'>,
  { amr, is_email_open: isEmailOpen }: SessionFacts,
): Restriction | undefined => {
  if (requireVerifiedEmail && isEmailOpen) return 'email'
  return tenant.is_factor_required && !provesTwice(amr) ? 'factor' : undefined
}

const keyOf = ({ key_id: id, expires_at, allowed_cidrs }: CallerRow): KeyBounds | undefined => {
  const allowedCidrs = allowed_cidrs ?? []
  return id === null
    ? undefined
    : { id, expiresAt: expires_at ?? undefined, allowedCidrs, networks: networksOf(allowedCidrs) }
}

/** Whether the key of the caller, if they use one, is valid at this time and for this address. */
export const isWithinBounds = ({ key }: Actor, ip: string, now: Date): boolean =>
  key === undefined || ((key.expiresAt === undefined || key.expiresAt > now) && key.networks.has(ip))

/** The caller as their credential names them; undefined where nobody has signed in. */
export const callerOf = ({ userId, tenantId, credential }: Actor): Caller | undefined =>
  credential && { userId, tenantId, credential }
