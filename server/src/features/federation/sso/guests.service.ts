/**
 * Rules for guests of setup links about connections. Every function passes for other callers. The routes that guests
 * reach name them in `config.guests`.
 */
import type { Actor } from '../../../access/actor.ts'
import { guestShut } from '../../../access/policies.ts'
import type { AuthorityCtx } from '../../../access/authority.ts'
import type { TransactionCtx } from '../../../context.ts'
import { enableAccount } from '../../accounts/service-accounts/service-accounts.service.ts'
import { connectionFields, guestFields } from './connections.schemas.ts'
import type { UpdateConnection } from './connections.schemas.ts'
import type { ConnectionRow } from './connections.store.ts'
import * as store from './guests.store.ts'

type Acting = Pick<Actor, 'guest'>

export const isGuestConnection = ({ guest }: Acting, id: string): boolean =>
  guest === undefined || guest.connectionId === id.toLowerCase()

/** Throws 403 for a guest who has a connection already. */
export const requireGuestCreates = ({ guest }: Acting): void => {
  if (guest && (guest.connectionId !== undefined || guest.isActivated)) throw guestShut()
}

/** Throws 403 for a guest after the activation. */
export const requireGuestWrites = ({ guest }: Acting, status: string): void => {
  if (guest && (status !== 'draft' || guest.isActivated)) throw guestShut()
}

/** Throws 403 for a guest, except for the draft that a guest of the link has created. */
export const requireGuestDeletes = (actor: Acting, status: string): void => {
  requireGuestWrites(actor, status)
  if (actor.guest && !actor.guest.isConnectionOwn) throw guestShut()
}

const isShut = (name: string): boolean => connectionFields.has(name) && !guestFields.has(name)

/** Throws 403 if a guest sends a field, a role or a status that the link does not open. */
export const requireGuestFields = ({ guest }: Acting, input: UpdateConnection): void => {
  if (!guest) return
  const { status, group_mappings: mappings = [] } = input
  const isActivated = status === undefined || (status === 'active' && guest.mayActivate)
  const givesKnown = mappings.every(({ role_id: id }) => guest.roleIds.includes(id))
  if (!isActivated || !givesKnown || Object.keys(input).some(isShut)) throw guestShut()
}

type Given = Pick<ConnectionRow, 'default_role_ids' | 'group_mappings' | 'trust_mfa'>

/** Whether a connection gives no role beyond these, and trusts no second factor of its provider. */
export const givesAtMost = (roleIds: readonly number[], given: Given): boolean =>
  !given.trust_mfa &&
  [...given.default_role_ids, ...given.group_mappings.map(({ role_id: id }) => id)].every((id) =>
    roleIds.includes(id),
  )

/** Throws 403 if a guest activates a connection that gives more than the link. */
export const requireGuestActivates = ({ guest }: Acting, given: Given): void => {
  if (guest && !givesAtMost(guest.roleIds, given)) throw guestShut()
}

/** Throws 403 if a guest maps groups of a directory that no guest of the link created: it has users already. */
export const requireGuestMaps = (
  { guest }: Acting,
  { scim_account_id: directory }: ConnectionRow,
  { group_mappings: mappings }: UpdateConnection,
): void => {
  if (guest && mappings && directory !== null && directory !== guest.scimAccountId) throw guestShut()
}

/** Notes the connection that a guest creates. Returns the context in which the guest reaches it. */
export const keepGuestConnection = <Within extends TransactionCtx>(ctx: Within, id: string): Within => {
  const { guest } = ctx.actor
  if (!guest) return ctx
  store.updateConnectionOf(ctx.db, ctx.tenantId, guest.linkId, id)
  return {
    ...ctx,
    actor: { ...ctx.actor, guest: { ...guest, connectionId: id, isConnectionOwn: true } },
  }
}

/** The connection and the directory of guests stay from the activation on. The directory begins to provision. */
export const keepActivation = async (ctx: AuthorityCtx, id: string): Promise<void> => {
  const links = await store.updateActivated(ctx.db, ctx.tenantId, id, ctx.parts.now())
  for (const { kept_account_id: accountId } of links) {
    if (accountId !== null) await enableAccount(ctx, accountId)
  }
}

/** Lets the guests of a deleted connection create another one. */
export const forgetConnection = (ctx: TransactionCtx, id: string): void =>
  store.updateWithoutConnection(ctx.db, ctx.tenantId, id)
