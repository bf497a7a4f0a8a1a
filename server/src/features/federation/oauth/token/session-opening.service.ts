/** Opens the session of an admission. */
import { nameWay } from '../../../accounts/identities/identities.service.ts'
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
import { mayUserUse } from '../../../accounts/sessions/application-use.service.ts'
import { isRedirectOf } from '../request/request-parameters.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'
import { proofsMs } from '../browser/sign-ins.service.ts'

export interface AdmittedRequest {
  applicationId: number
  request: Pick<AuthorizationRequest, 'resource'>
  admission: Admission
  /** The sign-in of the browser; undefined for a device. */
  signInId: string | undefined
}

/** The present client and resource of a request. */
interface ClientAndResource {
  client: Client | undefined
  resource: NamedResource | undefined
}

/** The facts that decide whether a session may open, read behind the locks. */
export interface OpeningFacts extends ClientAndResource {
  person: Person | undefined
  surplus: Awaited<ReturnType<typeof findSurplus>>
}

/**
 * Whether the session continues after the browser's sign-in. A device's session does, and a session with the scope
 * `offline_access`.
 */
const isOffline = ({ admission, signInId }: AdmittedRequest): boolean =>
  signInId === undefined || admission.scopes.includes('offline_access')

/** Reads the present client and resource. Lock the catalogue first. */
export const readClientAndResource = async (
  ctx: EarlyCtx,
  { applicationId, request }: Pick<AdmittedRequest, 'applicationId' | 'request'>,
): Promise<ClientAndResource> => {
  const [client, resource] = await Promise.all([
    findClientById(ctx, applicationId),
    request.resource && findResource(ctx, request.resource.identifier),
  ])
  return { client, resource }
}

/** Locks the account, and reads the facts in the same flush. */
const readForOpening = async (ctx: EarlyCtx, admitted: AdmittedRequest): Promise<OpeningFacts> => {
  const { applicationId, admission, signInId } = admitted
  const { accountId, tenantId, userId } = admission
  const user = isOffline(admitted) ? { tenantId, userId } : undefined
  lockAccount(ctx, accountId)
  const [named, person, surplus] = await Promise.all([
    readClientAndResource(ctx, admitted),
    findPerson(ctx, userId),
    findSurplus(ctx, accountId, { applicationId: rowIdOf(applicationId), user, signInId }),
  ])
  return { ...named, person, surplus }
}

/**
 * Locks the catalogue before the read of the client. A change that ends sessions or consents commits before that read,
 * or waits.
 */
export const lockForOpening = (db: TransactionDb, tenantId: string) => {
  lockCatalogueAgainstChange(db)
  return lockTenantAgainstRemoval(db, tenantId)
}

/**
 * Runs the transaction that opens a session. `early` reads further facts after the same locks. Throws as `inTransaction`
 * does.
 */
export const inOpeningTransaction = <Early, T>(
  ctx: Ctx,
  admitted: AdmittedRequest,
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

/** The facts of a session that may open. */
export interface SessionOpening extends OpeningFacts {
  client: Client
  person: Person
}

/** Whether the identifier still belongs to the resource of the authorization, and the client may still name it. */
const isResourceAllowed = (
  client: Client,
  { resource: found }: ClientAndResource,
  { resource: requested }: AdmittedRequest['request'],
): boolean =>
  requested === undefined ||
  (found !== undefined && found.id === requested.id && mayNameResource(client, found))

const servesTenant = ({ tenant_ids: ids }: Client, tenantId: string): boolean =>
  ids?.includes(tenantId) ?? true

/** The client, if it is enabled, serves the tenant and may name the resource. */
export const servingClient = (
  named: ClientAndResource,
  request: AdmittedRequest['request'],
  tenantId: string,
): Client | undefined => {
  const { client } = named
  if (client?.status !== 1 || !servesTenant(client, tenantId)) return undefined
  return isResourceAllowed(client, named, request) ? client : undefined
}

/**
 * Whether the redirect address still belongs to a client that registered itself, and the tenant allows such clients.
 */
export const isRegistrationAllowed = async (
  ctx: TransactionCtx,
  client: Client,
  { redirectUri, resource }: AuthorizationRequest,
): Promise<boolean> => {
  if (client.origin === 'managed') return true
  return resource !== undefined && isRedirectOf(client, redirectUri) && mayBeAuthorized(ctx, client)
}

/**
 * The opening of the session. Undefined if the session may not open, because the application, its tenants, its
 * resources or the user's permissions have changed.
 */
export const findSessionOpening = async (
  ctx: TransactionCtx,
  facts: OpeningFacts,
  { request, admission: { tenantId, userId } }: AdmittedRequest,
): Promise<SessionOpening | undefined> => {
  const { person } = facts
  const client = servingClient(facts, request, tenantId)
  if (!client || !person || !(await mayUserUse(ctx, userId, client))) return undefined
  return { ...facts, client, person }
}

const connectionOf = ({ connection }: Admission): OpeningConnection | undefined =>
  connection && { id: connection.id, latestExpiresAt: new Date(connection.latestExpiresAt) }

const earliest = (dates: (Date | undefined)[]): Date | undefined =>
  dates.filter((date) => date !== undefined).toSorted((a, b) => a.getTime() - b.getTime())[0]

/**
 * Opens the session of an application. Above the limit, ends the oldest session. Throws 403 if the session would be
 * restricted. Call it `inOpeningTransaction`.
 */
export const openForApplication = async (
  ctx: TransactionCtx,
  { applicationId, request, admission, signInId }: AdmittedRequest,
  { client, person, surplus }: SessionOpening,
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
    {
      action: 'auth.login',
      resourceId: userId,
      detail: naming({ username, way: await nameWay(ctx, amr), application: client.name }),
    },
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

/** Opens the session of the console, which ends together with the sign-in of the browser. */
export const openForConsole: typeof openForApplication = async (
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
    { action: 'auth.login', resourceId: userId, detail: naming({ username, way: await nameWay(ctx, amr) }) },
  )
  const connection = connectionOf(admission)
  const authTime = new Date(admission.authTime)
  const opening = { userId, amr, connection, signInId, authTime }
  return notifyingBrokenGlass(ctx, await openConsoleSession(ctx, opening))
}
