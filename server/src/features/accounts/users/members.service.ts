import type { AuthorityCtx } from '../../../access/authority.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx, TransactionCtx, CallerlessCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError, errorCodes } from '../../../errors/app-error.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { endSessions, endSessionsHere } from '../sessions/sessions.service.ts'
import type { CreateUser, User } from './users.schemas.ts'
import * as store from './users.store.ts'

const usernameTakenText = 'This username is taken in the tenant'

export const usernameTaken = (err: unknown): never => {
  throw violatesUnique(err, 'users_tenant_id_username_key')
    ? new AppError('usernameTaken', usernameTakenText)
    : err
}

/** The database reports only the e-mail where the username is taken too. Then the error names both fields. */
export const inviteInstead =
  (ctx: Ctx, { username }: CreateUser) =>
  async (err: unknown): Promise<never> => {
    if (!(err instanceof AppError && err.code === errorCodes.emailTaken)) throw err
    const message = 'This e-mail has an account already: invite the person by POST /invitations'
    const named = await store.selectUserOfUsername(ctx.db, ctx.tenantId, username)
    const both = [
      { field: 'email', message },
      { field: 'username', message: usernameTakenText },
    ]
    throw new AppError('emailTaken', message, named ? { fields: both } : {})
  }

export const isAddressOfUser = async ({ db, tenantId }: CallerlessCtx, email: string): Promise<boolean> =>
  (await store.selectUserOfAddress(db, tenantId, email)) !== undefined

/** The account of an address, unless all its tenants are removed. */
export const findLivingAccount = async (ctx: Ctx, email: string): Promise<{ id: number } | undefined> => {
  const account = await store.selectAccountIdByEmail(ctx.db, email)
  const accountId = account?.id ?? 0
  const user = await store.selectLivingUserOfAccount(ctx.parts.store.scoped({ accountId }), accountId)
  return user && account
}

/** A role that the user gets without an inviter and without an end. */
export const defaultRole = ({ id }: { id: number }): store.RoleOfMember => ({
  role_id: id,
  source: 'default',
  assigned_by: 0,
  assigned_by_tenant: null,
  assigned_by_account: null,
  expires_at: null,
})

/**
 * Makes the person of a locked account a user of the tenant in scope, with only these roles. Throws 409 for a person
 * who is already a user here, and for a taken username. Throws 403 beyond the limit of users.
 */
export const addMember = async (
  ctx: TransactionCtx,
  member: Omit<store.NewMember, 'tenantId'>,
  roles: store.RoleOfMember[],
): Promise<User> => {
  const row = { ...member, tenantId: ctx.tenantId }
  const user = await withinLimit(ctx, 'users', () => store.insertMember(ctx.db, row, ctx.parts.now()))
    .catch(usernameTaken)
    .catch((err: unknown) => {
      throw violatesUnique(err, 'users_tenant_id_account_id_key')
        ? new AppError('emailTaken', 'This address is a user of this tenant already')
        : err
    })
  store.insertRolesOfUser(ctx.db, ctx.tenantId, user.id, roles)
  return user
}

/**
 * Deletes the locked account of a deleted user, if that was its last membership. An account with users in other tenants
 * stays. If all its other tenants are removed, it releases its e-mail, and the purge deletes it.
 */
const endAccount = async (ctx: TransactionCtx, accountId: number): Promise<void> => {
  const others = await store.selectTenantsOfAccount(ctx.db, accountId)
  if (others.length === 0) {
    store.deleteAccountRow(ctx.db, accountId)
  } else if (!others.some(({ is_living: isLiving }) => isLiving)) {
    await store.updateAccountReleased(ctx.db, accountId)
  }
}

type Member = Parameters<typeof endSessions>[1]

const deleteMember = async (ctx: AuthorityCtx, user: Member): Promise<void> => {
  await keepingWayIn(ctx, async () => store.deleteUserRow(ctx.db, ctx.tenantId, user.id))
  await endAccount(ctx, user.account_id)
}

/**
 * Deletes a user of the tenant in scope with sessions, roles and notifications. Deletes the account with its last
 * membership. Lock the account first. Throws 400 for the last platform administrator.
 */
export const removeMember = async (ctx: AuthorityCtx, user: Member): Promise<void> => {
  await endSessions(ctx, user)
  await deleteMember(ctx, user)
}

/**
 * Ends a membership as `removeMember` does, but the person requests it: the person's sign-ins stay valid in other
 * tenants.
 */
export const leaveAsMember = async (ctx: AuthorityCtx, user: Member): Promise<void> => {
  await endSessionsHere(ctx, user.id)
  await deleteMember(ctx, user)
}
