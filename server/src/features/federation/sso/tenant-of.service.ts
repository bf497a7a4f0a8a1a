import type { Ctx } from '../../../context.ts'
import { selectTenantOfConnection } from './saml.store.ts'

/** The tenant of a connection: an address for a provider has only the connection's id. */
export const findTenantOf = async ({ db }: Ctx, id: string): Promise<string | undefined> =>
  (await selectTenantOfConnection(db, id))?.tenant_id
