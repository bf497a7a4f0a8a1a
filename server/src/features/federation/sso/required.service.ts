/** The setting `auth.sso`, which can require the connection for every sign-in. */
import { codesOfTenant, requireRankOverTenant } from '../../../access/authority.ts'
import { hasBreakGlassUser } from '../../../access/ways-in.ts'
import { selectTenantInScope } from '../../../access/tenancy.store.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { endUnreaching } from '../../accounts/sessions/reach.service.ts'
import type { RequirementEffect } from './exemptions.schemas.ts'
import { notifyManagers } from './managers.service.ts'
import * as store from './required.store.ts'

/** The age up to which a sign-in by a connection proves that the connection works: one hour. */
const freshMs = 3_600_000

const unproved = () =>
  new AppError(
    'connectionUnproved',
    'First sign in by the connection yourself, within the last hour, and name a break-glass user with a second factor',
  )

/** Throws 400 unless the caller has just signed in by the connection, and a break-glass user exists. */
const requireProved = async (ctx: TransactionCtx): Promise<void> => {
  const { actor, db, tenantId, parts } = ctx
  const since = new Date(parts.now().getTime() - freshMs)
  const sessionId = actor.tenantId === tenantId && actor.connectionId ? actor.credential?.id : undefined
  const isProved = sessionId && (await store.selectFreshSession(db, tenantId, sessionId, since))
  if (!isProved || !(await hasBreakGlassUser(ctx))) throw unproved()
}

/** The people and sessions that the requirement would end now, in the tenant in scope. */
export const getRequirementEffect = async ({ db, tenantId, parts }: Ctx): Promise<RequirementEffect> =>
  (await store.measureRequirement(db, tenantId, parts.now())) ?? { users: 0, sessions: 0 }

/**
 * Checks and applies a change of the setting, under the authority lock. At once ends sessions with other sign-in
 * methods. Throws 403 for a caller without rank over the tenant; the operator's commands need no rank. Throws 400 if
 * the change could lock out all users.
 */
export const applyRequired = async (ctx: TransactionCtx): Promise<void> => {
  const { actor, db, tenant, tenantId } = ctx
  if (actor.credential) requireRankOverTenant({ ...ctx, isLocked: true }, await codesOfTenant(ctx))
  const after = await selectTenantInScope(db, tenantId)
  const isRequired = after?.is_sso_required === true
  if (isRequired === tenant.is_sso_required) return
  if (isRequired) {
    await requireProved(ctx)
    await endUnreaching(ctx)
  }
  await notifyManagers(ctx, isRequired ? 'connectionRequired' : 'connectionOptional', {})
}
