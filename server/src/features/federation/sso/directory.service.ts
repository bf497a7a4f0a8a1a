/** The directory of a connection: the service account whose keys push users and groups. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, errorCodes, invalid } from '../../../errors/app-error.ts'
import { endDirectory, mapAllDirectoryRoles } from '../../tenancy/scim/groups.service.ts'
import { getServiceAccount } from '../../accounts/service-accounts/service-accounts.service.ts'
import type { UpdateConnection } from './connections.schemas.ts'
import * as store from './connections.store.ts'

const field = 'scim_account_id'

const requireAccount = async (ctx: AuthorityCtx, id: number): Promise<void> => {
  await getServiceAccount(ctx, id).catch((err: unknown) => {
    throw err instanceof AppError && err.code === errorCodes.serviceAccountUnknown
      ? invalid(field, 'is no service account of this tenant')
      : err
  })
}

const taken = (err: unknown): never => {
  throw violatesUnique(err, 'connections_directory_key')
    ? invalid(field, 'must be null: another connection of this tenant has the directory')
    : err
}

/**
 * Sets the directory of a connection. Removing a directory deletes the resources that it pushed, but not the users.
 * Throws 400 for an unknown account, and for a second directory in the tenant.
 */
export const keepDirectory = async (
  ctx: AuthorityCtx,
  id: string,
  before: number | null,
  { scim_account_id: wanted = before, group_mappings: mappings }: UpdateConnection,
): Promise<void> => {
  if (wanted === before) {
    if (wanted !== null && mappings) await mapAllDirectoryRoles(ctx)
    return
  }
  if (before !== null) await endDirectory(ctx)
  if (wanted !== null) await requireAccount(ctx, wanted)
  await store.updateDirectory(ctx.db, ctx.tenantId, id, wanted).catch(taken)
}
