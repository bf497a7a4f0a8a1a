import { inTransaction, tokenInvalid, type Ctx } from '../../../context.ts'
import type { FirstProof } from '../../../access/reach.sql.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
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
  firstProof: FirstProof = 'pwd',
): Promise<store.MemberRow | undefined> =>
  store.selectUserOfAccount(parts.store.scoped({ accountId }), accountId, { askedTenant, firstProof })

export const passwordWrong = (message = 'The password was changed meanwhile. Sign in again') =>
  new AppError('oldPasswordWrong', message)

/** The account of the caller, whose own tenant is in scope. */
export const getOwnAccount = async ({ db, actor }: Ctx): Promise<store.OwnAccountRow> => {
  const account = await store.selectAccountOfUser(db, actor.tenantId, actor.userId)
  if (!account) throw tokenInvalid()
  return account
}

const freshMs = 10 * 60_000

/** Throws 400 if the account has a password, and 403 if the proofs of the session are older than 10 minutes. */
const requireFreshProof = async (ctx: Ctx, { password_scheme: scheme }: store.AccountRow): Promise<void> => {
  if (scheme !== 'none') throw invalid('password', 'is missing')
  const { credential, tenantId } = ctx.actor
  const proved = credential && (await store.selectAuthTime(ctx.db, tenantId, credential))
  if (proved && ctx.parts.now().getTime() - proved.auth_time.getTime() <= freshMs) return
  throw new AppError('proofTooOld', 'Sign in again, and then repeat this within 10 minutes')
}

/**
 * Returns the account of the caller, whose own tenant is in scope, if the caller has just proved it. The proof is the
 * password, or for an account without one a sign-in within 10 minutes. Throws 401 for a wrong password, with an audit
 * record, and 403 for an older sign-in.
 */
export const requireOwnPassword = async (
  ctx: Ctx,
  password: string | undefined,
): Promise<store.OwnAccountRow> => {
  const { userId } = ctx.actor
  const account = await getOwnAccount(ctx)
  if (password === undefined) {
    await requireFreshProof(ctx, account)
    return account
  }
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
