/** The part of a linked person that follows the provider at each sign-in: address, nickname and mapped roles. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { domainOf, fold } from '../../../values/text.ts'
import { changesBetween, naming, recordAs, type Detail } from '../../audit/audit/audit.service.ts'
import { replaceMappedRoles, type MappedChange } from '../../accounts/roles/mapped.service.ts'
import { mapDirectoryRoles } from '../../tenancy/scim/groups.service.ts'
import { followAddress } from '../../accounts/users/addresses.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { nicknameOf } from './nickname.ts'
import type { ProvidedPerson } from './persons.service.ts'
import * as store from './linking.store.ts'

/** Gives the account the address of the provider, where a domain of the connection has it. Returns whether it did. */
const followWithin = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  { accountId, email }: { accountId: number; email: string },
): Promise<boolean> => {
  const led = await store.selectLed(ctx.db, ctx.tenantId, connection.id, domainOf(email))
  return led !== undefined && followAddress(ctx, accountId, email)
}

/** Lets address and nickname follow. A change that may not be stops nothing. Returns the address. */
export const follow = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  { user: { user_id: id, username }, person }: { user: store.LinkedUser; person: ProvidedPerson },
): Promise<string> => {
  const { user } = await lockUserWithCodes(ctx, id)
  const nickname = nicknameOf(person.name) || user.nickname
  const isOther = person.email !== '' && fold(person.email) !== fold(user.email)
  const accountId = user.account_id
  const moves = isOther && (await followWithin(ctx, connection, { accountId, email: person.email }))
  const email = moves ? person.email : user.email
  if (nickname !== user.nickname) store.updateNickname(ctx.db, { ...user, email, nickname }, ctx.parts.now())
  const changes = changesBetween({ email: user.email, nickname: user.nickname }, { email, nickname })
  if (Object.keys(changes).length > 0) {
    recordAs(
      ctx,
      { userId: id, username },
      {
        action: 'user.update',
        resourceId: id,
        detail: { ...naming({ username }), ...changes, source: { from: null, to: 'jit' } },
      },
    )
  }
  return email
}

interface Grouped {
  userId: number
  groups: string[] | undefined
}

/** Makes the mapped roles equal to the groups of the claim; a missing claim changes nothing. */
const mapClaimed = async (
  ctx: AuthorityCtx,
  { id }: store.BringingConnection,
  { userId, groups }: Grouped,
): Promise<MappedChange> => {
  if (groups === undefined) return { given: [], taken: [] }
  const { db, tenantId } = ctx
  const mapped = groups.length === 0 ? [] : await store.selectMapped(db, tenantId, id, groups)
  const wanted = mapped.map(({ role_id: roleId }) => ({ user_id: userId, role_id: roleId }))
  const changed = await replaceMappedRoles(ctx, [userId], wanted)
  if (changed.given.length + changed.taken.length > 0) {
    ctx.changes.push({ kind: 'user', tenantId, userId, sessionId: '' })
  }
  return changed
}

/**
 * Makes the mapped roles equal to the groups. With a directory its groups count, and not the claim: whom it did not push
 * keeps no role that the claim gave before.
 */
export const giveMapped = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  person: Grouped,
): Promise<Detail> => {
  const { given, taken } = connection.has_directory
    ? await mapDirectoryRoles(ctx, [person.userId])
    : await mapClaimed(ctx, connection, person)
  const ids = (rows: typeof given) => rows.map(({ role_id: id }) => id)
  return changesBetween({ role_ids: ids(taken) }, { role_ids: ids(given) })
}
