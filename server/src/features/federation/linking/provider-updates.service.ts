/** Updates address, nickname, attributes and mapped roles of a linked person at each sign-in. */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { domainOf, fold } from '../../../values/text.ts'
import { changesBetween, naming, recordAs, type Detail } from '../../audit/audit/audit.service.ts'
import { fillFromClaims } from '../../configuration/attributes/filling.service.ts'
import { replaceMappedRoles, type MappedChange } from '../../accounts/roles/mapped.service.ts'
import { mapDirectoryRoles } from '../../tenancy/scim/groups.service.ts'
import { followAddress } from '../../accounts/users/addresses.service.ts'
import { lockUserWithCodes } from '../../accounts/users/users.service.ts'
import { nicknameOf } from './nickname.service.ts'
import type { ProvidedPerson } from './persons.service.ts'
import * as store from './linking.store.ts'

/** Gives the account the provider's address if its domain is assigned to the connection. Returns whether it did so. */
const updateAddress = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { accountId, email }: { accountId: number; email: string },
): Promise<boolean> => {
  const assigned = await store.selectAssignedDomain(ctx.db, ctx.tenantId, connection.id, domainOf(email))
  return assigned !== undefined && followAddress(ctx, accountId, email)
}

/**
 * Updates address, nickname and attributes from the provider. Ignores an address that the account cannot have. Returns
 * the account's address.
 */
export const updateProfile = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { user: { user_id: id, username }, person }: { user: store.LinkedUser; person: ProvidedPerson },
): Promise<string> => {
  const { user } = await lockUserWithCodes(ctx, id)
  const nickname = nicknameOf(person.name) || user.nickname
  const isOther = person.email !== '' && fold(person.email) !== fold(user.email)
  const accountId = user.account_id
  const moves = isOther && (await updateAddress(ctx, connection, { accountId, email: person.email }))
  const email = moves ? person.email : user.email
  if (nickname !== user.nickname) store.updateNickname(ctx.db, { ...user, email, nickname }, ctx.parts.now())
  // With a directory, claims do not count.
  const mappings = connection.has_directory ? [] : connection.attributes
  const changes = {
    ...changesBetween({ email: user.email, nickname: user.nickname }, { email, nickname }),
    ...(await fillFromClaims(ctx, id, mappings, person.claimed)),
  }
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

interface PersonGroups {
  userId: number
  groups: string[] | undefined
}

/** Makes the mapped roles match the groups of the claim. A missing claim changes nothing. */
const updateClaimedRoles = async (
  ctx: AuthorityCtx,
  { id }: store.SignInConnection,
  { userId, groups }: PersonGroups,
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
 * Makes the mapped roles match the groups. If there is a directory, only the directory's groups count: a person whom it
 * has not pushed loses the roles of earlier claims.
 */
export const updateMappedRoles = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  person: PersonGroups,
): Promise<Detail> => {
  const { given, taken } = connection.has_directory
    ? await mapDirectoryRoles(ctx, [person.userId])
    : await updateClaimedRoles(ctx, connection, person)
  const ids = (rows: typeof given) => rows.map(({ role_id: id }) => id)
  return changesBetween({ role_ids: ids(taken) }, { role_ids: ids(given) })
}
