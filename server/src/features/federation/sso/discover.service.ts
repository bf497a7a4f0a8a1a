import { inTenant, type Ctx } from '../../../context.ts'
import { domainOf } from '../../../values/text.ts'
import * as store from './attempts.store.ts'
import type { Discovered } from './sign-in.schemas.ts'

/** The connection of an address's domain. Reads only verified domains, so it reveals no accounts. */
export const discover = async (ctx: Ctx, { email }: { email: string }): Promise<Discovered> => {
  const domain = domainOf(email)
  const owner = await store.selectOwner(ctx.db, domain)
  if (!owner) return { connection: null }
  const there = inTenant(ctx, owner.tenant_id)
  const found = await store.selectConnectionOfDomain(there.db, there.tenantId, domain)
  if (!found) return { connection: null }
  const { id, name, tenant_id, tenant_name } = found
  return { connection: { id, name, tenant: { id: tenant_id, name: tenant_name } } }
}
