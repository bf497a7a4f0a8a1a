/** Finds the user of the tenant in scope for a provider's person (docs/contract.md, "Enterprise sign-in"). */
import type { AuthorityCtx } from '../../../access/authority.ts'
import { domainOf } from '../../../values/text.ts'
import { listUsersOfAccount } from '../../accounts/accounts/accounts.service.ts'
import { findPushed } from '../../tenancy/scim/pushed-users.service.ts'
import * as store from './linking.store.ts'
import type { PersonReason, ProvidedPerson } from './persons.service.ts'

/** The account that can be linked after its person has proved it. */
export interface AccountToProve {
  accountId: number
  email: string
  /** The person's user in the tenant; null if there is none yet. */
  user: { userId: number; username: string } | null
  /**
   * True if the mailbox or the password is unproved. Then only a mailed link proves the account. The link also ends the
   * account's sessions, second factors and open links.
   */
  isUnowned: boolean
}

export type Verdict =
  | { kind: 'known' | 'linked'; user: store.LinkedUser }
  | { kind: 'proof'; account: AccountToProve }
  | { kind: 'created' }
  | { kind: 'refused'; reason: PersonReason; user?: { userId: number; username: string } }

const refused = (reason: PersonReason, user?: { user_id: number | null; username: string | null }): Verdict =>
  user && user.user_id !== null
    ? { kind: 'refused', reason, user: { userId: user.user_id, username: user.username ?? '' } }
    : { kind: 'refused', reason }

/** The decision about an account with a user in the tenant. */
const resolveHere = async (
  ctx: AuthorityCtx,
  { user_id: userId, username, status, ...account }: store.AddressedAccount,
): Promise<Verdict> => {
  const user = {
    user_id: userId ?? 0,
    username: username ?? '',
    account_id: account.account_id,
    email: account.email,
  }
  if (account.is_linked) return refused('other_subject', user)
  if (status !== 1) return refused('user_disabled', user)
  const memberships = await listUsersOfAccount(ctx, account.account_id)
  if (!account.has_password && memberships.length === 1) return { kind: 'linked', user: { ...user, status } }
  const { user_id: id } = user
  const proved = { accountId: account.account_id, email: account.email, isUnowned: false }
  return { kind: 'proof', account: { ...proved, user: { userId: id, username: user.username } } }
}

/** The reason why a person may not become a user here; undefined if there is none. */
const membershipFault = async (
  ctx: AuthorityCtx,
  { jit, has_directory: hasDirectory }: store.SignInConnection,
  email: string,
): Promise<PersonReason | undefined> => {
  if (!hasDirectory) return jit ? undefined : 'nobody_known'
  const pushed = await findPushed(ctx, email)
  if (!pushed) return 'not_pushed'
  return pushed.active ? undefined : 'user_disabled'
}

const resolveByAddress = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  email: string,
): Promise<Verdict> => {
  const found = await store.selectAddressed(ctx.db, ctx.tenantId, connection.id, email)
  if (found && found.user_id !== null) return resolveHere(ctx, found)
  const fault = await membershipFault(ctx, connection, email)
  if (fault !== undefined) return refused(fault)
  if (!found) return connection.has_directory ? refused('not_pushed') : { kind: 'created' }
  const { account_id: accountId, is_owned: isOwned } = found
  return { kind: 'proof', account: { accountId, email: found.email, user: null, isUnowned: !isOwned } }
}

/** The decision about a person. A linked person is found by subject, so later addresses do not matter. */
export const resolve = async (
  ctx: AuthorityCtx,
  connection: store.SignInConnection,
  { subject, email }: ProvidedPerson,
): Promise<Verdict> => {
  const { db, tenantId } = ctx
  if (connection.tenant_status !== 1) return refused('tenant_disabled')
  const known = await store.selectLinked(db, tenantId, connection.id, subject)
  if (known) return known.status === 1 ? { kind: 'known', user: known } : refused('user_disabled', known)
  if (email === '') return refused('address_missing')
  const assigned = await store.selectAssignedDomain(db, tenantId, connection.id, domainOf(email))
  if (!assigned) return refused('address_outside')
  return resolveByAddress(ctx, connection, email)
}
