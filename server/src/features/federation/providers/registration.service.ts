/** New accounts of people whose address a provider has proved. */
import { builtInTenant } from '../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx } from '../../../context.ts'
import { connectionNeededHere } from '../../../errors/app-error.ts'
import { orElsewhere } from '../../accounts/sessions/reach.service.ts'
import { findAddressed, noteOwner } from '../../accounts/identities/identities.service.ts'
import { keepDevice } from '../../accounts/mail/mail.service.ts'
import { addUser } from '../../accounts/users/users.service.ts'
import { changesBetween, recordAs } from '../../audit/audit/audit.service.ts'
import { getRegistration } from '../../sign-in/auth/auth.service.ts'
import { noteSignIn, type Open } from '../../sign-in/auth/sign-in.service.ts'
import { freeUsername } from '../../tenancy/imports/usernames.service.ts'
import { nicknameOf } from '../linking/nickname.service.ts'

/** Whether strangers may register, and the first administrator is there. */
export const isRegistrationOpen = async (ctx: Ctx): Promise<boolean> =>
  ctx.parts.config.signUp === 'user' && !(await getRegistration(ctx)).first_becomes_admin

const noPassword = { password_hash: '', password_scheme: 'none' } as const

/** Registers a person in the built-in tenant, without a password. The account has an owner. */
export const registerPerson = <T>(
  ctx: Ctx,
  { email, name }: { email: string; name: string },
  open: Open<T>,
): Promise<T> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
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
  }).catch(orElsewhere)
