import type { Support } from '../../../access/actor.ts'
import { findSupport } from '../../../access/support.ts'
import { mayUse } from '../../../access/application-use.ts'
import { selectPrincipal } from '../../../access/authority.store.ts'
import { isBuiltIn } from '../../../access/permissions.ts'
import { lacking } from '../../../access/policies.ts'
import { concernsUser, createRemembered } from '../../../cache/remembered.ts'
import type { Invalidation } from '../../../cache/cache.ts'
import type { Ctx } from '../../../context.ts'
import { listProductCodes, listUnknownCodes } from '../roles/roles.service.ts'
import { isLivingKey } from '../service-accounts/keys.service.ts'
import { findSessionBounds, type SessionBounds } from '../sessions/bounds.service.ts'
import { sessionUnknown } from '../sessions/sessions.service.ts'

/** A user or service account with its present permissions, or with those that its session may use. */
export interface PermissionHolder {
  userId: number
  tenantId: string
  /** The account of the person, if the question names a session. */
  accountId: number | undefined
  permissions: ReadonlySet<string>
  /** False if the account or its tenant is disabled; no permission then counts. */
  isEnabled: boolean
  /** False if the user lacks the permission that the application of the session requires. Then none counts. */
  mayUseApplication: boolean
  /** The person who works as the user, if the question names a session of support. */
  support: Support | undefined
}

/** A user or service account, and optionally its session: the claims `sub` and `sid` of a token. */
export interface PermissionSubject {
  userId: number
  sessionId: string | undefined
}

/**
 * Caches permissions in the same way as authentication caches callers, because checks often ask about the same users.
 */
export interface PermissionCache {
  /**
   * A user or service account of the tenant in scope; undefined when there is none. Throws 404 when the session is
   * over.
   */
  find: (ctx: Ctx, asked: PermissionSubject) => Promise<PermissionHolder | undefined>
  listUnknown: (ctx: Ctx, holder: Pick<PermissionHolder, 'permissions'>, codes: string[]) => Promise<string[]>
  /** Forgets the entries that a change concerns. Without a change, forgets all entries. */
  forget: (change: Invalidation | undefined) => void
}

/** A service account's token names its key in `sid`. */
const keySession = /^key_(\d+)$/

const findBounds = async (
  ctx: Ctx,
  { userId, sessionId }: PermissionSubject,
): Promise<SessionBounds | undefined> => {
  const everything = { accountId: undefined, codes: undefined, application: undefined }
  if (sessionId === undefined) return everything
  const [, keyId] = keySession.exec(sessionId) ?? []
  if (keyId === undefined) return findSessionBounds(ctx, userId, sessionId)
  return (await isLivingKey(ctx, userId, Number(keyId))) ? everything : undefined
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** The session that the question names. Undefined for a key, and for a text that is no session. */
const sessionOf = ({ sessionId = '' }: PermissionSubject): string | undefined =>
  uuid.test(sessionId) ? sessionId : undefined

/** The user in a session of support. Throws 404 when there is no such session. */
const readSupportHolder = async (
  { parts, tenantId }: Ctx,
  { userId, sessionId = '' }: PermissionSubject,
): Promise<PermissionHolder> => {
  const isId = !keySession.test(sessionId)
  const actor = isId ? await findSupport(parts, { tenantId, userId, sessionId }) : undefined
  if (!actor) throw sessionUnknown()
  const { accountId, permissions, support } = actor
  return { userId, tenantId, accountId, permissions, isEnabled: true, mayUseApplication: true, support }
}

/**
 * Reads a user or service account of the tenant in scope; undefined when there is none. Throws 404 when the session is
 * over.
 */
export const readPermissionHolder = async (
  ctx: Ctx,
  asked: PermissionSubject,
): Promise<PermissionHolder | undefined> => {
  const { userId } = asked
  const { db, tenantId } = ctx
  // Sent together, so that a question about a session takes as long as a question about its user.
  const [row, bounds] = await Promise.all([
    selectPrincipal(db, tenantId, userId, sessionOf(asked)),
    findBounds(ctx, asked),
  ])
  if (!row) return undefined
  if (!bounds) return readSupportHolder(ctx, asked)
  const { accountId, codes, application } = bounds
  const isEnabled = row.status === 1 && row.tenant_status === 1
  const mayUseApplication = !application || mayUse(application, row.codes)
  const held = isEnabled && mayUseApplication ? row.codes : []
  return {
    userId,
    tenantId,
    accountId,
    isEnabled,
    mayUseApplication,
    support: undefined,
    permissions: new Set(codes ? held.filter((code) => codes.has(code)) : held),
  }
}

export const createPermissionCache = (): PermissionCache => {
  // Disabled users are not cached, because replicas get no notice when an administrator enables a user again.
  const holders = createRemembered<PermissionHolder>({
    isConcerned: concernsUser,
    lasts: ({ isEnabled }) => isEnabled,
  })
  const catalogue = createRemembered<ReadonlySet<string>>({
    isConcerned: (_codes, { kind }) => kind === 'catalogue',
  })

  const readCodes = async (ctx: Ctx) => new Set(await listProductCodes(ctx))

  return {
    find: async (ctx, asked) => {
      const key = `${ctx.tenantId} ${asked.userId} ${asked.sessionId ?? ''}`
      return holders.get(key) ?? holders.read(key, () => readPermissionHolder(ctx, asked))
    },
    listUnknown: async (ctx, holder, codes) => {
      const unsure = lacking(holder, codes).filter((code) => !isBuiltIn(code))
      if (unsure.length === 0) return unsure
      const known = catalogue.get('codes') ?? (await catalogue.read('codes', () => readCodes(ctx)))
      const missing = unsure.filter((code) => !known?.has(code))
      // Asks the database before it reports a code as unknown: the cached catalogue may be older.
      return missing.length === 0 ? missing : listUnknownCodes(ctx, missing)
    },
    forget: (change) => {
      holders.forget(change)
      catalogue.forget(change)
    },
  }
}
