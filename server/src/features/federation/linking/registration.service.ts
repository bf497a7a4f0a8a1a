/** New accounts of people whose address a provider has proved. */
import { builtInTenant } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { connectionNeededHere } from '../../../errors/app-error.ts'
import { orElsewhere } from '../../accounts/sessions/reach.service.ts'
import { findAddressed, noteOwner } from '../../accounts/identities/identities.service.ts'
import { keepDevice } from '../../accounts/mail/mail.service.ts'
import { addUser, emailTaken } from '../../accounts/users/users.service.ts'
import { changesBetween, recordAs } from '../../audit/audit/audit.service.ts'
import { getRegistration } from '../../sign-in/auth/auth.service.ts'
import { noteSignIn, type Open } from '../../sign-in/auth/sign-in.service.ts'
import { freeUsername } from '../../tenancy/imports/usernames.service.ts'
import { nicknameOf } from './nickname.service.ts'
import * as store from './linking.store.ts'

/** Whether a provider brings people without an account. */
export const allowsNew = async ({ db }: Pick<Ctx, 'db'>, providerId: string): Promise<boolean> =>
  (await store.selectProviderOfNew(db, providerId)) !== undefined

/**
 * The way to an account for a provider's person without one: registration, or the creation of an organization.
 * Undefined for none, and before the first administrator is there.
 */
export const admissionOfNew = async (
  ctx: Ctx,
  providerId: string,
): Promise<'register' | 'sign_up' | undefined> => {
  const { signUp } = ctx.parts.config
  if (signUp === 'closed' || (await getRegistration(ctx)).first_becomes_admin) return undefined
  if (!(await allowsNew(ctx, providerId))) return undefined
  return signUp === 'user' ? 'register' : 'sign_up'
}

const noPassword = { password_hash: '', password_scheme: 'none' } as const

/**
 * Registers a person in the built-in tenant, without a password. The account has an owner. `prove` runs first, and throws
 * unless the address is proved.
 */
export const registerPerson = <T>(
  ctx: Ctx,
  { email, name }: { email: string; name: string },
  open: Open<T>,
  prove: (ctx: TransactionCtx) => Promise<void> = async () => undefined,
): Promise<T> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    await prove(ctx)
    if (ctx.tenant.is_sso_required) throw connectionNeededHere()
    const username = await freeUsername(ctx, email)
    const { user } = await addUser(ctx, { email, username, nickname: nicknameOf(name) }, noPassword)
    const { id: userId, nickname } = user
    noteSignIn(ctx, userId)
    recordAs(
      ctx,
      { userId, username },
      {
        action: 'auth.register',
        resourceId: userId,
        detail: changesBetween({}, { email, username, nickname }),
      },
    )
    const account = await findAddressed(ctx, email)
    if (!account) throw new Error('the account that was just added is missing')
    noteOwner(ctx, account.id)
    await keepDevice(ctx, account.id)
    const { tenantId } = ctx
    const member = {
      tenant_id: tenantId,
      user_id: userId,
      username,
      status: 1,
      tenant_status: 1,
      barrier: null,
    }
    return open(ctx, { account, user: member, amr: [] })
  })
    .catch(emailTaken)
    .catch(orElsewhere)
