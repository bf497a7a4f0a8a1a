/** The grant of devices (RFC 8628, 3.4): a device polls until the person has decided. */
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import type { Client } from '../../applications/clients.service.ts'
import { createTokenResponse, type IssuedSession } from './token-response.service.ts'
import { pollSeconds } from '../devices/devices.service.ts'
import * as store from '../devices/devices.store.ts'
import { isAdmissionValid } from './code-grant.service.ts'
import { selectAdmissionStatus, type AdmissionStatus } from './authorization-codes.store.ts'
import { invalidGrant, orInvalidGrant, requireParameter } from '../request/grant-errors.ts'
import {
  inOpeningTransaction,
  openForApplication,
  findSessionOpening,
  type OpeningFacts,
} from './session-opening.service.ts'
import type { Admission } from '../request/authorization-request.ts'
import type { TokenAnswer, TokenRequest } from './token.schemas.ts'

const codeUnknown = () => invalidGrant('The device code is unknown, or was used already')
const admissionOver = () => invalidGrant('The person or the application has ended the admission meanwhile')

/** Stores a poll. Throws `authorization_pending`, or `slow_down` if the device polls too often. */
const keepWaiting = async ({ db, parts }: Ctx, hash: Buffer, device: store.DeviceRow): Promise<never> => {
  const now = parts.now()
  const { polled_at: polledAt, interval_seconds: interval } = device
  const isTooSoon = polledAt !== null && now.getTime() - polledAt.getTime() < interval * 1000
  const intervalSeconds = isTooSoon ? interval + pollSeconds : interval
  await store.updateDevicePolled(db, hash, { now, intervalSeconds })
  throw isTooSoon
    ? new OAuthError('slow_down', `Wait ${intervalSeconds} seconds between two questions`)
    : new OAuthError('authorization_pending', 'The person has not decided yet')
}

const admittedBy = (device: store.DeviceRow, admission: Admission) => ({
  applicationId: device.application_id,
  request: device.request,
  admission,
  signInId: undefined,
})

/** Returns an error instead of throwing it: the transaction must commit, so that the code is used up. */
const openFor = async (
  ctx: TransactionCtx,
  device: store.DeviceRow,
  admission: Admission,
  { facts, status }: { facts: OpeningFacts; status: AdmissionStatus | undefined },
): Promise<IssuedSession | OAuthError> => {
  const admitted = admittedBy(device, admission)
  const opening = await findSessionOpening(ctx, facts, admitted)
  if (!opening || !isAdmissionValid(status, admission)) return admissionOver()
  const { ip, user_agent: userAgent } = device
  const subject = await openForApplication(
    { ...ctx, origin: { ...ctx.origin, ip, userAgent } },
    admitted,
    opening,
  )
  return {
    client: opening.client,
    subject,
    person: opening.person,
    scopes: admission.scopes,
    isIdentified: admission.scopes.includes('openid'),
    resource: device.request.resource?.identifier ?? null,
    authTime: new Date(admission.authTime),
  }
}

const codeExpired = () => new OAuthError('expired_token', 'The device code has expired')

/** Issues tokens to an allowed device, only once. */
export const exchangeDeviceCode = async (
  ctx: Ctx,
  client: Client,
  input: TokenRequest,
): Promise<TokenAnswer> => {
  const hash = sha256(requireParameter('device_code', input.device_code))
  const device = await store.selectDevice(ctx.db, hash)
  if (device?.application_id !== client.id) throw codeUnknown()
  if (device.expires_at <= ctx.parts.now()) throw codeExpired()
  if (!device.is_decided) return keepWaiting(ctx, hash, device)
  const { admission } = device
  if (admission === null) throw new OAuthError('access_denied', 'The person refused')
  const outcome = await inOpeningTransaction(
    ctx,
    admittedBy(device, admission),
    async (ctx) => {
      const [status, present] = await Promise.all([
        selectAdmissionStatus(ctx.db, admission, ctx.parts.now()),
        store.selectDeviceForUpdate(ctx.db, hash),
      ])
      store.deleteDeviceRow(ctx.db, hash)
      return { status, present }
    },
    async (ctx, { present, ...locked }) =>
      present ? openFor(ctx, device, admission, locked) : codeUnknown(),
  ).catch(orInvalidGrant)
  if (outcome instanceof OAuthError) throw outcome
  return createTokenResponse(ctx, outcome)
}
