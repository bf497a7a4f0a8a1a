/** The authority of an inviter: which roles an invitation may still give, and until when. */
import { endsOf } from '../../../access/actor.ts'
import { selectPrincipal } from '../../../access/authority.store.ts'
import type { PermissionCode } from '../../../access/permissions.ts'
import { inTenantWithin, type TransactionCtx, type UncheckedCtx } from '../../../context.ts'
import * as store from './invitations.store.ts'

/** The id of the operator, who invites during an import and may give every role of a tenant. */
export const operatorId = 0

/** The authority of an inviter who may still invite. */
export interface Giving {
  /** Null for a service account and the operator. */
  accountId: number | null
  /** Until when the inviter may give a role: a time, null without an end, undefined if not at all. */
  until(role: store.GivenRole): Date | null | undefined
}

/** The permissions that an inviter must still have. */
const neededBy = (isFounding: boolean, isOwnTenant: boolean): PermissionCode[] => {
  if (isFounding) return ['tenant:create']
  return isOwnTenant ? ['user:create'] : ['user:create', 'tenant:enter']
}

/** The earliest of some ends; null if there is none. */
export const earliest = (ends: (Date | null | undefined)[]): Date | null => {
  const times = ends.flatMap((end) => end?.getTime() ?? [])
  return times.length === 0 ? null : new Date(Math.min(...times))
}

/**
 * Reads the inviter's present permissions in the inviter's own tenant. Undefined if the inviter may no longer invite.
 */
export const readGiving = async (
  ctx: UncheckedCtx,
  { inviter_tenant_id: home, invited_by: inviterId, is_founding: isFounding }: store.InvitationRow,
): Promise<Giving | undefined> => {
  if (inviterId === operatorId) return { accountId: null, until: () => null }
  const inviter = await inTenantWithin(ctx, home, (ctx) => selectPrincipal(ctx.db, home, inviterId))
  if (inviter?.status !== 1 || inviter.tenant_status !== 1) return undefined
  const held = new Set(inviter.codes)
  const needed = neededBy(isFounding, home === ctx.tenantId)
  if (needed.some((code) => !held.has(code))) return undefined
  const { account_id: accountId } = inviter
  if (isFounding) return { accountId, until: () => null }
  const ends = endsOf(inviter)
  return {
    accountId,
    until({ is_starting: isStarting, codes }) {
      if (isStarting) return null
      return codes.every((code) => held.has(code)) ? earliest(codes.map((code) => ends.get(code))) : undefined
    },
  }
}

/** The name of the inviting user. Undefined for service accounts, callers of other tenants and sessions of support. */
export const findInviter = async ({ db, actor, tenantId }: TransactionCtx): Promise<string | undefined> => {
  if (actor.key || actor.support || actor.tenantId !== tenantId) return undefined
  return (await store.selectInviter(db, tenantId, actor.userId))?.name
}
