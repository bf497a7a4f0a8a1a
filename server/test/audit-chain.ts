/** A tenant's audit chain in tests: writing, sealing, checking and tampering. */
import sql, { type Sql } from 'sql-template-tag'
import { insertLeftovers } from '../src/features/audit/audit/chain.store.ts'
import { sealCommitted } from '../src/features/audit/audit/seal.service.ts'
import type { KeptHead } from '../src/features/audit/audit/chain-check.ts'
import { trustOwnKeys, verifyOne, type Verdict } from '../src/features/audit/audit/verify.service.ts'
import { newTenant, unique, type Tenant } from './factories.ts'
import { parts } from './harness.ts'

/** Seals committed records; in tests no maintenance does. */
export const sealRecords = (tenantId: string): Promise<void> => sealCommitted(parts, tenantId)

/** Runs statements with all rights of the login, past row-level security, like the owner of the database. */
export const asOwner = (...statements: Sql[]): Promise<void> =>
  parts.store.transaction({}, async (db) => {
    await db.run(sql`select set_config('role', 'none', true)`)
    for (const statement of statements) await db.run(statement)
  })

/** Rows that only the owner of the database may read. */
export const ownerRows = <T>(statement: Sql): Promise<T[]> =>
  parts.store.transaction({}, async (db) => {
    await db.run(sql`select set_config('role', 'none', true)`)
    return db.many<T>(statement)
  })

export const verdictOn = async (tenantId: string, kept?: KeptHead): Promise<Verdict> =>
  verifyOne(parts, tenantId, { keys: await trustOwnKeys(parts), kept })

/** The first breach of a tenant's chain, or undefined. */
export const breachOf = async (tenantId: string, kept?: KeptHead): Promise<string | undefined> => {
  const verdict = await verdictOn(tenantId, kept)
  return 'breach' in verdict ? verdict.breach : undefined
}

export const headOf = async (tenantId: string): Promise<KeptHead> => {
  const verdict = await verdictOn(tenantId)
  if (!('summary' in verdict) || !verdict.summary) throw new Error('nothing is sealed')
  return verdict.summary.head
}

export interface Chain {
  tenant: Tenant
  id: string
  /** The ids of the records in each seal. */
  seals: number[][]
}

/** Writes records in a tenant, three at a time. */
export const writeRecords = async ({ admin }: Tenant): Promise<void> => {
  for (const value of [1, 2, 3]) {
    await admin.put('/settings/tenant/key', { value: unique(`${value}`) })
  }
}

export const sealsOf = async (tenantId: string): Promise<number[][]> => {
  const rows = await ownerRows<{ ids: number[] }>(sql`
    select to_json(record_ids) as ids from audit_seals where tenant_id = ${tenantId} order by sequence`)
  return rows.map(({ ids }) => ids)
}

/** A tenant with a chain of three seals. */
export const newChain = async (): Promise<Chain> => {
  const tenant = await newTenant()
  const { id } = tenant
  for (let seal = 0; seal < 3; seal += 1) {
    await writeRecords(tenant)
    await sealRecords(id)
  }
  return { tenant, id, seals: await sealsOf(id) }
}

interface Written {
  action: string
  userId?: number
  at?: Date
}

/** Writes many records at once, without the service; they wait to be sealed. */
export const writeMany = (
  tenantId: string,
  rows: number,
  { action, userId = 0, at = new Date() }: Written,
): Promise<void> =>
  asOwner(sql`
    with added as (
      insert into audit_logs
        (tenant_id, user_id, action, resource, resource_id, detail, ip, user_agent, trace_id, created_at)
      select ${tenantId}::uuid, ${userId}::bigint, ${action}::text, split_part(${action}::text, '.', 1), '', '{}', '', '', '', ${at}::timestamptz
      from generate_series(1, ${rows}::int)
      returning tenant_id, id
    )
    insert into audit_unsealed (tenant_id, id) select tenant_id, id from added`)

/** An expired record that an archive would still have. */
export const insertLeftover = ({ id }: { id: string }): Promise<number> =>
  parts.store.transaction({}, (db) => insertLeftovers(db, id, [1]), 'tenantry_purge')
