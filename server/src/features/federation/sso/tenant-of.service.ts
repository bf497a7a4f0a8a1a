import type { Ctx } from '../../../context.ts'
import { selectTenantOfConnection } from './saml.store.ts'

/** The tenant of a connection, whose id alone an address of a provider names. */
export const findTenantOf = async ({ db }: Ctx, id: string): Promise<string | undefined> =>
  (await selectTenantOfConnection(db, id))?.tenant_id
