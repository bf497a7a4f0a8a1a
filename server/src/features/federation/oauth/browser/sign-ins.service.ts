/**
 * The sign-in of a person in a browser, for several applications (single sign-on). Sessions of the applications end
 * with it. It is valid only below `/oauth2`.
 */
import { randomUUID } from 'node:crypto'
import { actorOf, provesTwice } from '../../../../access/actor.ts'
import { readCaller } from '../../../../access/caller.ts'
import { builtInTenant } from '../../../../access/permissions.ts'
import { inTenant, inTransaction, type Ctx, type TransactionCtx } from '../../../../context.ts'
import type { Proved } from '../../../sign-in/auth/sign-in.service.ts'
import { watchDevice } from '../../../accounts/mail/mail.service.ts'
import { endBrowserSignIn } from '../../../accounts/sessions/ends.service.ts'
import { cookieHashOf, createCookie, readCookie } from './cookies.service.ts'
import * as store from './sign-ins.store.ts'

/**
 * docs/contract.md, "Sign in with Tenantry": a sign-in ends 7 days after its last use, and 30 days after its proofs.
 */
const idleMs = 7 * 24 * 3600_000
export const proofsMs = 30 * 24 * 3600_000

export type { Member } from './sign-ins.store.ts'

export interface SignIn {
  id: string
  accountId: number
  accountEpoch: number
  email: string
  amr: string[]
  authTime: Date
  /** "" before the person has chosen a tenant. */
  chosenTenant: string
  /**
   * The connection that opened the sign-in. The sign-in then reaches only the connection's tenant. Undefined for other
   * sign-in methods.
   */
  connection: ConnectionOfSignIn | undefined
}

export interface ConnectionOfSignIn {
  id: string
  tenantId: string
  /** The end that the connection sets. */
  latestExpiresAt: Date
}

const connectionOf = ({
  connection_id: id,
  connection_tenant_id: tenantId,
  latest_expires_at: latestExpiresAt,
}: store.SignInRow): ConnectionOfSignIn | undefined =>
  id && tenantId && latestExpiresAt ? { id, tenantId, latestExpiresAt } : undefined

/** The sign-in of a cookie; undefined if it has ended. */
export const findSignIn = async (
  { parts }: Pick<Ctx, 'parts'>,
  cookie: string | undefined,
): Promise<SignIn | undefined> => {
  const text = readCookie(cookie)
  const row = text && (await store.selectSignIn(parts.store.scoped({}), cookieHashOf(text), parts.now()))
  if (!row) return undefined
  const { id, account_id: accountId, account_epoch: accountEpoch, email, amr, auth_time: authTime } = row
  const chosenTenant = row.chosen_tenant ?? ''
  return { id, accountId, accountEpoch, email, amr, authTime, chosenTenant, connection: connectionOf(row) }
}

export interface OpenedSignIn {
  cookie: string
  /** The earlier sign-in, if it belongs to another person. The caller ends it. */
  replaced: SignIn | undefined
}

const endOf = (connection: ConnectionOfSignIn | undefined): number =>
  connection?.latestExpiresAt.getTime() ?? Infinity

/** Opens a sign-in for a proved person, and replaces the browser's present one. */
export const signInOpener =
  (
    present: SignIn | undefined,
    connection?: ConnectionOfSignIn,
  ): ((ctx: TransactionCtx, proved: Pick<Proved, 'account' | 'amr'>) => Promise<OpenedSignIn>) =>
  async (ctx, { account, amr }) => {
    const isSame = present?.accountId === account.id && present.connection?.id === connection?.id
    const cookie = createCookie()
    const now = ctx.parts.now()
    const { ip, userAgent } = ctx.origin
    await watchDevice(ctx, { accountId: account.id, email: account.email })
    store.upsertSignIn(ctx.db, {
      id: isSame ? present.id : randomUUID(),
      cookieHash: cookieHashOf(cookie),
      accountId: account.id,
      amr,
      ip,
      userAgent,
      now,
      expiresAt: new Date(Math.min(now.getTime() + idleMs, endOf(connection))),
      connection,
    })
    return { cookie, replaced: isSame ? undefined : present }
  }

/** Ends a sign-in and its sessions. False if the sign-in had already ended. */
export const endSignIn = (ctx: Ctx, { id, accountId }: SignIn): Promise<boolean> =>
  inTransaction(
    inTenant(ctx, builtInTenant.id),
    async (ctx) => (await endBrowserSignIn(ctx, accountId, id)).isEnded,
  )

/** Replaces the cookie of a sign-in: every proof needs a new cookie, against session fixation. */
export const renewCookie = async ({ parts }: Ctx, { id }: SignIn): Promise<string> => {
  const cookie = createCookie()
  await store.updateCookie(parts.store.scoped({}), id, cookieHashOf(cookie))
  return cookie
}

/** Locks the account, and stores the time of the use. False if the sign-in has ended. */
export const useSignIn = async (
  ctx: TransactionCtx,
  { id, accountId, authTime, connection }: SignIn,
): Promise<boolean> => {
  await store.lockAccount(ctx.db, accountId)
  const now = ctx.parts.now()
  const end = Math.min(now.getTime() + idleMs, authTime.getTime() + proofsMs, endOf(connection))
  const used = { id, tenantId: ctx.tenantId, now, expiresAt: new Date(end) }
  return (await store.updateSignInUsed(ctx.db, used)) === 1
}

/** The tenants of the person. A sign-in of a connection has only the connection's tenant. */
export const listMembers = async (
  { parts }: Ctx,
  { accountId, amr, connection }: SignIn,
): Promise<store.Member[]> => {
  const proofs = { amr, hasMfa: provesTwice(amr) }
  const members = await store.selectMembers(parts.store.scoped({ accountId }), accountId, proofs)
  if (!connection) return members
  // The member is reachable: a connection's sign-ins end when the connection is disabled.
  const own = members.filter(({ tenant_id: id }) => id === connection.tenantId)
  return own.map((member) => ({ ...member, barrier: null }))
}

/**
 * The request with the person as caller in one of the person's tenants. Undefined if the sign-in or the user has ended.
 */
export const asMember = async (
  ctx: Ctx,
  { id }: SignIn,
  { tenant_id: tenantId, user_id: userId }: Pick<store.Member, 'tenant_id' | 'user_id'>,
): Promise<Ctx | undefined> => {
  const scoped = inTenant(ctx, tenantId)
  const caller = { tenantId, userId, credential: { kind: 'sign_in', id } } as const
  const row = await readCaller(scoped.db, caller, ctx.parts.now())
  return row && { ...scoped, actor: actorOf(ctx.parts.config, caller, row) }
}
