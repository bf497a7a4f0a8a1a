/** Opens the session of an application for a person who was admitted. */
import { lockCatalogueAgainstChange, lockTenantAgainstRemoval } from '../../../../access/tenancy.store.ts'
import {
  inTenant,
  inTransactionAfter,
  type Ctx,
  type EarlyCtx,
  type TransactionCtx,
} from '../../../../context.ts'
import type { TokenSubject } from '../../../../crypto/tokens.ts'
import type { TransactionDb } from '../../../../db/client.ts'
import {
  findClientById,
  findResource,
  mayNameResource,
  rowIdOf,
  type Client,
  type NamedResource,
} from '../../applications/clients.service.ts'
import { mayBeAuthorized, noteSession } from '../../applications/unregistered.service.ts'
import { naming, recordAs } from '../../../audit/audit/audit.service.ts'
import { noteSignIn } from '../../../sign-in/auth/sign-in.service.ts'
import { notifyingBrokenGlass } from '../../../delivery/notifications/break-glass.service.ts'
import {
  endSurplus,
  findPerson,
  findSurplus,
  lockAccount,
  openApplicationSession,
  openConsoleSession,
  type OpeningConnection,
  type Person,
} from '../../../accounts/sessions/application-sessions.service.ts'
import { isRedirectOf } from '../request/request-parameters.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'
import { proofsMs } from '../browser/sign-ins.service.ts'

/** A person who was admitted to an application, and the browser that it happened in. */
export interface Admitted {
  applicationId: number
  request: Pick<AuthorizationRequest, 'resource'>
  admission: Admission
  /** Undefined for a device. */
  signInId: string | undefined
}

/** The client and the resource that a request names, as they are now. */
interface Named {
  client: Client | undefined
  /** The resource of the request, if its identifier still has one. */
  resource: NamedResource | undefined
}

/** The facts that decide about an opening, read behind its locks. */
export interface OpeningFacts extends Named {
  person: Person | undefined
  surplus: Awaited<ReturnType<typeof findSurplus>>
}

/** The session of a device, and of an application that stays connected, is a sign-in of its own. */
const isOffline = ({ admission, signInId }: Admitted): boolean =>
  signInId === undefined || admission.scopes.includes('offline_access')

/** Reads client and resource behind the lock of the catalogue. */
export const readNamed = async (
  ctx: EarlyCtx,
  { applicationId, request }: Pick<Admitted, 'applicationId' | 'request'>,
): Promise<Named> => {
  const [client, resource] = await Promise.all([
    findClientById(ctx, applicationId),
    request.resource && findResource(ctx, request.resource.identifier),
  ])
  return { client, resource }
}

/** Locks the account, and reads the facts in the same flush. */
const readForOpening = async (ctx: EarlyCtx, admitted: Admitted): Promise<OpeningFacts> => {
  const { applicationId, admission, signInId } = admitted
  const { accountId, tenantId, userId } = admission
  const user = isOffline(admitted) ? { tenantId, userId } : undefined
  lockAccount(ctx, accountId)
  const [named, person, surplus] = await Promise.all([
    readNamed(ctx, admitted),
    findPerson(ctx, userId),
    findSurplus(ctx, accountId, { applicationId: rowIdOf(applicationId), user, signInId }),
  ])
  return { ...named, person, surplus }
}

/** The catalogue comes first: a change that ends sessions or consents waits, or has ended them before the client is read. */
export const lockForOpening = (db: TransactionDb, tenantId: string) => {
  lockCatalogueAgainstChange(db)
  return lockTenantAgainstRemoval(db, tenantId)
}

/**
 * Runs the transaction in which a session of an application opens. `early` reads what else decides, behind the same locks.
 * Throws as `inTransaction` does.
 */
export const inOpening = <Early, T>(
  ctx: Ctx,
  admitted: Admitted,
  early: (ctx: EarlyCtx) => Promise<Early>,
  open: (ctx: TransactionCtx, found: Early & { facts: OpeningFacts }) => Promise<T>,
): Promise<T> =>
  inTransactionAfter(
    inTenant(ctx, admitted.admission.tenantId),
    async (ctx) => {
      const [facts, found] = await Promise.all([readForOpening(ctx, admitted), early(ctx)])
      return { ...found, facts }
    },
    open,
    lockForOpening,
  )

/** The parts of an opening that are there. */
export interface Opening extends OpeningFacts {
  client: Client
  person: Person
}

/** Whether the identifier names the resource that it named at the authorization, and the client may name it. */
const hasResource = (
  client: Client,
  { resource: found }: Named,
  { resource: asked }: Admitted['request'],
): boolean =>
  asked === undefined || (found !== undefined && found.id === asked.id && mayNameResource(client, found))

const servesTenant = ({ tenant_ids: ids }: Client, tenantId: string): boolean =>
  ids?.includes(tenantId) ?? true

/** The client, while it is enabled, serves the tenant and may name the resource of the request. */
export const servingClient = (
  named: Named,
  request: Admitted['request'],
  tenantId: string,
): Client | undefined => {
  const { client } = named
  if (client?.status !== 1 || !servesTenant(client, tenantId)) return undefined
  return hasResource(client, named, request) ? client : undefined
}

/** Whether a client that no administrator has made may still have its address, and the people of the tenant. */
export const isStillServed = async (
  ctx: TransactionCtx,
  client: Client,
  { redirectUri, resource }: AuthorizationRequest,
): Promise<boolean> => {
  if (client.origin === 'managed') return true
  return resource !== undefined && isRedirectOf(client, redirectUri) && mayBeAuthorized(ctx, client)
}

/** The facts of a session that may open; undefined where the application, its tenants or the resource have changed. */
export const openingOf = (facts: OpeningFacts, admitted: Admitted): Opening | undefined => {
  const { person } = facts
  const client = servingClient(facts, admitted.request, admitted.admission.tenantId)
  return client && person && { ...facts, client, person }
}

const connectionOf = ({ connection }: Admission): OpeningConnection | undefined =>
  connection && { id: connection.id, latestExpiresAt: new Date(connection.latestExpiresAt) }

const earliest = (dates: (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0]

/**
 * Opens the session. The oldest of too many ends. Throws 403 where the session would be restricted. Call it
 * `inOpening`.
 */
export const openAdmitted = async (
  ctx: TransactionCtx,
  { applicationId, request, admission, signInId }: Admitted,
  { client, person, surplus }: Opening,
): Promise<TokenSubject> => {
  const { userId, accountId, amr, scopes, narrowedTo, grantId } = admission
  const connection = connectionOf(admission)
  const { username } = person
  const authTime = new Date(admission.authTime)
  const isOwnSignIn = isOffline({ applicationId, request, admission, signInId })
  await endSurplus(ctx, accountId, surplus)
  noteSignIn(ctx, userId)
  noteSession(ctx, client)
  recordAs(
    ctx,
    { userId, username },
    { action: 'auth.login', resourceId: userId, detail: naming({ username, application: client.name }) },
  )
  const opened = await openApplicationSession(ctx, {
    userId,
    amr,
    sessionSeconds: client.session_seconds,
    applicationId,
    resourceId: request.resource?.id,
    grantId,
    scopes,
    narrowedTo,
    authTime,
    isOffline: isOwnSignIn,
    signInId,
    connection,
    latestExpiresAt: earliest([
      isOwnSignIn ? undefined : new Date(authTime.getTime() + proofsMs),
      connection?.latestExpiresAt,
    ]),
  })
  return notifyingBrokenGlass(ctx, opened)
}

/** The same for the console: its session has no end of its own, and goes with the sign-in of the browser. */
export const openForConsole: typeof openAdmitted = async (
  ctx,
  { admission, signInId },
  { person, surplus },
) => {
  const { userId, accountId, amr } = admission
  const { username } = person
  await endSurplus(ctx, accountId, surplus)
  noteSignIn(ctx, userId)
  recordAs(
    ctx,
    { userId, username },
    { action: 'auth.login', resourceId: userId, detail: naming({ username }) },
  )
  const connection = connectionOf(admission)
  return notifyingBrokenGlass(ctx, await openConsoleSession(ctx, { userId, amr, connection, signInId }))
}
