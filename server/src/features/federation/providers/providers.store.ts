import sql from 'sql-template-tag'
import type { Db, TransactionDb } from '../../../db/client.ts'
import { isoTime } from '../../../db/columns.ts'
import type { ProviderConfig, ProviderKind } from './provider-config.ts'

export interface ProviderFields {
  name: string
  status: 'draft' | 'active' | 'disabled'
  config: ProviderConfig
  allow_new: boolean
}

export interface ProviderRow extends ProviderFields {
  id: string
  slug: string
  kind: ProviderKind
  /** Null until a test of the present fields has passed. */
  tested_at: Date | null
  created_at: string
  updated_at: string
  last_used_at: string
}

const columns = sql`
  id, slug, kind, name, status, config, allow_new, tested_at, ${isoTime('created_at')} as created_at,
  ${isoTime('updated_at')} as updated_at, ${isoTime('last_used_at')} as last_used_at`

export const selectProviders = (db: Db) =>
  db.many<ProviderRow>(sql`select ${columns} from providers order by created_at, id`)

export const selectProvider = (db: Db, id: string) =>
  db.one<ProviderRow>(sql`select ${columns} from providers where id = ${id}`)

/** Can violate `providers_slug_key`. */
export const insertProvider = (
  db: TransactionDb,
  row: ProviderFields & { id: string; slug: string; kind: ProviderKind; sealed: Buffer; now: Date },
) =>
  db.run(sql`
    insert into providers (id, slug, kind, name, status, config, sealed, allow_new, created_at, updated_at)
    values (${row.id}, ${row.slug}, ${row.kind}, ${row.name}, ${row.status}, ${JSON.stringify(row.config)}, ${row.sealed},
      ${row.allow_new}, ${row.now}, ${row.now})`)

export const updateProvider = (
  db: TransactionDb,
  { id, now, ...row }: ProviderFields & { id: string; now: Date },
): void =>
  db.send(sql`
    update providers
    set name = ${row.name}, status = ${row.status}, config = ${JSON.stringify(row.config)}, allow_new = ${row.allow_new},
      updated_at = ${now}
    where id = ${id}`)

/** After another configuration or secret, a provider needs a new test. */
export const updateUntested = (db: TransactionDb, id: string): void =>
  db.send(sql`update providers set tested_at = null where id = ${id}`)

export const updateSecret = (db: TransactionDb, id: string, sealed: Buffer): void =>
  db.send(sql`update providers set sealed = ${sealed} where id = ${id}`)

export const deleteProviderRow = (db: TransactionDb, id: string): void =>
  db.send(sql`delete from providers where id = ${id}`)
