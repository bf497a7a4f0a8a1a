/** The grant `authorization_code`: a code opens one session. */
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { challengeOf, verifierPattern } from '../../../../crypto/pkce.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { consoleClient, isSameResource, type Client } from '../../applications/clients.service.ts'
import { readClient } from '../../applications/documents.service.ts'
import { naming, recordAs } from '../../../audit/audit/audit.service.ts'
import { endApplicationSession } from '../../../accounts/sessions/application-sessions.service.ts'
import { endSignIn } from '../../../accounts/sessions/sessions.service.ts'
import { createTokenResponse, type IssuedSession } from './token-response.service.ts'
import * as store from './authorization-codes.store.ts'
import { invalidGrant, orInvalidGrant, requireParameter, verifierInvalid } from '../request/grant-errors.ts'
import {
  inOpeningTransaction,
  isRegistrationAllowed,
  openForApplication,
  findSessionOpening,
  type OpeningFacts,
} from './session-opening.service.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

const codeUnknown = () => invalidGrant('The code is unknown, was used already, or has expired')
const admissionOver = () => invalidGrant('The sign-in, the consent or the application has ended meanwhile')

type CodeInput = { [Name in 'code' | 'code_verifier' | 'redirect_uri' | 'resource']?: string | undefined }

interface Exchange {
  hash: Buffer
  client: Client
  input: CodeInput
  /** Opens the session of the application, or of the console. */
  open: typeof openForApplication
}

const clientIdOf = ({ application_id: id }: store.CodeRow): number => id ?? consoleClient.id

/** The error by RFC 7636, 4.6. A verifier without a challenge is an error too. */
const pkceFault = (challenge: string | undefined, verifier: string | undefined): OAuthError | undefined => {
  if (verifier !== undefined && !verifierPattern.test(verifier)) return verifierInvalid()
  const given = verifier && challengeOf(verifier)
  return given === challenge
    ? undefined
    : invalidGrant('code_verifier does not fit the challenge of the authorization')
}

const resourceFault = (
  requested: string | undefined,
  { resource }: AuthorizationRequest,
): OAuthError | undefined =>
  requested === undefined || isSameResource(requested, resource?.identifier ?? '')
    ? undefined
    : new OAuthError('invalid_target', 'resource is another one than at the authorization')

const redirectFault = (
  given: string | undefined,
  { redirectUri }: AuthorizationRequest,
): OAuthError | undefined => {
  if (given === undefined) return new OAuthError('invalid_request', 'redirect_uri is missing')
  return given === redirectUri
    ? undefined
    : invalidGrant('redirect_uri is another one than at the authorization')
}

/** The error of a request that must not use the code. */
const requestFault = (
  code: store.CodeRow,
  { client, input }: Exchange,
  now: Date,
): OAuthError | undefined => {
  const { request } = code
  if (clientIdOf(code) !== client.id || code.expires_at <= now) return codeUnknown()
  return (
    redirectFault(input.redirect_uri, request) ??
    resourceFault(input.resource, request) ??
    pkceFault(request.codeChallenge, input.code_verifier)
  )
}

/** Whether sign-in, user, tenant and consent of an admission are still valid. */
export const isAdmissionValid = (
  status: store.AdmissionStatus | undefined,
  admission: Admission,
): status is store.AdmissionStatus =>
  status !== undefined &&
  status.user_status === 1 &&
  status.tenant_status === 1 &&
  status.session_epoch === admission.accountEpoch &&
  status.is_signed_in &&
  (admission.grantId === undefined || status.is_granted)

/**
 * The request with the person's browser as its origin. Session and audit record then name the browser, not the
 * application's server.
 */
const inBrowser = (
  ctx: TransactionCtx,
  { ip, user_agent: userAgent }: store.AdmissionStatus,
): TransactionCtx => ({
  ...ctx,
  origin: { ...ctx.origin, ip, userAgent },
})

const admittedBy = (code: store.CodeRow) => ({
  applicationId: clientIdOf(code),
  request: code.request,
  admission: code.admission,
  signInId: code.sign_in_id,
})

/** Ends the session that the code opened. A second use means that somebody stole the code (RFC 6749, 4.1.2). */
const endReused = async (
  ctx: TransactionCtx,
  hash: Buffer,
  code: store.CodeRow,
  facts: OpeningFacts,
): Promise<void> => {
  const { application_id: applicationId, session_id: sessionId } = code
  const { userId, accountId } = code.admission
  store.deleteCodeRow(ctx.db, hash)
  if (sessionId !== null) {
    await (applicationId === null
      ? endSignIn(ctx, { accountId, userId, sessionId })
      : endApplicationSession(ctx, { userId, sessionId, applicationId }))
  }
  const username = facts.person?.username ?? ''
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'application.code_reused',
      resourceId: applicationId ?? consoleClient.client_id,
      aboutUserId: userId,
      detail: naming({ username, application: facts.client?.name ?? '' }),
    },
  )
}

/** The code and the facts about it. The transaction reads them after it has the locks. */
interface LockedCode {
  code: store.CodeRow
  status: store.AdmissionStatus | undefined
  facts: OpeningFacts
}

/** Returns an error instead of throwing it: the transaction must commit, so that the code is used up. */
const useCode = async (
  ctx: TransactionCtx,
  exchange: Exchange,
  locked: LockedCode,
): Promise<IssuedSession | OAuthError> => {
  const { code, facts } = locked
  const { hash } = exchange
  if (code.used_at !== null) {
    await endReused(ctx, hash, code, facts)
    return codeUnknown()
  }
  const now = ctx.parts.now()
  store.updateCodeUsed(ctx.db, hash, now)
  return requestFault(code, exchange, now) ?? openFor(ctx, exchange, locked)
}

const openFor = async (
  ctx: TransactionCtx,
  { hash, open }: Exchange,
  { code, status, facts }: LockedCode,
): Promise<IssuedSession | OAuthError> => {
  const admitted = admittedBy(code)
  const opening = await findSessionOpening(ctx, facts, admitted)
  if (!opening || !isAdmissionValid(status, code.admission)) return admissionOver()
  if (!(await isRegistrationAllowed(ctx, opening.client, code.request))) return admissionOver()
  const subject = await open(inBrowser(ctx, status), admitted, opening)
  store.updateCodeSession(ctx.db, hash, subject)
  const { request, admission } = code
  return {
    client: opening.client,
    subject,
    person: opening.person,
    scopes: admission.scopes,
    isIdentified: admission.scopes.includes('openid'),
    resource: request.resource?.identifier ?? null,
    authTime: new Date(admission.authTime),
    nonce: request.nonce,
  }
}

const markUsed = ({ parts }: Ctx, hash: Buffer): Promise<void> =>
  parts.store.transaction({}, async (db) => store.updateCodeUsed(db, hash, parts.now()))

/** Fetches the client's metadata document if its cache has expired. If the fetch fails, the code is used up. */
const refreshMetadata = async (
  ctx: Ctx,
  { hash, client }: Pick<Exchange, 'hash' | 'client'>,
  code: store.CodeRow,
): Promise<void> => {
  if (clientIdOf(code) !== client.id || (await readClient(ctx, client, code.admission.accountId))) return
  await markUsed(ctx, hash)
  throw invalidGrant('The metadata of the client cannot be read')
}

/**
 * Opens the session of a code. An error also uses the code up. A second use ends the session, and writes an audit
 * record.
 */
export const redeemCode = async (
  ctx: Ctx,
  client: Client,
  input: CodeInput,
  open: typeof openForApplication,
): Promise<IssuedSession> => {
  const hash = sha256(requireParameter('code', input.code))
  const found = await store.selectCode(ctx.db, hash)
  if (!found) throw codeUnknown()
  await refreshMetadata(ctx, { hash, client }, found)
  const outcome = await inOpeningTransaction(
    ctx,
    admittedBy(found),
    async (ctx) => {
      const [status, code] = await Promise.all([
        store.selectAdmissionStatus(ctx.db, found.admission, ctx.parts.now()),
        store.selectCodeForUpdate(ctx.db, hash),
      ])
      return { status, code }
    },
    async (ctx, { code, ...locked }) =>
      code ? useCode(ctx, { hash, client, input, open }, { code, ...locked }) : codeUnknown(),
  ).catch(async (err: unknown) => {
    if (err instanceof AppError) await markUsed(ctx, hash)
    return orInvalidGrant(err)
  })
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

export const exchangeCode = async (ctx: Ctx, client: Client, input: TokenRequest): Promise<TokenAnswer> =>
  createTokenResponse(ctx, await redeemCode(ctx, client, input, openForApplication))
