/**
 * Decides whether the caller holds a permission. authority.ts compares the permissions of two users or roles.
 *
 * - `requireAllowed` checks the permission that a route names in `config.allow`. It refuses keys where that is about users.
 * - `policies` lists the rules that depend on the object: its owner needs no permission, other callers do.
 */
import { AppError, tenantDisabled } from '../errors/app-error.ts'
import type { Actor } from './actor.ts'
import type { TenantRow } from './tenancy.store.ts'
import type { Allow, PermissionCode } from './permissions.ts'

interface Policy<Target> {
  /** Whether the object is the caller's own, which needs no permission. */
  own: (actor: Actor, target: Target) => boolean
  /** The permission for objects of others. */
  others: PermissionCode | 'nobody'
}

interface UserOfTenant {
  tenant_id: string
  user_id: number
}

export interface SubjectOfQuestion {
  user_id?: number | undefined
  session_id?: string | undefined
}

/** Users of two tenants can have the same id: an imported tenant keeps its ids. */
export const isOwnUser = (actor: Actor, { tenant_id, user_id }: UserOfTenant) =>
  user_id === actor.userId && tenant_id === actor.tenantId

const isOwnTenant = (actor: Actor, tenantId: string) => tenantId.toLowerCase() === actor.tenantId

export const policies = {
  readNotification: { own: isOwnUser, others: 'notification:read' },
  deleteNotification: { own: isOwnUser, others: 'notification:delete' },
  markNotificationRead: { own: isOwnUser, others: 'nobody' },

  readRolesOfUser: { own: isOwnUser, others: 'role:read' },
  /** The list of users shows roles on demand, so the `user:read` of its route is not enough. */
  readRolesOfUsers: { own: () => false, others: 'role:read' },
  /** The name of a person in all tenants joins users of several tenants, so it is for callers that may enter them. */
  readPersons: { own: () => false, others: 'tenant:enter' },
  /** The list of roles counts users on demand, so the `role:read` of its route is not enough. */
  countHolders: { own: () => false, others: 'user:read' },
  /** A user's factors and address are for those who can act on them, so the `user:read` of the route is not enough. */
  readSecurityOfUser: { own: () => false, others: 'user:update' },

  /**
   * To bring in credentials that somebody else made: a hash costs everybody's processor, and an address that counts as
   * confirmed does so in the sight of every tenant.
   */
  importCredentials: { own: () => false, others: 'tenant:enter' },

  /**
   * To ask about the permissions of a user. The caller's own id means the caller in any tenant, although a user of the
   * tenant in scope can have the same id. A key, and a token for one, has no session: if it names one, it asks about that
   * user.
   */
  askAboutUser: {
    own: (actor: Actor, { user_id, session_id }: SubjectOfQuestion) =>
      user_id === undefined ||
      (user_id === actor.userId && (session_id === undefined || actor.key === undefined)),
    others: 'authz:check',
  },

  /** The settings that count for another user of the tenant. */
  readSettingsOfUser: { own: () => false, others: 'user:read' },
  /** Without it public settings alone exist. */
  readSettings: { own: () => false, others: 'setting:read' },

  /** Factors of a person who is a user of several tenants: a takeover would reach into all of them. */
  resetFactorsOfPerson: { own: () => false, others: 'tenant:enter' },

  /** Webhooks and streams send audit records, so what their routes ask for is not enough. */
  receiveRecords: { own: () => false, others: 'audit:read' },
  receiveAllTenants: { own: () => false, others: 'tenant:enter' },
  /** Streams name users whose authority has changed, so that a product's backend forgets what it remembers. */
  receiveAuthority: { own: () => false, others: 'authz:check' },

  readTenant: { own: isOwnTenant, others: 'tenant:read' },
  /** To put a tenant in scope by the header `X-Tenant-ID`. Only roles of the built-in tenant can hold the permission. */
  enterTenant: { own: isOwnTenant, others: 'tenant:enter' },
  /**
   * To create, change or delete an application. One of the installation's own speaks for every user without asking them, so
   * the `application:manage` of its route is not enough.
   */
  manageApplication: {
    own: (_actor: Actor, { is_third_party: asksUsers }: { is_third_party: boolean }) => asksUsers,
    others: 'tenant:enter',
  },
  /** Counts on the dashboard; every other caller sees one tenant, their own. */
  countTenants: { own: () => false, others: 'tenant:read' },
} satisfies Record<string, Policy<never>>

const holds = (actor: Actor, needed: Policy<never>['others']): boolean =>
  needed !== 'nobody' && actor.permissions.has(needed)

/** Whether the caller may do to `target` what the policy is about. */
export const may = <Target>(actor: Actor, { own, others }: Policy<Target>, target: Target): boolean =>
  own(actor, target) || holds(actor, others)

/** Throws 403 `permissionMissing` unless the caller may do to `target` what the policy is about. */
export const requireMay = <Target>(actor: Actor, policy: Policy<Target>, target: Target): void => {
  if (!may(actor, policy, target)) throw permissionMissing(policy.others)
}

/** The permissions among `codes` that the caller, or another user, lacks. */
export const lacking = ({ permissions }: Pick<Actor, 'permissions'>, codes: string[]): string[] =>
  codes.filter((code) => !permissions.has(code))

/** Whether the caller holds the permission of a route, `allow` being undefined where nobody has to sign in. */
export const isAllowed = (actor: Actor, allow: Allow | undefined): boolean => {
  if (allow === undefined || allow === 'caller') return true
  return isForUsers(allow) ? actor.key === undefined : holds(actor, allow)
}

const isForUsers = (allow: Allow) => allow === 'user' || isAboutAccount(allow)

/** Whether the route is about the caller's own account, so that it ignores the tenant in scope. */
export const isAboutAccount = (allow: Allow | undefined) =>
  allow === 'account' || allow === 'suspendedAccount'

/** Throws 403 while the caller's tenant is disabled, but for a route that serves its users all the same. */
export const requireEnabledTenant = ({ isSuspended }: Actor, allow: Allow | undefined): void => {
  if (isSuspended && allow !== 'suspendedAccount') throw tenantDisabled()
}

/**
 * Throws 403 for the token of an application that may not call this API. A narrowed session serves its application, not
 * the person's own account.
 */
export const requireOpenApi = ({ application }: Actor, allow: Allow | undefined): void => {
  if (application === undefined) return
  if (!application.isApiOpen) {
    throw new AppError('applicationShut', 'This application may not call the API of this service')
  }
  if (application.isNarrowed && isAboutAccount(allow)) throw sessionNarrowed()
}

const sessionNarrowed = () =>
  new AppError(
    'sessionOfApplication',
    'An application cannot do this for you. Sign in to the console of this service instead',
  )

const sessionOfConnection = () =>
  new AppError(
    'sessionOfConnection',
    'You are signed in by your organization, which reaches this organization alone. Sign in by yourself for this',
  )

/**
 * Throws 403 in a session that a connection opened: the tenant vouches for its user, and not for the account. A route about
 * the account serves it only where it says so.
 */
export const requireAccountOpen = (
  { connectionId }: Actor,
  allow: Allow | undefined,
  servesConnections: boolean,
): void => {
  if (connectionId !== undefined && isAboutAccount(allow) && !servesConnections) throw sessionOfConnection()
}

/** Throws 403 in a session of an application or a connection: it opens no other session, and proves no account. */
export const requireOwnSignIn = ({ application, connectionId }: Actor): void => {
  if (application !== undefined) throw sessionNarrowed()
  if (connectionId !== undefined) throw sessionOfConnection()
}

/**
 * Throws 403 where the caller has to confirm their e-mail, or needs a second factor: in their own tenant, or in the one that
 * they have put in scope. Routes about the own account serve a restricted session all the same, so that the person can do
 * both. A key is no person.
 */
export const requireUnrestricted = (
  actor: Actor,
  allow: Allow | undefined,
  inScope: Pick<TenantRow, 'is_factor_required'>,
): void => {
  if (actor.key !== undefined || isAboutAccount(allow)) return
  if (actor.restriction === 'email') {
    throw new AppError(
      'emailUnverified',
      'Confirm your e-mail first: open the link that was mailed to you, or ask for another one in your profile',
    )
  }
  if (actor.restriction === 'factor' || (inScope.is_factor_required && !actor.hasMfa)) {
    throw new AppError(
      'sessionRestricted',
      'This organization asks for a second factor: sign in with one, or add one to your account',
    )
  }
}

/** Throws 403 unless the session of the caller was opened with a second factor. */
export const requireMfa = ({ hasMfa }: Actor): void => {
  if (!hasMfa) {
    throw new AppError('mfaRequired', 'Sign in again with your second factor, and then repeat this')
  }
}

/** Throws 403 `permissionMissing` unless the caller holds the permission of the route. */
export const requireAllowed = (actor: Actor, allow: Allow): void => {
  if (!isAllowed(actor, allow)) throw isForUsers(allow) ? userOnly() : permissionMissing(allow)
}

/** Throws 403 for a person: only a program that holds a key may do this, whatever a person holds. */
export const requireKey = ({ key }: Actor): void => {
  if (key !== undefined) return
  throw new AppError('permissionMissing', 'This is for the key of a service account, not for a person')
}

const userOnly = (): AppError =>
  new AppError(
    'permissionMissing',
    'This is about the own account of a user. A key has none: sign in instead',
  )

const permissionMissing = (needed: string): AppError =>
  new AppError('permissionMissing', `This needs the permission ${needed}. Ask an administrator for it`)
