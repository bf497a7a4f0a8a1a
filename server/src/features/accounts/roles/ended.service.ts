/** The ends of assignments. Only records and notices are made here: an ended assignment counts nowhere by itself. */
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { passOverRemoved } from '../../../errors/app-error.ts'
import { changesBetween, recordAs } from '../../audit/audit/audit.service.ts'
import * as store from './assignments.store.ts'

const system = { userId: 0, username: '' }

/** Records deleted assignments, and notifies the replicas. */
export const recordEnded = (ctx: TransactionCtx, ended: store.EndedAssignment[]): void => {
  for (const { user_id: userId, role_id: roleId, username, role, expires_at: end } of ended) {
    recordAs(ctx, system, {
      action: 'role.expire',
      resourceId: roleId,
      aboutUserId: userId,
      detail: changesBetween({ user_id: userId, username, role, expires_at: end }, {}),
    })
    ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: '' })
  }
}

/** The most tenants of a round, and the most assignments of a transaction. */
const roundMax = 1000

const endIn = async (ctx: Ctx): Promise<void> => {
  for (let count = roundMax; count === roundMax;) {
    count = await inTransaction(ctx, async (ctx) => {
      const ended = await store.deleteEnded(ctx.db, ctx.tenantId, roundMax)
      recordEnded(ctx, ended)
      return ended.length
    })
  }
}

/**
 * Deletes ended assignments with a record each. Several processes can run it at once. Resolves with the milliseconds
 * until the next end; undefined if there is none.
 */
export const endAssignments = async (ctx: Ctx): Promise<number | undefined> => {
  const { store: database } = ctx.parts
  const due = await database.transaction(
    {},
    (db) => store.selectTenantsWithEnded(db, roundMax),
    'tenantry_search',
  )
  for (const { tenant_id: tenantId } of due) {
    await endIn(inTenant(ctx, tenantId)).catch(passOverRemoved)
  }
  const { ms } = await database.transaction({}, store.selectNextEnd, 'tenantry_search')
  return ms ?? undefined
}

/** The assignments whose holders and givers are to be told of the end. */
export const listDueWarnings = ({ parts }: Ctx): Promise<store.DueWarning[]> =>
  parts.store.transaction({}, (db) => store.selectDueWarnings(db, roundMax), 'tenantry_search')

/** Takes a due warning. Undefined if another process has taken it, or if the assignment has changed. */
export const takeWarning = (
  { db, tenantId }: TransactionCtx,
  id: number,
): Promise<store.WarnedAssignment | undefined> => store.updateWarned(db, tenantId, id)
