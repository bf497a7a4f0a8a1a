import type { PermissionCode } from '../../../access/permissions.ts'
import type { CallerlessCtx } from '../../../context.ts'
import { selectHoldersOf, type Holder } from './holders.store.ts'

export type { Holder }

/** Enabled users of the tenant in scope who hold a permission, by id. */
export const listHolders = (
  { db, tenantId }: CallerlessCtx,
  code: PermissionCode,
  max: number,
): Promise<Holder[]> => selectHoldersOf(db, tenantId, code, max)
