/** Revocation (RFC 7009): an application ends the session of one of its tokens. */
import { issuedStart } from '../../../../access/credential.ts'
import { inTenant, inTransactionAfter, type Ctx } from '../../../../context.ts'
import type { Claims } from '../../../../crypto/tokens.ts'
import { AppError } from '../../../../errors/app-error.ts'
import type { Client } from '../../applications/clients.service.ts'
import { naming, recordAs } from '../../../audit/audit/audit.service.ts'
import {
  endApplicationSession,
  findPerson,
  lockAccountOfUser,
} from '../../../accounts/sessions/application-sessions.service.ts'
import { endOpening } from '../../../sign-in/support/openings.service.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import { requireParameter } from '../request/grant-errors.ts'
import type { TokenOfOthers } from './token.schemas.ts'

const findClaims = async ({ tokens, now }: Ctx['parts'], token: string): Promise<Claims | undefined> =>
  (await tokens.verify('application_refresh', token, now())) ?? tokens.verify('any_access', token, now())

/** Ends the session of the client's access token or refresh token. Ignores any other token. */
export const revoke = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: TokenOfOthers,
): Promise<Record<string, never>> => {
  const proved = await gate.authenticate(ctx, authorization, input)
  const claims = await findClaims(ctx.parts, requireParameter('token', input.token))
  const isOfKey = claims?.sessionId.startsWith(issuedStart)
  if (claims && !isOfKey && proved.kind === 'application') await endSession(ctx, proved.client, claims)
  return {}
}

/** Ends the session. Ignores a removed tenant, whose sessions have already ended. */
const endSession = (
  ctx: Ctx,
  client: Client,
  { tenantId, userId, sessionId, supportId }: Claims,
): Promise<void> =>
  inTransactionAfter(
    inTenant(ctx, tenantId),
    async (ctx) => {
      const locked = lockAccountOfUser(ctx, userId)
      const [person] = await Promise.all([findPerson(ctx, userId), locked])
      return person
    },
    async (ctx, person) => {
      if (supportId !== undefined) return endOpening(ctx, { userId, sessionId, applicationId: client.id })
      const isEnded = await endApplicationSession(ctx, { userId, sessionId, applicationId: client.id })
      if (!isEnded || !person) return
      const { username } = person
      recordAs(
        ctx,
        { userId, username },
        { action: 'auth.logout', resourceId: userId, detail: naming({ username, application: client.name }) },
      )
    },
  ).catch((err: unknown) => {
    if (!(err instanceof AppError && err.status === 404)) throw err
  })
