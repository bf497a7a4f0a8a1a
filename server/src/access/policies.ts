/**
 * Decides whether the caller holds a permission. authority.ts compares the permissions of two users or roles.
 *
 * - `requireAllowed` checks the permission in a route's `config.allow`. It refuses keys on routes about users.
 * - `policies` lists the rules that depend on the object: its owner needs no permission, other callers do.
 */
import { AppError, tenantDisabled } from '../errors/app-error.ts'
import type { Actor, SupportKind } from './actor.ts'
import type { TenantRow } from './tenancy.store.ts'
import type { Allow, GuestPart, PermissionCode } from './permissions.ts'

export interface Policy<Resource> {
  /** True for the caller's own object, which needs no permission. */
  own: (actor: Actor, resource: Resource) => boolean
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

/** Reviewers are users of the tenant of the review. */
const isReviewer = (
  { userId, tenantId }: Actor,
  review: { tenant_id: string; reviewer_ids: readonly number[] },
) => tenantId === review.tenant_id && review.reviewer_ids.includes(userId)

export const isOwnTenant = (actor: Actor, tenantId: string) => tenantId.toLowerCase() === actor.tenantId

/** The two people of a support session. */
interface SupportPeople {
  tenant_id: string
  user: { id: number }
  actor: { id: number }
  actor_tenant_id: string
}

const takesPart = (
  actor: Actor,
  { tenant_id, user, actor: asking, actor_tenant_id }: SupportPeople,
): boolean =>
  isOwnUser(actor, { tenant_id, user_id: user.id }) ||
  isOwnUser(actor, { tenant_id: actor_tenant_id, user_id: asking.id })

export const policies = {
  readNotification: { own: isOwnUser, others: 'notification:read' },
  deleteNotification: { own: isOwnUser, others: 'notification:delete' },
  markNotificationRead: { own: isOwnUser, others: 'nobody' },

  readRolesOfUser: { own: isOwnUser, others: 'role:read' },
  readAssignedUser: { own: isOwnUser, others: 'user:read' },
  /** The list of users shows roles on demand. The route's `user:read` does not suffice for them. */
  readRolesOfUsers: { own: () => false, others: 'role:read' },
  /** A person's name in all tenants links users of several tenants. Only callers who may enter those tenants see it. */
  readPersons: { own: () => false, others: 'tenant:enter' },
  /** The list of roles counts users on demand. The route's `role:read` does not suffice for that. */
  countHolders: { own: () => false, others: 'user:read' },
  /** Only callers who can change a user see the `security` of the user. The route's `user:read` does not suffice. */
  readSecurityOfUser: { own: () => false, others: 'user:update' },

  /**
   * Imports credentials from another system. Checking a foreign hash takes processor time of all tenants, and every
   * tenant trusts an address that the import marks as confirmed.
   */
  importCredentials: { own: () => false, others: 'tenant:enter' },

  /**
   * Asks about the permissions of a user. The caller's own id means the caller in any tenant, although another user of
   * the tenant in scope can have that id. A key has no session: if it sends a `session_id`, the `user_id` means that
   * other user.
   */
  askAboutUser: {
    own: (actor: Actor, { user_id, session_id }: SubjectOfQuestion) =>
      user_id === undefined ||
      (user_id === actor.userId && (session_id === undefined || actor.key === undefined)),
    others: 'authz:check',
  },

  /** The effective settings of another user of the tenant. */
  readSettingsOfUser: { own: () => false, others: 'user:read' },
  /** Without this permission a caller sees only public settings. */
  readSettings: { own: () => false, others: 'setting:read' },

  /** A person's factors protect their users in several tenants. A takeover would reach all of them. */
  resetFactorsOfPerson: { own: () => false, others: 'tenant:enter' },

  /** Webhooks and streams send audit records. The permissions of their routes do not suffice for that. */
  receiveRecords: { own: () => false, others: 'audit:read' },
  receiveAllTenants: { own: () => false, others: 'tenant:enter' },
  /** Streams name users whose authority changed, so that a product's backend drops its cached permissions. */
  receiveAuthority: { own: () => false, others: 'authz:check' },

  /** Every value of an attribute, whatever its declaration says of a tenant's administrators. */
  reachAllAttributes: { own: () => false, others: 'tenant:enter' },
  readAttributesOfUsers: { own: () => false, others: 'user:read' },
  writeAttributesOfUsers: { own: () => false, others: 'user:update' },
  readAttributesOfOwnTenant: { own: () => false, others: 'setting:read' },
  writeAttributesOfOwnTenant: { own: () => false, others: 'setting:update' },
  readAttributesOfTenants: { own: () => false, others: 'tenant:read' },
  writeAttributesOfTenants: { own: () => false, others: 'tenant:update' },
  declareAttributes: { own: () => false, others: 'attribute:declare' },

  readApprovals: { own: () => false, others: 'approval:read' },
  decideApprovals: { own: () => false, others: 'approval:decide' },
  cancelApprovals: { own: () => false, others: 'approval:manage' },
  /** Reviewers read their review. Nobody else decides in it, whatever permissions they hold. */
  readReview: { own: isReviewer, others: 'review:read' },
  decideReview: { own: isReviewer, others: 'nobody' },

  readTenant: { own: isOwnTenant, others: 'tenant:read' },
  /**
   * Puts a tenant in scope by the header `X-Tenant-ID`. Only roles of the built-in tenant can hold the permission.
   */
  enterTenant: { own: isOwnTenant, others: 'tenant:enter' },
  /**
   * Creates, changes or deletes an application. An application of the installation acts for every user without consent.
   * The route's `application:manage` does not suffice for that.
   */
  manageApplication: {
    own: (_actor: Actor, { is_third_party: asksUsers }: { is_third_party: boolean }) => asksUsers,
    others: 'tenant:enter',
  },
  /** The usage of a tenant is for its own callers with `user:read`. */
  readUsage: {
    own: (actor: Actor, tenantId: string) => isOwnTenant(actor, tenantId) && holds(actor, 'user:read'),
    others: 'tenant:read',
  },
  /** A support session is in sight of both people, and of those who read records or allow support. */
  readSupport: { own: takesPart, others: 'audit:read' },
  endSupport: { own: takesPart, others: 'support:allow' },
  /** Writes limits. No tenant writes its own. */
  writeLimits: { own: () => false, others: 'tenant:enter' },
  /** Reads the figures in lists of tenants, which tell of rows in the tenants. */
  readFigures: { own: () => false, others: 'tenant:enter' },
  /** Counts all tenants on the dashboard. A caller without the permission counts only the own tenant. */
  countTenants: { own: () => false, others: 'tenant:read' },
} satisfies Record<string, Policy<never>>

const holds = (actor: Actor, needed: Policy<never>['others']): boolean =>
  needed !== 'nobody' && actor.permissions.has(needed)

export const may = <Resource>(actor: Actor, { own, others }: Policy<Resource>, resource: Resource): boolean =>
  own(actor, resource) || holds(actor, others)

/** Throws 403 `permissionMissing` unless the policy permits the caller to act on `resource`. */
export const requireMay = <Resource>(actor: Actor, policy: Policy<Resource>, resource: Resource): void => {
  if (!may(actor, policy, resource)) throw permissionMissing(policy.others)
}

export const lacking = ({ permissions }: Pick<Actor, 'permissions'>, codes: string[]): string[] =>
  codes.filter((code) => !permissions.has(code))

/** The codes that the caller does not hold until `until`. Undefined stands for a gift without an end. */
export const outlasting = (
  { ends }: Pick<Actor, 'ends'>,
  codes: string[],
  until: Date | undefined,
): string[] =>
  codes.filter((code) => {
    const end = ends.get(code)
    return end !== undefined && (until === undefined || until > end)
  })

/** True if the caller holds the permission of a route. `allow` is undefined for routes without sign-in. */
export const isAllowed = (actor: Actor, allow: Allow | undefined): boolean => {
  if (allow === undefined || allow === 'caller') return true
  if (allow === 'guest') return actor.guest !== undefined
  return isForUsers(allow) ? actor.key === undefined : holds(actor, allow)
}

const isForUsers = (allow: Allow) => allow === 'user' || isAboutAccount(allow)

/** True for a route about the caller's own account, which ignores the tenant in scope. */
export const isAboutAccount = (allow: Allow | undefined) =>
  allow === 'account' || allow === 'suspendedAccount'

/** Throws 403 if the caller's tenant is disabled, unless the route serves users of disabled tenants. */
export const requireEnabledTenant = ({ isSuspended }: Actor, allow: Allow | undefined): void => {
  if (isSuspended && allow !== 'suspendedAccount') throw tenantDisabled()
}

/** True for a request at `/mcp`. Its token names that resource, and works nowhere else. */
export const isAssistant = ({ credential }: Actor): boolean => credential?.via === 'mcp'

/**
 * Throws 403 for a token of an application that must not call this API. A narrowed session of an application cannot
 * reach the person's own account.
 */
export const requireOpenApi = (actor: Actor, allow: Allow | undefined): void => {
  const { application } = actor
  if (application === undefined) return
  if (!application.isApiOpen && !isAssistant(actor)) {
    throw new AppError('applicationShut', 'This application may not call the API of this service')
  }
  if (application.narrowedTo && isAboutAccount(allow)) throw sessionNarrowed()
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
 * Throws 403 in a session that a connection opened. Its tenant vouches for the user, but not for the account. A route
 * about the account declares whether it serves such sessions.
 */
export const requireAccountOpen = (
  { connectionId }: Actor,
  allow: Allow | undefined,
  servesConnections: boolean,
): void => {
  if (connectionId !== undefined && isAboutAccount(allow) && !servesConnections) throw sessionOfConnection()
}

/** Throws 403 in a session of an application or a connection: it may open no other session, and proves no account. */
export const requireOwnSignIn = ({ application, connectionId }: Actor): void => {
  if (application !== undefined) throw sessionNarrowed()
  if (connectionId !== undefined) throw sessionOfConnection()
}

/**
 * Throws 403 in a session that an expired password opened, until the person has changed the password. A route declares
 * whether it serves such sessions: profile, logout and the change itself.
 */
export const requirePassword = ({ restriction }: Actor, servesExpired: boolean): void => {
  if (restriction !== 'password' || servesExpired) return
  throw new AppError('passwordExpired', 'Choose another password first: POST /password')
}

/**
 * Throws 403 if the caller must change the password or confirm an e-mail. Throws it as well without a second factor that
 * the caller's tenant or the tenant in scope requires. Routes about the caller's own account serve a restricted session,
 * so that the person can do all of it. Keys and guests pass: a key is no person, and a guest no user.
 */
export const requireUnrestricted = (
  actor: Actor,
  allow: Allow | undefined,
  inScope: Pick<TenantRow, 'is_factor_required'>,
): void => {
  if (actor.key !== undefined || actor.guest !== undefined || isAboutAccount(allow)) return
  requirePassword(actor, false)
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

/**
 * Throws 403 unless the caller is a person in an own session with a second factor. A session by SSO or a switch counts,
 * but no restricted one and none of an application. Changes of support, elevation, approvals and reviews ask for it.
 */
export const requireFullSession = (actor: Actor): void => {
  requireOwnSession(actor)
  requireMfa(actor)
}

/** Like `requireFullSession`, without the second factor. */
export const requireOwnSession = (actor: Actor): void => {
  if (isFullSession(actor)) return
  throw new AppError(
    'ownSessionNeeded',
    'Do this yourself, in the console, in a session that is not restricted',
  )
}

const isFullSession = ({ credential, application, restriction }: Actor): boolean =>
  credential?.kind === 'session' && application === undefined && restriction === undefined

/** Throws 403 `mfaRequired` unless the caller's session used a second factor. */
export const requireMfa = ({ hasMfa }: Actor): void => {
  if (!hasMfa) {
    throw new AppError('mfaRequired', 'Sign in again with your second factor, and then repeat this')
  }
}

export const requireAllowed = (actor: Actor, allow: Allow): void => {
  if (isAllowed(actor, allow)) return
  if (allow === 'guest') throw guestOnly()
  throw isForUsers(allow) ? userOnly() : permissionMissing(allow)
}

/** A guest of a setup link gets 403 for everything that the link does not open. */
export const guestShut = (): AppError =>
  new AppError('permissionMissing', 'This setup link does not open this. Ask the person who sent it')

/** Throws 403 for a guest, unless the route serves guests with this part. */
export const requireGuestServed = ({ guest }: Actor, part: GuestPart | undefined): void => {
  if (guest !== undefined && (part === undefined || !guest.parts.includes(part))) throw guestShut()
}

/** A support session gets 403 for everything that is not opened to it. */
const supportShut = (): AppError =>
  new AppError('supportShut', 'A support session does not reach this. Do it in a session of your own')

/** Throws 403 in a support session, unless the route serves its kind. A session to `act` may also view. */
export const requireSupportServed = ({ support }: Actor, served: SupportKind | undefined): void => {
  if (support === undefined || served === 'view' || served === support.kind) return
  throw supportShut()
}

/** Throws 403 in a support session. */
export const refuseSupport = ({ support }: Actor): void => {
  if (support !== undefined) throw supportShut()
}

/** Throws 403 for a caller by `tenant:enter`: only own users of a tenant decide about support. */
export const requireOwnUser = (actor: Actor, tenantId: string): void => {
  if (isOwnTenant(actor, tenantId) && actor.userId !== 0) return
  throw new AppError('supportRefused', 'Only users of this tenant decide about support')
}

/** Throws 403 for a question of a support session that is not about itself. */
export const requireAskingAboutItself = (
  actor: Actor,
  { user_id: user, session_id: session }: SubjectOfQuestion,
) => {
  const isItself =
    (user === undefined || user === actor.userId) &&
    (session === undefined || session === actor.credential?.id)
  if (!isItself) refuseSupport(actor)
}

/** Whether the actor of a support session may still be in it, by the actor's own session. */
export const mayKeepSupport = (actor: Actor, tenantId: string, kind: SupportKind): boolean =>
  isFullSession(actor) &&
  actor.hasMfa &&
  !actor.isSuspended &&
  may(actor, policies.enterTenant, tenantId) &&
  holds(actor, `support:${kind}`)

/** Throws 403 for a person, whatever permissions the person has. Only a key of a service account passes. */
export const requireKey = ({ key }: Actor): void => {
  if (key !== undefined) return
  throw new AppError('permissionMissing', 'This is for the key of a service account, not for a person')
}

const userOnly = (): AppError =>
  new AppError(
    'permissionMissing',
    'This is about the own account of a user. A key has none: sign in instead',
  )

const guestOnly = (): AppError =>
  new AppError('permissionMissing', 'This is for guests of a setup link alone')

const permissionMissing = (needed: string): AppError =>
  new AppError('permissionMissing', `This needs the permission ${needed}. Ask an administrator for it`)
