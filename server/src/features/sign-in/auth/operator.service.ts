/** Acts of an operator on the server for a person who cannot sign in. */
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { Refusal } from '../../../errors/refusal.ts'
import { resetFactors } from '../../accounts/factors/factors.service.ts'
import { revokeLinks } from '../../accounts/mail/links.service.ts'
import { queueNotice } from '../../accounts/mail/mail.service.ts'
import { endAccountSessions } from '../../accounts/sessions/sessions.service.ts'
import { recordForAccount } from '../../accounts/accounts/accounts.service.ts'
import { findLogin, type KnownLogin } from '../../accounts/accounts/credentials.service.ts'
import { hashChosen } from '../../accounts/passwords/passwords.service.ts'
import { selectAccountForUpdate, updatePasswordByOperator } from './ownership.store.ts'

/** The actor of the audit records is the system. */
const actorId = 0

/** Runs a change of the account with the address. Throws a Refusal for an unknown address. */
const changingAccount = async (
  ctx: Ctx,
  email: string,
  change: (ctx: TransactionCtx, known: KnownLogin) => Promise<void>,
): Promise<void> => {
  const known = await findLogin(ctx, email)
  if (!known) throw new Refusal([`no account has the address ${email}`])
  await inTransaction(inTenant(ctx, known.user.tenant_id), (ctx) => change(ctx, known))
}

/** Removes all second factors of a person, and ends the person's sessions. */
export const resetFactorsByEmail = (ctx: Ctx, email: string): Promise<void> =>
  changingAccount(ctx, email, (ctx, { account }) => resetFactors(ctx, { accountId: account.id, actorId }))

/**
 * Gives a person another password, and ends the person's sessions. Second factors stay. The operator chose the
 * password, so the account has no owner until the person chooses a password.
 */
export const resetPasswordByEmail = async (ctx: Ctx, email: string, password: string): Promise<void> => {
  const known = await findLogin(ctx, email)
  const chosen = { field: 'password', password }
  const next = await hashChosen(ctx, chosen, { accountId: known?.account.id })
  await changingAccount(ctx, email, async (ctx, { account: { id: accountId } }) => {
    const account = await selectAccountForUpdate(ctx.db, accountId)
    if (!account) throw new Refusal([`no account has the address ${email}`])
    updatePasswordByOperator(ctx.db, accountId, next, ctx.parts.now())
    endAccountSessions(ctx, accountId)
    revokeLinks(ctx, accountId)
    queueNotice(ctx, 'password_changed', { accountId, email: account.email })
    await recordForAccount(ctx, accountId, { action: 'auth.password_reset', actorId })
  })
}
