/** The end of setup links. What guests created and nobody activated ends with them. */
import { changingAuthority, type AuthorityCtx } from '../../../access/authority.ts'
import { isMakerRanked } from '../../../access/guests.ts'
import type { Ctx, Parts } from '../../../context.ts'
import { sweep } from '../../../db/sweep.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, record } from '../../audit/audit/audit.service.ts'
import { getRole, removeRole } from '../../accounts/roles/roles.service.ts'
import { removeUnnamedAccount } from '../../accounts/service-accounts/service-accounts.service.ts'
import { getConnection, removeConnection, replaceDirectory } from '../sso/connections.service.ts'
import { forEachDue } from '../sso/due.service.ts'
import * as store from './setup.store.ts'

const isUnknown = (err: unknown): boolean => err instanceof AppError && err.status === 404

const orNothing = <T>(reading: Promise<T>): Promise<T | undefined> =>
  reading.catch((err: unknown) => {
    if (isUnknown(err)) return undefined
    throw err
  })

/** Removes the account and the role that a guest of the link has created, unless a connection names the account. */
const removeUnnamed = async (ctx: AuthorityCtx, link: store.LinkRow): Promise<void> => {
  const { id, scim_account_id: accountId, scim_role_id: roleId } = link
  if (accountId === null || roleId === null) return
  if (await removeUnnamedAccount(ctx, accountId)) {
    const role = await orNothing(getRole(ctx, roleId))
    if (role) await removeRole(ctx, role)
  }
  store.updateDirectoryOf(ctx.db, ctx.tenantId, id, { accountId: null, roleId: null })
}

/** Removes the directory that a guest of the link has created: from the connection, then its account and its role. */
export const removeDirectory = async (ctx: AuthorityCtx, link: store.LinkRow): Promise<void> => {
  const { connection_id: connectionId, scim_account_id: accountId } = link
  const connection = connectionId === null ? undefined : await orNothing(getConnection(ctx, connectionId))
  if (accountId !== null && connection?.scim_account_id === accountId) {
    await replaceDirectory(ctx, connection.id, null)
  }
  await removeUnnamed(ctx, link)
}

const end = async (ctx: AuthorityCtx, link: store.LinkRow): Promise<void> => {
  const { id, connection_id: connectionId, is_own_connection: isOwn, is_activated: isActivated } = link
  store.updateEnded(ctx.db, ctx.tenantId, id, ctx.parts.now())
  if (isActivated) return removeUnnamed(ctx, link)
  await removeDirectory(ctx, link)
  if (isOwn && connectionId !== null) await orNothing(removeConnection(ctx, connectionId))
}

/** Runs a change of a link that has not ended. */
const changingLink = (
  ctx: Ctx,
  id: string,
  change: (ctx: AuthorityCtx, link: store.LinkRow | undefined) => Promise<void>,
): Promise<void> =>
  changingAuthority(
    ctx,
    ({ db, tenantId, parts }) => store.selectLinkForUpdate(db, tenantId, id, parts.now()),
    change,
  )

/** Ends a link at once, for its guests too. It needs no rank, because it only takes rights away. */
export const revokeSetupLink = async (ctx: Ctx, id: string): Promise<null> => {
  await changingLink(ctx, id, async (ctx, link) => {
    if (!link) throw new AppError('setupLinkUnknown', 'There is no open setup link with this id')
    await end(ctx, link)
    record(ctx, {
      action: 'setup_link.revoke',
      resourceId: id,
      detail: changesBetween({ email: link.email }, {}),
    })
  })
  return null
}

const endIfDead = (ctx: Ctx, id: string): Promise<void> =>
  changingLink(ctx, id, async (ctx, link) => {
    if (!link) return
    const maker = { tenantId: link.maker_tenant_id, userId: link.created_by }
    if (link.is_living && (await isMakerRanked(ctx.db, ctx.tenantId, maker))) return
    await end(ctx, link)
  })

/** The most links per round. */
const roundMax = 1000

/** Ends the links whose time, maker or tenant has ended. Several processes can run it at once. */
export const endSetupLinks = async (ctx: Ctx): Promise<void> => {
  const { store: database } = ctx.parts
  const readOn = (last: store.Unended | undefined) =>
    database.transaction({}, (db) => store.selectUnended(db, last, roundMax), 'tenantry_search')
  for (let links = await readOn(undefined); links.length > 0; links = await readOn(links.at(-1))) {
    await forEachDue(ctx, [...links], endIfDead)
  }
}

/** Deletes expired tokens of guests, and links that ended long ago. */
export const sweepSetups = async ({ store: database }: Pick<Parts, 'store'>): Promise<void> => {
  for (const past of store.pastSetups) await sweep(database, past)
}
