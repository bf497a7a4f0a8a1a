/** Logout on the wish of an application (OpenID Connect RP-Initiated Logout). */
import { lockTenantAgainstRemoval } from '../../../../access/tenancy.store.ts'
import { builtInTenant } from '../../../../access/permissions.ts'
import { inTenant, inTenantWithin, inTransaction, type Ctx, type TransactionCtx } from '../../../../context.ts'
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

/** The session that an ID token tells of. */
interface Hint {
  clientId: string
  tenantId: string
  userId: number
  sessionId: string
}

/** A request that may be followed. */
interface Wish {
  hint: Hint | undefined
  client: Client | undefined
  /** Where the browser goes at the end. */
  location: string
}

/** The page of ours that says so. */
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

/** Where the browser goes; undefined for an address that is not the client's own. */
const locationFor = (client: Client | undefined, input: Logout): string | undefined => {
  const { post_logout_redirect_uri: address, state } = input
  if (address === undefined) return signedOutPage
  const isOwn =
    client && isRedirectOf({ ...client, redirect_uris: client.post_logout_redirect_uris }, address)
  return isOwn ? withState(address, state) : undefined
}

/** Whether an ID token that was signed here, and the client that the request names, fit together. */
const fits = (hint: Hint | undefined, input: Logout): boolean => {
  if (input.id_token_hint === undefined) return true
  return hint !== undefined && (input.client_id ?? hint.clientId) === hint.clientId
}

/** Reads a request; undefined for one that must not be followed. */
const readWish = async (ctx: Ctx, input: Logout): Promise<Wish | undefined> => {
  const hint = input.id_token_hint === undefined ? undefined : await readHint(ctx, input.id_token_hint)
  if (!fits(hint, input)) return undefined
  const clientId = input.client_id ?? hint?.clientId
  if (clientId === undefined) return wishOf(hint, undefined, input)
  const client = await findClient(ctx, clientId)
  return client?.status === 1 ? wishOf(hint, client, input) : undefined
}

const wishOf = (hint: Hint | undefined, client: Client | undefined, input: Logout): Wish | undefined => {
  const location = locationFor(client, input)
  return location === undefined ? undefined : { hint, client, location }
}

/** The session of a hint, where it began in the sign-in of this browser. */
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
  /** The page asks the person: a stranger may have made the request. */
  | { kind: 'question' }
  | { kind: 'ended'; location: string }

/** Ends the sign-in of the browser at once where the hint comes of it; otherwise a page asks. */
export const beginLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LogoutOutcome> => {
  const wish = await readWish(ctx, input)
  if (!wish) return { kind: 'refused' }
  const signIn = await findSignIn(ctx, cookie)
  const session = signIn && (await findOwnSession(ctx, wish.hint, signIn))
  if (!signIn || !session) return { kind: 'question' }
  await endAll(ctx, signIn, session)
  return { kind: 'ended', location: wish.location }
}

const requireWish = async (ctx: Ctx, input: Logout): Promise<Wish> => {
  const wish = await readWish(ctx, input)
  if (!wish) throw invalid('body', 'names an unknown application, or an address that is not its own')
  return wish
}

/** The question of the page. */
export const describeLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LogoutQuestion> => {
  const { client } = await requireWish(ctx, input)
  const signIn = await findSignIn(ctx, cookie)
  return {
    application: client ? { name: client.name, logo: client.logo, home_url: client.home_url } : null,
    account: signIn?.email ?? '',
  }
}

/** Ends the sign-in of the browser: the person has said so on our page. */
export const confirmLogout = async (
  ctx: Ctx,
  input: Logout,
  cookie: string | undefined,
): Promise<LoggedOut> => {
  const { hint, location } = await requireWish(ctx, input)
  const signIn = await findSignIn(ctx, cookie)
  if (signIn) await endAll(ctx, signIn, await findOwnSession(ctx, hint, signIn))
  return { redirect_to: location }
}

/** Ends the sign-in with all its sessions, and the session of the hint, which may be a sign-in of its own. */
const endAll = (ctx: Ctx, { id, accountId }: SignIn, session: OwnSession | undefined): Promise<void> =>
  inTransaction(inTenant(ctx, builtInTenant.id), async (ctx) => {
    const { sessions } = await endBrowserSignIn(ctx, accountId, id)
    const offline = session && !sessions.some((one) => one.id === session.sessionId) ? session : undefined
    if (offline) await inTenantWithin(ctx, offline.tenantId, (ctx) => endApplicationSession(ctx, offline))
    await recordLogouts(ctx, [...sessions.map(entryOf), ...(offline ? [offline] : [])])
  })

interface Entry {
  tenantId: string
  userId: number
  applicationId: number
}

const entryOf = ({ tenant_id: tenantId, user_id: userId, application_id: id }: EndedSession): Entry => ({
  tenantId,
  userId,
  applicationId: id ?? 0,
})

/** Leaves a record in each tenant, with the names of the applications that the person was signed in to there. */
const recordLogouts = async (ctx: TransactionCtx, entries: Entry[]): Promise<void> => {
  for (const tenantId of new Set(entries.map((entry) => entry.tenantId))) {
    const here = entries.filter((entry) => entry.tenantId === tenantId)
    await inTenantWithin(ctx, tenantId, (ctx) => recordLogout(ctx, here))
  }
}

const recordLogout = async (ctx: TransactionCtx, entries: Entry[]): Promise<void> => {
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
