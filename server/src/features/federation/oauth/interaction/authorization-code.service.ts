/** The end of an authorization: consent is kept, and the code is made. */
import { randomBytes } from 'node:crypto'
import { inTransactionAfter, type Ctx, type TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { rowIdOf } from '../../applications/clients.service.ts'
import { keepGrant } from '../../applications/grants.service.ts'
import { findPerson } from '../../../accounts/sessions/application-sessions.service.ts'
import { answerTo, type AuthorizationAnswer } from '../request/authorization-response.service.ts'
import * as store from '../token/codes.store.ts'
import { admitDevice } from '../devices/devices.service.ts'
import type { Ready } from './next-step.service.ts'
import { lockForOpening, readNamed, servingClient } from '../token/session-opening.service.ts'
import type { Admission } from '../request/authorization-request.ts'
import { redirectHostOf, type Situation } from './interaction-state.ts'
import { useSignIn } from '../browser/sign-ins.service.ts'

/** RFC 6749, 4.1.2 asks for 10 minutes at most. */
const codeSeconds = 60

const denied = (message: string) => new OAuthError('access_denied', message)

/** A sign-in, a user or a tenant that has ended since the questions were answered. */
const orDenied = (err: unknown): never => {
  throw err instanceof AppError && [401, 403, 404].includes(err.status) ? denied(err.message) : err
}

/**
 * Runs the transaction in which a person is admitted. It locks the catalogue against change: a consent is kept before the
 * change that ends it, or not at all. Throws `access_denied` where something has ended since the questions were answered.
 */
const inAdmission = <T>(
  situation: Situation,
  ready: Ready,
  keep: (ctx: TransactionCtx, admission: Admission) => Promise<T>,
): Promise<T> => {
  const { client, request } = situation
  return inTransactionAfter(
    ready.ctx,
    (ctx) => readNamed(ctx, { applicationId: client.id, request }),
    async (ctx, named) => {
      if (!servingClient(named, request, ctx.tenantId)) throw denied('The application has just changed')
      return keep(ctx, await admit(ctx, situation, ready))
    },
    lockForOpening,
  ).catch(orDenied)
}

/** Notes the use of the sign-in, keeps the consent, and says what the person is admitted to. */
const admit = async (ctx: TransactionCtx, situation: Situation, ready: Ready): Promise<Admission> => {
  const { signIn, member, given } = ready
  if (!(await useSignIn(ctx, signIn))) throw denied('The sign-in has just ended')
  const grantId = await keepConsent(ctx, situation, ready)
  return {
    tenantId: member.tenant_id,
    userId: member.user_id,
    accountId: signIn.accountId,
    signInId: signIn.id,
    accountEpoch: signIn.accountEpoch,
    amr: signIn.amr,
    authTime: signIn.authTime.toISOString(),
    ...(grantId === undefined ? {} : { grantId }),
    scopes: given.scopes,
    ...(given.narrowedTo === undefined ? {} : { narrowedTo: given.narrowedTo }),
    ...(signIn.connection && {
      connection: {
        id: signIn.connection.id,
        latestExpiresAt: signIn.connection.latestExpiresAt.toISOString(),
      },
    }),
  }
}

const keepConsent = async (
  ctx: TransactionCtx,
  { client, resource, request }: Situation,
  { member, given }: Ready,
): Promise<number | undefined> => {
  if (!client.is_third_party) return undefined
  // The account is locked: the user stays.
  if (!(await findPerson(ctx, member.user_id))) throw denied('You are no user of the tenant any more')
  return keepGrant(ctx, {
    userId: member.user_id,
    username: member.username,
    applicationId: client.id,
    applicationName: client.name,
    resourceId: resource?.id ?? 0,
    host: redirectHostOf(request.redirectUri),
    scopes: given.scopes,
  })
}

/** Makes the code of an authorization. It works once, for a minute, while the sign-in stands. */
export const issueCode = (situation: Situation, ready: Ready): Promise<string> => {
  const code = randomBytes(32).toString('base64url')
  return inAdmission(situation, ready, async (ctx, admission) => {
    store.insertCode(ctx.db, {
      hash: sha256(code),
      applicationId: rowIdOf(situation.client.id),
      signInId: ready.signIn.id,
      request: situation.request,
      admission,
      expiresAt: new Date(ctx.parts.now().getTime() + codeSeconds * 1000),
    })
    return code
  })
}

/** The answer of an authorization in which nothing is left to be asked. */
export const answerWithCode = async (
  { parts }: Ctx,
  situation: Situation,
  ready: Ready,
): Promise<AuthorizationAnswer> =>
  answerTo(parts.config, situation.request, { code: await issueCode(situation, ready) })

/** Lets the device in; false when somebody has decided about its code already. */
export const allowDevice = (situation: Situation, ready: Ready, hash: Buffer): Promise<boolean> =>
  inAdmission(situation, ready, (ctx, admission) => admitDevice(ctx, hash, admission))
