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

/** A user or service account with the permissions that count at this moment, of a session those that it may use. */
export interface Holder {
  userId: number
  tenantId: string
  /** The account of the person whose session was asked about; else undefined. */
  accountId: number | undefined
  permissions: ReadonlySet<string>
  /** Nothing counts of a disabled one, and in a disabled tenant. */
  isEnabled: boolean
}

/** A user or service account, and a session of it where one is named: the claims `sub` and `sid` of a token. */
export interface Asked {
  userId: number
  sessionId: string | undefined
}

/** Remembers holders as authentication remembers callers: checks ask about the same users over and over. */
export interface Holders {
  /** A holder of the tenant in scope; undefined when there is none. Throws 404 when the session is over. */
  find: (ctx: Ctx, asked: Asked) => Promise<Holder | undefined>
  /** Those of the codes that the catalogue lacks. */
  listUnknown: (ctx: Ctx, holder: Pick<Holder, 'permissions'>, codes: string[]) => Promise<string[]>
  /** Forgets what a change concerns; everything without a change. */
  forget: (change: Invalidation | undefined) => void
}

/** The `sid` of a token that a service account got for a key names the key. */
const keySession = /^key_(\d+)$/

const findBounds = async (ctx: Ctx, { userId, sessionId }: Asked): Promise<SessionBounds | undefined> => {
  const everything = { accountId: undefined, codes: undefined }
  if (sessionId === undefined) return everything
  const [, keyId] = keySession.exec(sessionId) ?? []
  if (keyId === undefined) return findSessionBounds(ctx, userId, sessionId)
  return (await isLivingKey(ctx, userId, Number(keyId))) ? everything : undefined
}

/** Reads a holder of the tenant in scope; undefined when there is none. Throws 404 when the session is over. */
export const readHolder = async (ctx: Ctx, asked: Asked): Promise<Holder | undefined> => {
  const { userId } = asked
  const { db, tenantId } = ctx
  // Both leave at once: a question about a session waits no longer than one about its user.
  const [row, bounds] = await Promise.all([selectPrincipal(db, tenantId, userId), findBounds(ctx, asked)])
  if (!row) return undefined
  if (!bounds) throw sessionUnknown()
  const { accountId, codes } = bounds
  const isEnabled = row.status === 1 && row.tenant_status === 1
  const held = isEnabled ? row.codes : []
  return {
    userId,
    tenantId,
    accountId,
    isEnabled,
    permissions: new Set(codes ? held.filter((code) => codes.has(code)) : held),
  }
}

export const createHolders = (): Holders => {
  // Replicas are not told that a user is enabled again: no session waits for it.
  const holders = createRemembered<Holder>({ isConcerned: concernsUser, lasts: ({ isEnabled }) => isEnabled })
  const catalogue = createRemembered<ReadonlySet<string>>({
    isConcerned: (_codes, { kind }) => kind === 'catalogue',
  })

  const readCodes = async (ctx: Ctx) => new Set(await listProductCodes(ctx))

  return {
    find: async (ctx, asked) => {
      const key = `${ctx.tenantId} ${asked.userId} ${asked.sessionId ?? ''}`
      return holders.get(key) ?? holders.read(key, () => readHolder(ctx, asked))
    },
    listUnknown: async (ctx, holder, codes) => {
      const unsure = lacking(holder, codes).filter((code) => !isBuiltIn(code))
      if (unsure.length === 0) return unsure
      const known = catalogue.get('codes') ?? (await catalogue.read('codes', () => readCodes(ctx)))
      const missing = unsure.filter((code) => !known?.has(code))
      // The catalogue may have a code since: it is asked before a code is called unknown.
      return missing.length === 0 ? missing : listUnknownCodes(ctx, missing)
    },
    forget: (change) => {
      holders.forget(change)
      catalogue.forget(change)
    },
  }
}
