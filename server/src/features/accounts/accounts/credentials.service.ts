import { inTransaction, tokenInvalid, type Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { fold } from '../../../values/text.ts'
import { naming, record } from '../../audit/audit/audit.service.ts'
import * as store from './accounts.store.ts'
import { countingGuesses } from './guessing.service.ts'

export interface KnownLogin {
  account: store.AccountRow
  user: store.MemberRow
}

/** Runs the same two statements for a known and an unknown e-mail, so that both take equally long. */
export const findLogin = async (
  ctx: Ctx,
  email: string,
  askedTenant?: string,
): Promise<KnownLogin | undefined> => {
  const account = await store.selectAccountByEmail(ctx.db, fold(email))
  const user = await findUserToSignIn(ctx, account?.id ?? 0, askedTenant)
  return account && user ? { account, user } : undefined
}

/** The user of an account for a sign-in, in the requested tenant if there is one. */
export const findUserToSignIn = (
  { parts }: Ctx,
  accountId: number,
  askedTenant: string | null = null,
): Promise<store.MemberRow | undefined> =>
  store.selectUserOfAccount(parts.store.scoped({ accountId }), accountId, askedTenant)

export const passwordWrong = (message = 'The password was changed meanwhile. Sign in again') =>
  new AppError('oldPasswordWrong', message)

/**
 * Returns the account of the caller, whose own tenant is in scope, if the password is right. Otherwise throws 401 and
 * writes an audit record.
 */
export const requireOwnPassword = async (ctx: Ctx, password: string): Promise<store.AccountRow> => {
  const { userId, tenantId } = ctx.actor
  const account = await store.selectAccountOfUser(ctx.db, tenantId, userId)
  if (!account) throw tokenInvalid()
  const isRight = await countingGuesses(ctx, account.email, () =>
    ctx.parts.hasher.verify(password, async () => account),
  )
  if (isRight) return account
  await inTransaction(ctx, async (ctx) =>
    record(ctx, {
      action: 'auth.password_failed',
      resourceId: userId,
      detail: naming({ username: ctx.actor.name }),
    }),
  )
  throw passwordWrong('The old password is wrong')
}
