/** A tenant's audit chain, for tests. */
import sql from 'sql-template-tag'
import { parts } from './harness.ts'

/** Rows in the tables of a tenant's audit chain, and a record that is not sealed yet. */
export const insertChain = (tenantId: string): Promise<void> =>
  parts.store.transaction(
    { tenantId },
    async (db) => {
      await db.run(sql`
        insert into audit_seals (tenant_id, sequence, record_ids, digests, hash, newest_at, statement)
        values (${tenantId}, 1, '{}', '', ${Buffer.alloc(32)}, now(), '')`)
      await db.run(sql`insert into audit_heads (tenant_id, statement) values (${tenantId}, '')`)
    },
    'tenantry_seal',
  )
