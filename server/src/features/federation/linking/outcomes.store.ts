import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'

export interface NewOutcome {
  tenantId: string
  connectionId: string
  at: Date
  outcome: string
  reason: string
  testId: string | undefined
  subject: string
  email: string
  claims: object[]
  ip: string
}

export const insertOutcome = (db: TransactionDb, row: NewOutcome): void =>
  db.send(sql`
    insert into sso_outcomes (tenant_id, connection_id, at, outcome, reason, test_id, subject, email, claims, ip)
    values (${row.tenantId}, ${row.connectionId}, ${row.at}, ${row.outcome}, ${row.reason}, ${row.testId ?? null}, ${row.subject}, ${row.email},
      ${JSON.stringify(row.claims)}::jsonb, ${row.ip})`)

/** Deletes the outcomes of a connection except the newest ones. */
export const deleteSurplus = (
  db: TransactionDb,
  { tenantId, connectionId, kept }: { tenantId: string; connectionId: string; kept: number },
): void =>
  db.send(sql`
    delete from sso_outcomes
    where tenant_id = ${tenantId} and connection_id = ${connectionId} and id <= (
      select id from sso_outcomes
      where tenant_id = ${tenantId} and connection_id = ${connectionId}
      order by id desc offset ${kept} limit 1)`)
