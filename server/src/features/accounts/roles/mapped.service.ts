/** Roles that users get through the groups of a provider or a directory. */
import { platformAdminId } from '../../../access/permissions.ts'
import type { AuthorityCtx } from '../../../access/authority.ts'
import * as store from './mapped.store.ts'

/** The roles that users got and lost. */
export interface MappedChange {
  given: store.Assignment[]
  taken: store.Assignment[]
}

/**
 * Makes the mapped roles of some users equal to the wanted ones. Roles assigned by hand stay. The caller notifies the
 * replicas.
 */
export const replaceMappedRoles = async (
  { db, tenantId }: AuthorityCtx,
  userIds: number[],
  wanted: store.Assignment[],
): Promise<MappedChange> => {
  if (userIds.length === 0) return { given: [], taken: [] }
  const taken = await store.deleteUnmapped(db, tenantId, userIds, wanted)
  const given = wanted.length === 0 ? [] : await store.insertMapped(db, tenantId, wanted, platformAdminId)
  return { given, taken }
}
