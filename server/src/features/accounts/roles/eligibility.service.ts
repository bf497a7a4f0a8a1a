/** Roles that users may start for a time, by an elevation. */
import {
  changingAuthority,
  codesOfUser,
  giverOf,
  requireHoldingRole,
  requireRankOverUser,
} from '../../../access/authority.ts'
import { readEnd } from '../../../access/ends.ts'
import { policies, requireFullSession, requireMay } from '../../../access/policies.ts'
import type { CallerlessCtx, Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import * as assignments from './assignments.store.ts'
import type { EligibleRole, MakeEligible } from './elevations.schemas.ts'
import * as store from './eligibility.store.ts'
import { namesElsewhere } from './givers.service.ts'
import { codesOf, getRole } from './roles.service.ts'
import { selectHolder } from './roles.store.ts'

/** A user of the tenant in scope. Throws 404 for a service account too, which has no sessions. */
const getPerson = async ({ db, tenantId }: CallerlessCtx, id: number): Promise<{ name: string }> => {
  const holder = await selectHolder(db, tenantId, id)
  if (!holder || holder.is_service_account) {
    throw new AppError('userUnknown', 'The user does not exist in this tenant')
  }
  return holder
}

/** The roles that a user is eligible for. Callers need `role:read`, except for their own. */
export const listEligibleRoles = async (ctx: Ctx, userId: number): Promise<EligibleRole[]> => {
  requireMay(ctx.actor, policies.readRolesOfUser, { tenant_id: ctx.tenantId, user_id: userId })
  await getPerson(ctx, userId)
  const rows = await store.selectEligibilities(ctx.db, ctx.tenantId, userId)
  const names = await namesElsewhere(
    ctx,
    rows.map((row) => ({ id: row.given_by, home: row.given_by_tenant })),
  )
  return rows.map(({ given_by: id, given_by_tenant: home, given_by_name: here, ...row }) => ({
    ...row,
    given_by: { id, name: home === null ? here : names(id, home) },
  }))
}

/**
 * Makes a user eligible for a role. Throws 403 as `assignRole` does: an eligibility is a gift. Throws 409 if the user is
 * eligible already, or holds the role.
 */
export const makeEligible = (ctx: Ctx, userId: number, input: MakeEligible): Promise<null> => {
  const { role_id: roleId, max_minutes: maxMinutes } = input
  const expiresAt = readEnd('expires_at', input.expires_at, ctx.parts.now())
  return changingAuthority(
    ctx,
    (ctx) =>
      Promise.all([
        getPerson(ctx, userId),
        getRole(ctx, roleId),
        assignments.selectUserRole(ctx.db, ctx.tenantId, userId, roleId),
      ]),
    async (ctx, [person, role, held]) => {
      requireFullSession(ctx.actor)
      requireHoldingRole(ctx, role, expiresAt)
      if (held) throw new AppError('roleAlreadyHeld', 'The user holds this role already')
      const row = { tenantId: ctx.tenantId, userId, roleId, maxMinutes, giver: giverOf(ctx), expiresAt }
      if ((await store.insertEligibility(ctx.db, row)) === 0) {
        throw new AppError('roleAlreadyEligible', 'The user is eligible for this role already')
      }
      const fields = {
        user_id: userId,
        username: person.name,
        role: role.name,
        max_minutes: maxMinutes,
        expires_at: expiresAt?.toISOString(),
      }
      record(ctx, {
        action: 'role.eligible',
        resourceId: roleId,
        aboutUserId: userId,
        detail: changesBetween({}, fields),
        effect: { gives: codesOf(role.permissions) },
      })
      return null
    },
  )
}

/** Ends an eligibility, and elevations by it. Throws 403 for a user who ranks above the caller. */
export const endEligibility = (ctx: Ctx, userId: number, roleId: number): Promise<null> =>
  changingAuthority(
    ctx,
    (ctx) => Promise.all([getPerson(ctx, userId), getRole(ctx, roleId), codesOfUser(ctx, userId)]),
    async (ctx, [person, role, codes]) => {
      requireFullSession(ctx.actor)
      requireRankOverUser(ctx, userId, codes)
      const removed = await store.deleteEligibility(ctx.db, ctx.tenantId, userId, roleId)
      if (!removed) throw new AppError('eligibilityUnknown', 'The user is not eligible for this role')
      const fields = { user_id: userId, username: person.name, role: role.name }
      record(ctx, {
        action: 'role.ineligible',
        resourceId: roleId,
        aboutUserId: userId,
        detail: changesBetween(fields, {}),
        effect: { takes: codesOf(role.permissions) },
      })
      ctx.changes.push({ kind: 'user', tenantId: ctx.tenantId, userId, sessionId: '' })
      return null
    },
  )
