/** The grant `authorization_code`: a code becomes a session, once. */
import { createHash } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { consoleClient, isSameResource, type Client } from '../../applications/clients.service.ts'
import { readClient } from '../../applications/documents.service.ts'
import { naming, recordAs } from '../../../audit/audit/audit.service.ts'
import { endApplicationSession } from '../../../accounts/sessions/application-sessions.service.ts'
import { endSignIn } from '../../../accounts/sessions/sessions.service.ts'
import { answerWith, type Issued } from './token-response.service.ts'
import * as store from './authorization-codes.store.ts'
import { invalidGrant, orInvalidGrant, required } from '../request/grant-errors.ts'
import { inOpening, isStillServed, openAdmitted, openingOf, type OpeningFacts } from './session-opening.service.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

const codeUnknown = () => invalidGrant('The code is unknown, was used already, or has expired')
const admissionOver = () => invalidGrant('The sign-in, the consent or the application has ended meanwhile')

/** The parameters of an exchange. */
type CodeInput = { [Name in 'code' | 'code_verifier' | 'redirect_uri' | 'resource']?: string | undefined }

interface Exchange {
  hash: Buffer
  client: Client
  input: CodeInput
  /** Opens the session that the code leads to. */
  open: typeof openAdmitted
}

const clientIdOf = ({ application_id: id }: store.CodeRow): number => id ?? consoleClient.id

const verifierPattern = /^[\w.~-]{43,128}$/

/** RFC 7636, 4.6. A code without a challenge takes no verifier. */
const pkceFault = (challenge: string | undefined, verifier: string | undefined): OAuthError | undefined => {
  if (verifier !== undefined && !verifierPattern.test(verifier)) {
    return new OAuthError('invalid_request', 'code_verifier must have 43 to 128 unreserved characters')
  }
  const given = verifier && createHash('sha256').update(verifier).digest('base64url')
  return given === challenge
    ? undefined
    : invalidGrant('code_verifier does not fit the challenge of the authorization')
}

const targetFault = (asked: string | undefined, { resource }: AuthorizationRequest): OAuthError | undefined =>
  asked === undefined || isSameResource(asked, resource?.identifier ?? '')
    ? undefined
    : new OAuthError('invalid_target', 'resource is another one than at the authorization')

const addressFault = (
  given: string | undefined,
  { redirectUri }: AuthorizationRequest,
): OAuthError | undefined => {
  if (given === undefined) return new OAuthError('invalid_request', 'redirect_uri is missing')
  return given === redirectUri
    ? undefined
    : invalidGrant('redirect_uri is another one than at the authorization')
}

/** Why a request may not use a code; undefined when it may. */
const requestFault = (
  code: store.CodeRow,
  { client, input }: Exchange,
  now: Date,
): OAuthError | undefined => {
  const { request } = code
  if (clientIdOf(code) !== client.id || code.expires_at <= now) return codeUnknown()
  return (
    addressFault(input.redirect_uri, request) ??
    targetFault(input.resource, request) ??
    pkceFault(request.codeChallenge, input.code_verifier)
  )
}

/** Whether the admission stands: nothing has ended the sign-in, and user, tenant and consent are there. */
export const stands = (
  standing: store.Standing | undefined,
  admission: Admission,
): standing is store.Standing =>
  standing !== undefined &&
  standing.user_status === 1 &&
  standing.tenant_status === 1 &&
  standing.session_epoch === admission.accountEpoch &&
  standing.is_signed_in &&
  (admission.grantId === undefined || standing.is_granted)

/** Session and record name the person's browser, not the server of the application that brings the code. */
const inBrowser = (ctx: TransactionCtx, { ip, user_agent: userAgent }: store.Standing): TransactionCtx => ({
  ...ctx,
  origin: { ...ctx.origin, ip, userAgent },
})

const admittedBy = (code: store.CodeRow) => ({
  applicationId: clientIdOf(code),
  request: code.request,
  admission: code.admission,
  signInId: code.sign_in_id,
})

/** Somebody has the code besides the application: the session that came of it ends (RFC 6749, 4.1.2). */
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

/** All that was read behind the locks. */
interface Found {
  code: store.CodeRow
  standing: store.Standing | undefined
  facts: OpeningFacts
}

/** A failure is returned: it is committed, since it uses the code up. */
const useCode = async (
  ctx: TransactionCtx,
  exchange: Exchange,
  found: Found,
): Promise<Issued | OAuthError> => {
  const { code, facts } = found
  const { hash } = exchange
  if (code.used_at !== null) {
    await endReused(ctx, hash, code, facts)
    return codeUnknown()
  }
  const now = ctx.parts.now()
  store.updateCodeUsed(ctx.db, hash, now)
  return requestFault(code, exchange, now) ?? openFor(ctx, exchange, found)
}

const openFor = async (
  ctx: TransactionCtx,
  { hash, open }: Exchange,
  { code, standing, facts }: Found,
): Promise<Issued | OAuthError> => {
  const admitted = admittedBy(code)
  const opening = openingOf(facts, admitted)
  if (!opening || !stands(standing, code.admission)) return admissionOver()
  if (!(await isStillServed(ctx, opening.client, code.request))) return admissionOver()
  const subject = await open(inBrowser(ctx, standing), admitted, opening)
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

const useUp = ({ parts }: Ctx, hash: Buffer): Promise<void> =>
  parts.store.transaction({}, async (db) => store.updateCodeUsed(db, hash, parts.now()))

/** The exchange goes by what the metadata of the client says now. Without them the code is used up. */
const renewDocument = async (
  ctx: Ctx,
  { hash, client }: Pick<Exchange, 'hash' | 'client'>,
  code: store.CodeRow,
): Promise<void> => {
  if (clientIdOf(code) !== client.id || (await readClient(ctx, client, code.admission.accountId))) return
  await useUp(ctx, hash)
  throw invalidGrant('The metadata of the client cannot be read')
}

/**
 * Opens the session that a code leads to. Any failure uses the code up. A second use ends the session that came of
 * the first, and is recorded.
 */
export const redeemCode = async (
  ctx: Ctx,
  client: Client,
  input: CodeInput,
  open: typeof openAdmitted,
): Promise<Issued> => {
  const hash = sha256(required('code', input.code))
  const known = await store.selectCode(ctx.db, hash)
  if (!known) throw codeUnknown()
  await renewDocument(ctx, { hash, client }, known)
  const outcome = await inOpening(
    ctx,
    admittedBy(known),
    async (ctx) => {
      const [standing, code] = await Promise.all([
        store.selectStanding(ctx.db, known.admission, ctx.parts.now()),
        store.selectCodeForUpdate(ctx.db, hash),
      ])
      return { standing, code }
    },
    async (ctx, { code, ...found }) =>
      code ? useCode(ctx, { hash, client, input, open }, { code, ...found }) : codeUnknown(),
  ).catch(async (err: unknown) => {
    if (err instanceof AppError) await useUp(ctx, hash)
    return orInvalidGrant(err)
  })
  if (outcome instanceof OAuthError) throw outcome
  return outcome
}

/** Exchanges a code for the tokens of a new session. Throws as `redeemCode` does. */
export const exchangeCode = async (ctx: Ctx, client: Client, input: TokenRequest): Promise<TokenAnswer> =>
  answerWith(ctx, await redeemCode(ctx, client, input, openAdmitted))
