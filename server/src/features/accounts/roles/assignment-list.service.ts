/** Lists of assignments. */
import { policies, requireMay } from '../../../access/policies.ts'
import type { Ctx } from '../../../context.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import type { Assignment, AssignmentQuery } from './assignments.schemas.ts'
import * as store from './assignments.store.ts'
import { namesElsewhere } from './givers.service.ts'

/**
 * Assignments of the tenant in scope, by id. Callers need `role:read` and `user:read`, except for their own
 * assignments.
 */
export const listAssignments = async (ctx: Ctx, query: AssignmentQuery): Promise<CountedPage<Assignment>> => {
  const { user_id: userId, role_id: roleId, permission, expires_before: before, after_id: afterId } = query
  const { db, tenantId } = ctx
  requireMay(ctx.actor, policies.readRolesOfUser, { tenant_id: tenantId, user_id: userId ?? 0 })
  requireMay(ctx.actor, policies.readAssignedUser, { tenant_id: tenantId, user_id: userId ?? 0 })
  const expiresBefore = before === undefined ? undefined : new Date(before)
  const filter = { userId, roleId, permission, expiresBefore }
  const [rows, { count }] = await Promise.all([
    store.selectAssignments(db, tenantId, { ...filter, afterId }, sliceOf(query)),
    store.countAssignments(db, tenantId, filter, totalMax),
  ])
  const elsewhere = await namesElsewhere(
    ctx,
    rows.map((row) => ({ id: row.assigned_by, home: row.assigned_by_tenant })),
  )
  const items = rows.map(({ assigned_by: id, assigned_by_tenant: home, assigned_by_name: here, ...row }) => ({
    ...row,
    assigned_by: { id, name: home === null ? here : elsewhere(id, home) },
  }))
  return pageOf(items, count, query.page, true)
}
