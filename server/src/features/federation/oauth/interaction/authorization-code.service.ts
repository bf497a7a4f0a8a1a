/** The end of an interaction: stores the consent, and issues the code or allows the device. */
import { randomBytes } from 'node:crypto'
import { inTransactionAfter, type Ctx, type TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { rowIdOf } from '../../applications/clients.service.ts'
import { consented, storeGrant } from '../../applications/grants.service.ts'
import { findPerson } from '../../../accounts/sessions/application-sessions.service.ts'
import {
  authorizationResponse,
  type AuthorizationResponse,
} from '../request/authorization-response.service.ts'
import * as store from '../token/authorization-codes.store.ts'
import { admitDevice } from '../devices/devices.service.ts'
import type { DoneStep } from './next-step.service.ts'
import { lockForOpening, readClientAndResource, servingClient } from '../token/session-opening.service.ts'
import type { Admission } from '../request/authorization-request.ts'
import { redirectHostOf, type InteractionState } from './interaction-state.ts'
import { useSignIn } from '../browser/sign-ins.service.ts'

/** The lifetime of a code. RFC 6749, 4.1.2 allows at most 10 minutes. */
const codeSeconds = 60

const denied = (message: string) => new OAuthError('access_denied', message)

/** Throws `access_denied` if the error means that sign-in, user or tenant has ended since the last step. */
const orDenied = (err: unknown): never => {
  throw err instanceof AppError && [401, 403, 404].includes(err.status) ? denied(err.message) : err
}

/**
 * Stores the consent, and gives the admission to `keep` in the same transaction. Locks the catalogue, so that a change
 * that ends consents commits before the transaction or waits for it. Throws `access_denied` if the application, the
 * sign-in, the user or the tenant has changed since the last step.
 */
const inAdmission = <T>(
  state: InteractionState,
  done: DoneStep,
  keep: (ctx: TransactionCtx, admission: Admission) => Promise<T>,
): Promise<T> => {
  const { client, request } = state
  return inTransactionAfter(
    done.ctx,
    (ctx) => readClientAndResource(ctx, { applicationId: client.id, request }),
    async (ctx, named) => {
      if (!servingClient(named, request, ctx.tenantId)) throw denied('The application has just changed')
      return keep(ctx, await createAdmission(ctx, state, done))
    },
    lockForOpening,
  ).catch(orDenied)
}

const createAdmission = async (
  ctx: TransactionCtx,
  state: InteractionState,
  done: DoneStep,
): Promise<Admission> => {
  const { signIn, member, access } = done
  if (!(await useSignIn(ctx, signIn))) throw denied('The sign-in has just ended')
  const grantId = await storeConsent(ctx, state, done)
  return {
    tenantId: member.tenant_id,
    userId: member.user_id,
    accountId: signIn.accountId,
    signInId: signIn.id,
    accountEpoch: signIn.accountEpoch,
    amr: signIn.amr,
    authTime: signIn.authTime.toISOString(),
    ...(grantId === undefined ? {} : { grantId }),
    scopes: access.scopes,
    ...(access.narrowedTo === undefined ? {} : { narrowedTo: access.narrowedTo }),
    ...(signIn.connection && {
      connection: {
        id: signIn.connection.id,
        latestExpiresAt: signIn.connection.latestExpiresAt.toISOString(),
      },
    }),
  }
}

const storeConsent = async (
  ctx: TransactionCtx,
  { client, resource, request }: InteractionState,
  { member, access }: DoneStep,
): Promise<number | undefined> => {
  if (!client.is_third_party) return undefined
  // The account is locked, so nobody can delete the user after this check.
  if (!(await findPerson(ctx, member.user_id))) throw denied('You are no user of the tenant any more')
  return storeGrant(ctx, {
    userId: member.user_id,
    username: member.username,
    applicationId: client.id,
    applicationName: client.name,
    resourceId: resource?.id ?? 0,
    host: redirectHostOf(request.redirectUri),
    scopes: consented(access.scopes),
  })
}

/** Issues a code. The code is valid once, for a minute, and only until the sign-in ends. */
export const issueCode = (state: InteractionState, done: DoneStep): Promise<string> => {
  const code = randomBytes(32).toString('base64url')
  return inAdmission(state, done, async (ctx, admission) => {
    store.insertCode(ctx.db, {
      hash: sha256(code),
      applicationId: rowIdOf(state.client.id),
      signInId: done.signIn.id,
      request: state.request,
      admission,
      expiresAt: new Date(ctx.parts.now().getTime() + codeSeconds * 1000),
    })
    return code
  })
}

export const respondWithCode = async (
  { parts }: Ctx,
  state: InteractionState,
  done: DoneStep,
): Promise<AuthorizationResponse> =>
  authorizationResponse(parts.config, state.request, { code: await issueCode(state, done) })

/** Allows the device. False if somebody has already decided about its code. */
export const allowDevice = (state: InteractionState, done: DoneStep, hash: Buffer): Promise<boolean> =>
  inAdmission(state, done, (ctx, admission) => admitDevice(ctx, hash, admission))
