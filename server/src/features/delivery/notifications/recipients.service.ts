import type { PermissionCode } from '../../../access/permissions.ts'
import type { CallerlessCtx } from '../../../context.ts'
import { selectRecipients, selectUsersWithPermission, type Recipient } from './recipients.store.ts'

export type { Recipient }

/** Enabled users of the tenant in scope who have a permission, by id. */
export const listUsersWithPermission = (
  { db, tenantId }: CallerlessCtx,
  code: PermissionCode,
  max: number,
): Promise<Recipient[]> => selectUsersWithPermission(db, tenantId, code, max)

/** The enabled users of the tenant in scope among `ids`. */
export const listUsers = ({ db, tenantId }: CallerlessCtx, ids: number[]): Promise<Recipient[]> =>
  selectRecipients(db, tenantId, ids)
