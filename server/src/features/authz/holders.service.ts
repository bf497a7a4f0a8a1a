import { selectHolder } from '../../access/authority.store.ts'
import { isBuiltIn } from '../../access/permissions.ts'
import { lacking } from '../../access/policies.ts'
import { concernsUser, createRemembered } from '../../cache/remembered.ts'
import type { Change } from '../../cache/cache.ts'
import type { Ctx } from '../../context.ts'
import { listProductCodes, listUnknownCodes } from '../roles/roles.service.ts'

/** A user or service account with the permissions that count at this moment. */
export interface Holder {
  userId: number
  tenantId: string
  permissions: ReadonlySet<string>
  /** Nothing counts of a disabled one, and in a disabled tenant. */
  isEnabled: boolean
}

/** Remembers holders as authentication remembers callers: checks ask about the same users over and over. */
export interface Holders {
  /** A holder of the tenant in scope; undefined when there is none. */
  find: (ctx: Ctx, userId: number) => Promise<Holder | undefined>
  /** Those of the codes that the catalogue lacks. */
  listUnknown: (ctx: Ctx, holder: Pick<Holder, 'permissions'>, codes: string[]) => Promise<string[]>
  /** Forgets what a change concerns; everything without a change. */
  forget: (change: Change | undefined) => void
}

/** Reads a holder of the tenant in scope. */
export const readHolder = async ({ db, tenantId }: Ctx, userId: number): Promise<Holder | undefined> => {
  const row = await selectHolder(db, tenantId, userId)
  if (!row) return undefined
  const isEnabled = row.status === 1 && row.tenant_status === 1
  return { userId, tenantId, isEnabled, permissions: new Set(isEnabled ? row.codes : []) }
}

export const createHolders = (): Holders => {
  // Replicas are not told that a user is enabled again: no session waits for it.
  const holders = createRemembered<Holder>({ isConcerned: concernsUser, lasts: ({ isEnabled }) => isEnabled })
  const catalogue = createRemembered<ReadonlySet<string>>({
    isConcerned: (_codes, { kind }) => kind === 'catalogue',
  })

  const readCodes = async (ctx: Ctx) => new Set(await listProductCodes(ctx))

  return {
    find: async (ctx, userId) => {
      const key = `${ctx.tenantId} ${userId}`
      return holders.get(key) ?? holders.read(key, () => readHolder(ctx, userId))
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
