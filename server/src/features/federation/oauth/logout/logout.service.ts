/** RP-Initiated Logout (OpenID Connect): an application asks to sign the person out. */
import { lockTenantAgainstRemoval } from '../../../../access/tenancy.store.ts'
import { builtInTenant } from '../../../../access/permissions.ts'
import {
  inTenant,
  inTenantWithin,
  inTransaction,
  type Ctx,
  type TransactionCtx,
} from '../../../../context.ts'
import { invalid } from '../../../../errors/app-error.ts'
import { findClient, listClientNames, type Client } from '../../applications/clients.service.ts'
import { naming, recordAs } from '../../../audit/audit/audit.service.ts'
import {
  endApplicationSession,
  findHintedSession,
  findPerson,
} from '../../../accounts/sessions/application-sessions.service.ts'
import { endBrowserSignIn, type EndedSession } from '../../../accounts/sessions/ends.service.ts'
import { isRedirectOf } from '../request/request-parameters.ts'
import type { Logout, LogoutQuestion, LoggedOut } from './logout.schemas.ts'
import { findSignIn, type SignIn } from '../browser/sign-ins.service.ts'

/** The session of `id_token_hint`. */
interface Hint {
  clientId: string
  tenantId: string
  userId: number
  sessionId: string
}

/** A valid request. */
interface LogoutRequest {
  hint: Hint | undefined
  client: Client | undefined
  /** The address of the last redirect. */
  location: string
}

/** The page that confirms the logout. */
const signedOutPage = '/sign-in#signed-out'

const readHint = async ({ parts }: Ctx, token: string): Promise<Hint | undefined> => {
  const payload = await parts.tokens.readIdentity(token, parts.now())
  return (
    payload && {
      clientId: String(payload.aud),
      tenantId: String(payload['tid']),
      userId: Number(payload.sub),
      sessionId: String(payload['sid']),
    }
  )
}

const withState = (address: string, state: string | undefined): string => {
  if (state === undefined) return address
  return `${address}${address.includes('?') ? '&' : '?'}${new URLSearchParams({ state }).toString()}`
}

/** The address of the last redirect. Undefined unless the client has registered it. */
const locationFor = (client: Client | undefined, input: Logout): string | undefined => {
  const { post_logout_redirect_uri: address, state } = input
  if (address === undefined) return signedOutPage
  const isOwn =
    client && isRedirectOf({ ...client, redirect_uris: client.post_logout_redirect_uris }, address)
  return isOwn ? withState(address, state) : undefined
}

/** Whether the hint is absent, or an ID token of the client that the request names. */
const isHintOfClient = (hint: Hint | undefined, input: Logout): boolean => {
  if (input.id_token_hint === undefined) return true
  return hint !== undefined && (input.client_id ?? hint.clientId) === hint.clientId
}

/** Undefined for an invalid request. */
const readLogoutRequest = async (ctx: Ctx, input: Logout): Promise<LogoutRequest | undefined> => {
  const hint = input.id_token_hint === undefined ? undefined : await readHint(ctx, input.id_token_hint)
  if (!isHintOfClient(hint, input)) return undefined
  const clientId = input.client_id ?? hint?.clientId
  if (clientId === undefined) return logoutRequestOf(hint, undefined, input)
  const client = await findClient(ctx, clientId)
  return client?.status === 1 ? logoutRequestOf(hint, client, input) : undefined
}

const logoutRequestOf = (
  hint: Hint | undefined,
  client: Client | undefined,
  input: Logout,
): LogoutRequest | undefined => {
  const location = locationFor(client, input)
  return location === undefined ? undefined : { hint, client, location }
}

/** The session of the hint, if it began with the browser's sign-in. */
const findOwnSession = async (ctx: Ctx, hint: Hint | undefined, signIn: SignIn) => {
  if (!hint) return undefined
  const { userId, sessionId: id } = hint
  const session = await findHintedSession(inTenant(ctx, hint.tenantId), { userId, id })
  if (session?.begun_in !== signIn.id) return undefined
  return { ...hint, applicationId: session.application_id }
}

type OwnSession = NonNullable<Awaited<ReturnType<typeof findOwnSession>>>

export type LogoutOutcome =
  | { kind: 'refused' }
  /** The page asks the person, because another site may have made the request. */
  | { kind: 'question' }
  | { kind: 'ended'; location: string }

/** Ends the browser's sign-in at once if the hint names one of its sessions. Otherwise a page asks the person first. */
export const beginLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LogoutOutcome> => {
  const request = await readLogoutRequest(ctx, input)
  if (!request) return { kind: 'refused' }
  const signIn = await findSignIn(ctx, cookie)
  const session = signIn && (await findOwnSession(ctx, request.hint, signIn))
  if (!signIn || !session) return { kind: 'question' }
  await endAll(ctx, signIn, session)
  return { kind: 'ended', location: request.location }
}

const requireLogoutRequest = async (ctx: Ctx, input: Logout): Promise<LogoutRequest> => {
  const request = await readLogoutRequest(ctx, input)
  if (!request) throw invalid('body', 'names an unknown application, or an address that is not its own')
  return request
}

export const describeLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LogoutQuestion> => {
  const { client } = await requireLogoutRequest(ctx, input)
  const signIn = await findSignIn(ctx, cookie)
  return {
    application: client ? { name: client.name, logo: client.logo, home_url: client.home_url } : null,
    account: signIn?.email ?? '',
  }
}

/** Ends the browser's sign-in after the person's confirmation. */
export const confirmLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LoggedOut> => {
  const { hint, location } = await requireLogoutRequest(ctx, input)
  const signIn = await findSignIn(ctx, cookie)
  if (signIn) await endAll(ctx, signIn, await findOwnSession(ctx, hint, signIn))
  return { redirect_to: location }
}

/** Ends the sign-in with its sessions, and the session of the hint, which can continue after the sign-in. */
const endAll = (ctx: Ctx, { id, accountId }: SignIn, session: OwnSession | undefined): Promise<void> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const { sessions } = await endBrowserSignIn(ctx, accountId, id)
    const offline = session && !sessions.some((one) => one.id === session.sessionId) ? session : undefined
    if (offline) await inTenantWithin(ctx, offline.tenantId, (ctx) => endApplicationSession(ctx, offline))
    await recordLogouts(ctx, [...sessions.map(entryOf), ...(offline ? [offline] : [])])
  })

interface LogoutRecord {
  tenantId: string
  userId: number
  applicationId: number
}

const entryOf = ({
  tenant_id: tenantId,
  user_id: userId,
  application_id: id,
}: EndedSession): LogoutRecord => ({
  tenantId,
  userId,
  applicationId: id ?? 0,
})

/** Writes an audit record in each tenant, with the names of the person's applications there. */
const recordLogouts = async (ctx: TransactionCtx, entries: LogoutRecord[]): Promise<void> => {
  for (const tenantId of new Set(entries.map((entry) => entry.tenantId))) {
    const here = entries.filter((entry) => entry.tenantId === tenantId)
    await inTenantWithin(ctx, tenantId, (ctx) => recordLogout(ctx, here))
  }
}

const recordLogout = async (ctx: TransactionCtx, entries: LogoutRecord[]): Promise<void> => {
  const [{ userId } = { userId: 0 }] = entries
  const [tenant, person, names] = await Promise.all([
    lockTenantAgainstRemoval(ctx.db, ctx.tenantId),
    findPerson(ctx, userId),
    listClientNames(ctx, [...new Set(entries.map(({ applicationId }) => applicationId))]),
  ])
  if (!tenant || !person) return
  const { username } = person
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'auth.logout',
      resourceId: userId,
      detail: naming({ username, application: names.join(', ') }),
    },
  )
}
