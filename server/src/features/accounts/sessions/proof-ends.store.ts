import sql from 'sql-template-tag'
import type { TransactionDb } from '../../../db/client.ts'
import { inAccountScope } from '../../../db/scope.ts'
import { endingSessions } from './ending.sql.ts'
import type { EndedSession } from './sessions.store.ts'

export const deleteSessionRowsOfProof = (db: TransactionDb, accountId: number, proof: string) =>
  inAccountScope(db, accountId, () =>
    db.many<EndedSession>(endingSessions(sql`s.account_id = ${accountId} and ${proof} = any (s.amr)`)),
  )

export const deleteSignInRowsOfProof = (db: TransactionDb, accountId: number, proof: string): void =>
  db.send(sql`delete from sign_ins where account_id = ${accountId} and ${proof} = any (amr)`)
