/** The directory that a guest of a setup link creates. It is disabled until the activation of its connection. */
import { guestShut } from '../../../access/policies.ts'
import { permissions } from '../../../access/permissions.ts'
import type { Ctx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { inOneTransaction } from '../../../rehearsal.ts'
import { assignRole } from '../../accounts/roles/assignments.service.ts'
import { createRole, replaceRolePermissions } from '../../accounts/roles/roles.service.ts'
import { createKey } from '../../accounts/service-accounts/keys.service.ts'
import {
  createServiceAccount,
  updateServiceAccount,
} from '../../accounts/service-accounts/service-accounts.service.ts'
import { getConnection, replaceDirectory } from '../sso/connections.service.ts'
import { changingSignIn } from '../sso/rank.service.ts'
import { removeDirectory } from './ending.service.ts'
import type { SetupDirectory } from './setup.schemas.ts'
import * as store from './setup.store.ts'

const provision = permissions.filter(({ code }) => code === 'scim:provision').map(({ id }) => id)

const guestOf = ({ actor: { guest } }: Ctx) => {
  if (!guest) throw guestShut()
  const { linkId, connectionId } = guest
  if (connectionId !== undefined) return { linkId, connectionId }
  throw new AppError('connectionUnknown', 'Create the connection first')
}

/** Removes the directory of an earlier call. Throws 403 if the connection has one that no guest created. */
const makeRoom = (ctx: Ctx): Promise<void> =>
  changingSignIn(ctx, async (ctx) => {
    const { linkId, connectionId } = guestOf(ctx)
    const link = await store.selectLinkForUpdate(ctx.db, ctx.tenantId, linkId, ctx.parts.now())
    if (!link || link.is_activated) throw guestShut()
    await removeDirectory(ctx, link)
    const { status, scim_account_id: other } = await getConnection(ctx, connectionId)
    if (status !== 'draft' || other !== null) throw guestShut()
  })

/**
 * Creates a service account with `scim:provision` alone and its key, and names it in the guest's connection. The key of
 * an earlier call is deleted. Throws 404 before there is a connection.
 */
export const createSetupDirectory = (ctx: Ctx): Promise<SetupDirectory> =>
  inOneTransaction(ctx, async (ctx) => {
    const { linkId, connectionId } = guestOf(ctx)
    const name = `Directory ${linkId.slice(0, 8)}`
    await makeRoom(ctx)
    const role = await createRole(ctx, { name })
    await replaceRolePermissions(ctx, role.id, provision)
    const account = await createServiceAccount(ctx, { name })
    await assignRole(ctx, account.id, { role_id: role.id })
    const { secret } = await createKey(ctx, account.id, { name })
    await updateServiceAccount(ctx, account.id, { status: 0 })
    await changingSignIn(ctx, async (ctx) => {
      await replaceDirectory(ctx, connectionId, account.id)
      store.updateDirectoryOf(ctx.db, ctx.tenantId, linkId, { accountId: account.id, roleId: role.id })
    })
    return { base_url: `${ctx.parts.config.publicUrl}/scim/v2`, key: secret }
  })
