/** The sign-in at a SAML provider (docs/decisions/0265-saml.md). */
import { createPrivateKey, type KeyObject, randomBytes } from 'node:crypto'
import { inTenant, type Ctx } from '../../../context.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { AppError } from '../../../errors/app-error.ts'
import { findClientById } from '../applications/clients.service.ts'
import type { AcceptedAnswer } from '../linking/persons.service.ts'
import { bindingOf } from './connection-config.service.ts'
import { personOf, type SamlConfig } from './saml-connection.ts'
import type { SamlReason } from './reasons.ts'
import { ourMetadata, samlRequestTo, type ServiceProvider, type ProviderRequest } from './saml-request.ts'
import { openResponse, readResponse, type Expectations, type OpenedResponse } from './saml-response.ts'
import * as store from './saml.store.ts'
import { findTenantOf } from './tenant-of.service.ts'

/** The time that an answer waits for its browser. */
const keptMs = 60_000

/** A person, or the reason to refuse the provider's answer. */
export type SamlOutcome = AcceptedAnswer | { refused: SamlReason }

const addressOf = ({ parts }: Ctx, id: string, end: string): string =>
  `${parts.config.publicUrl}/sso/saml/${id}/${end}`

/** The addresses of this service for a connection. The entity id is the address of the connection's metadata. */
const ourSideOf = (ctx: Ctx, id: string): ServiceProvider => ({
  entityId: addressOf(ctx, id, 'metadata'),
  acsUrl: addressOf(ctx, id, 'acs'),
})

/** The key with which a connection signs requests. */
const keyOf = ({ parts }: Ctx, { id, sealed }: { id: string; sealed: Buffer }): KeyObject =>
  createPrivateKey(parts.secrets.open(sealed, bindingOf(id)))

interface FoundConnection {
  ctx: Ctx
  connection: store.SamlConnectionRow
}

/** A SAML connection, with its tenant in scope. Undefined for a disabled connection and for other types. */
const findConnection = async (ctx: Ctx, id: string): Promise<FoundConnection | undefined> => {
  const tenantId = await findTenantOf(ctx, id)
  if (tenantId === undefined) return undefined
  const there = inTenant(ctx, tenantId)
  const connection = await store.selectSamlConnection(there.db, there.tenantId, id)
  return connection && { ctx: there, connection }
}

/** The metadata of this service for a connection's provider, also for a draft. Throws 404 for an unknown connection. */
export const getOurMetadata = async (ctx: Ctx, id: string): Promise<string> => {
  const found = await findConnection(ctx, id)
  if (!found) throw new AppError('routeUnknown', 'The connection does not exist')
  const { connection } = found
  const signsRequests = connection.config.wants_signed_requests
  return ourMetadata(ourSideOf(ctx, id), { key: keyOf(ctx, connection), signsRequests })
}

/** A request to the provider, and the hash that identifies its answer. */
export const beginSaml = (
  ctx: Ctx,
  connection: { id: string; sealed: Buffer },
  { sso_url: ssoUrl, binding, wants_signed_requests: isSigned }: SamlConfig,
): { request: ProviderRequest; stateHash: Buffer } => {
  // An XML ID must not begin with a digit.
  const requestId = `_${randomBytes(32).toString('hex')}`
  const provider = { ssoUrl, binding, key: isSigned ? keyOf(ctx, connection) : undefined }
  const asked = { id: requestId, now: ctx.parts.now() }
  return {
    request: samlRequestTo(provider, ourSideOf(ctx, connection.id), asked),
    stateHash: sha256(requestId),
  }
}

/** The next page of the browser after a provider has posted an answer. */
export type PostedResult =
  /** The answer waits for its browser under a handle. */
  | { kind: 'kept'; handle: string }
  /** The provider sent the answer without a request: the application must begin again. */
  | { kind: 'unsolicited'; home: string }
  /** No attempt waits for the answer. */
  | { kind: 'refused' }

const homeOf = async (ctx: Ctx, applicationId: number | null): Promise<string> => {
  const client = applicationId === null ? undefined : await findClientById(ctx, applicationId)
  return client?.home_url || '/console/'
}

/** Reads an answer for an open attempt, spends the attempt, and stores the result for its browser. */
const receiveFor = async (
  { ctx, connection }: FoundConnection,
  response: OpenedResponse,
  requestId: string,
): Promise<PostedResult> => {
  const now = ctx.parts.now()
  const { id: connectionId } = connection
  const open = { connectionId, stateHash: sha256(requestId), now }
  const attempt = await store.selectOpenAttempt(ctx.db, ctx.tenantId, open)
  if (!attempt) return { kind: 'refused' }
  const answer = judge(response, connection, { ...ourSideOf(ctx, connectionId), requestId, now })
  const handle = randomBytes(32).toString('base64url')
  const until = new Date(now.getTime() + keptMs)
  const kept = { id: attempt.id, handleHash: sha256(handle), answer, now, until }
  const count = await store.spendAttempt(ctx.db, ctx.tenantId, kept)
  return count === 0 ? { kind: 'refused' } : { kind: 'kept', handle }
}

const judge = (
  response: OpenedResponse,
  { config, attributes }: Pick<store.SamlConnectionRow, 'config' | 'attributes'>,
  expected: ServiceProvider & Pick<Expectations, 'requestId' | 'now'>,
): SamlOutcome => {
  const { entity_id: issuer, certificates, subject } = config
  const answer = readResponse(response, { ...expected, issuer, certificates, subject })
  return 'refused' in answer ? answer : personOf(answer, config, attributes)
}

/** Receives a provider's answer. A page of the provider posts it, so no cookie identifies the browser. */
export const receiveSaml = async (ctx: Ctx, id: string, posted: string): Promise<PostedResult> => {
  const found = await findConnection(ctx, id)
  const response = openResponse(posted)
  if (!found || 'refused' in response) return { kind: 'refused' }
  if (response.requestId !== undefined) return receiveFor(found, response, response.requestId)
  return { kind: 'unsolicited', home: await homeOf(found.ctx, found.connection.application_id) }
}

export interface TakenAnswer {
  tenantId: string
  interactionId: string
  isTest: boolean
  outcome: SamlOutcome
}

/**
 * The stored answer for this browser, only once. Undefined for another browser, after a minute, and at a second call.
 */
export const takeSamlAnswer = async (
  ctx: Ctx,
  id: string,
  { handle, browser }: { handle: string; browser: string },
): Promise<TakenAnswer | undefined> => {
  const found = await findConnection(ctx, id)
  if (!found) return undefined
  const { db, tenantId, parts } = found.ctx
  const kept = {
    connectionId: id,
    handleHash: sha256(handle),
    browserHash: sha256(browser),
    now: parts.now(),
  }
  const row = await store.deleteKeptAnswer(db, tenantId, kept)
  if (!row) return undefined
  const { interaction_id: interactionId, is_test: isTest, answer } = row
  return { tenantId, interactionId, isTest, outcome: answer as SamlOutcome }
}
