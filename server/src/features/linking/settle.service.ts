/** The part of a linked person that follows the provider at each sign-in: address, nickname and mapped roles. */
import type { AuthorityCtx } from '../../access/authority.ts'
import { fold } from '../../text.ts'
import { listUsersOfAccount } from '../accounts/accounts.service.ts'
import { changesBetween, naming, recordAs, type Detail } from '../audit/audit.service.ts'
import { replaceMappedRoles } from '../roles/mapped.service.ts'
import { readTarget, replaceEmail } from '../users/users.service.ts'
import { nicknameOf } from './nickname.ts'
import type { ProvidedPerson } from './persons.service.ts'
import * as store from './linking.store.ts'

/** Whether the address of the account may become another one: nobody has made the account their own, and it is free. */
const mayMove = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  { accountId, email }: { accountId: number; email: string },
): Promise<boolean> => {
  const [account, users, holder, led] = await Promise.all([
    store.selectUnowned(ctx.db, accountId),
    listUsersOfAccount(ctx, accountId),
    store.selectAddressed(ctx.db, ctx.tenantId, connection.id, email),
    store.selectLed(
      ctx.db,
      ctx.tenantId,
      connection.id,
      email.slice(email.lastIndexOf('@') + 1).toLowerCase(),
    ),
  ])
  return account !== undefined && users.length === 1 && !holder && led !== undefined
}

/** Lets address and nickname follow. A change that may not be stops nothing. Returns the address. */
export const follow = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  { user: { user_id: id, username }, person }: { user: store.LinkedUser; person: ProvidedPerson },
): Promise<string> => {
  const { user } = await readTarget(ctx, id)
  const nickname = nicknameOf(person.name) || user.nickname
  const isOther = person.email !== '' && fold(person.email) !== fold(user.email)
  const accountId = user.account_id
  const moves = isOther && (await mayMove(ctx, connection, { accountId, email: person.email }))
  const email = moves ? person.email : user.email
  if (moves) await replaceEmail(ctx, accountId, email)
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

/** Makes the mapped roles equal to the groups. With a directory its groups count, and not the claim. */
export const giveMapped = async (
  ctx: AuthorityCtx,
  connection: store.BringingConnection,
  { userId, groups }: { userId: number; groups: string[] | undefined },
): Promise<Detail> => {
  if (groups === undefined || connection.has_directory) return {}
  const { db, tenantId } = ctx
  const mapped = groups.length === 0 ? [] : await store.selectMapped(db, tenantId, connection.id, groups)
  const wanted = mapped.map(({ role_id: id }) => ({ user_id: userId, role_id: id }))
  const { given, taken } = await replaceMappedRoles(ctx, [userId], wanted)
  if (given.length + taken.length > 0) ctx.changes.push({ kind: 'user', tenantId, userId, sessionId: '' })
  const ids = (rows: typeof given) => rows.map(({ role_id: id }) => id)
  return changesBetween({ role_ids: ids(taken) }, { role_ids: ids(given) })
}
