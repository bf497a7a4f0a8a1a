/** Devices without a browser (RFC 8628): the code that a device shows, and the decision of the person who types it. */
import { randomBytes, randomInt } from 'node:crypto'
import type { Limit } from '../../../../cache/cache.ts'
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { sourceOf } from '../../../../values/source.ts'
import { deviceGrant } from '../../applications/applications.schemas.ts'
import { findResourceFor, type Client } from '../../applications/clients.service.ts'
import { listProductCodes } from '../../../accounts/roles/roles.service.ts'
import { readScopes } from '../request/request-parameters.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import type { DeviceAnswer, DeviceRequest } from './devices.schemas.ts'
import * as store from './devices.store.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

/** docs/contract.md, "Sign in with Tenantry". */
const deviceSeconds = 600
export const pollSeconds = 5

/** Letters that form no words and are not mistaken for each other (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8

const createUserCode = (): string =>
  Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('')

const shown = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** A code as a person types it: without case, with or without its dash. */
const typed = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

const requestOf = async (ctx: Ctx, client: Client, input: DeviceRequest): Promise<AuthorizationRequest> => {
  const [codes, resource] = await Promise.all([
    listProductCodes(ctx),
    input.resource === undefined ? undefined : findResourceFor(ctx, client, input.resource),
  ])
  if (input.resource !== undefined && !resource) {
    throw new OAuthError('invalid_target', 'The client may not name this resource')
  }
  return {
    applicationId: client.id,
    clientId: client.client_id,
    redirectUri: '',
    responseMode: 'query',
    scopes: readScopes({ scope: input.scope }, new Set(codes)),
    prompt: [],
    needsMfa: false,
    loginHint: '',
    tenant: input.tenant ?? '',
    ...(resource && { resource: { id: resource.id, identifier: resource.identifier } }),
  }
}

/** Gives a device a code for itself, and one for the person. */
export const beginDevice = async (
  gate: ClientGate,
  ctx: Ctx,
  authorization: string | undefined,
  input: DeviceRequest,
): Promise<DeviceAnswer> => {
  const proved = await gate.authenticate(ctx, authorization, input)
  if (proved.kind !== 'application' || !proved.client.grant_types.includes(deviceGrant)) {
    throw new OAuthError('unauthorized_client', 'The client may not use this grant')
  }
  const request = await requestOf(ctx, proved.client, input)
  const code = randomBytes(32).toString('base64url')
  const userCode = await keepDevice(ctx, code, request)
  const page = `${ctx.parts.config.publicUrl}/sign-in/device`
  return {
    device_code: code,
    user_code: shown(userCode),
    verification_uri: page,
    // Browsers send the fragment to nobody: no log has the code.
    verification_uri_complete: `${page}#code=${shown(userCode)}`,
    expires_in: deviceSeconds,
    interval: pollSeconds,
  }
}

/** Of 25,600,000,000 codes a second try finds a free one. */
const triesMax = 5

const keepDevice = async (ctx: Ctx, code: string, request: AuthorizationRequest): Promise<string> => {
  const { parts, db, origin } = ctx
  const expiresAt = new Date(parts.now().getTime() + deviceSeconds * 1000)
  const { ip, userAgent } = origin
  const { applicationId } = request
  for (let tries = 0; tries < triesMax; tries += 1) {
    const userCode = createUserCode()
    const device = { hash: sha256(code), userCode, applicationId, request, ip, userAgent, expiresAt }
    if ((await store.insertDevice(db, device)) === 1) return userCode
  }
  throw new Error('no code for a device is free')
}

/** docs/contract.md, "Sign in with Tenantry": wrong codes of a source. */
const wrongCodes: Limit = { name: 'device-codes', points: 10, windowSeconds: 900 }

/** The device that shows a code. Throws 404 for an unknown code, and 429 after ten wrong ones of a source. */
export const findDevice = async (ctx: Ctx, userCode: string): Promise<store.WaitingDevice> => {
  const { parts, db, origin } = ctx
  const key = sourceOf(origin.ip)
  if (parts.config.rateLimit) {
    const { allowed, retryAfterSeconds } = await parts.cache.consume(wrongCodes, key)
    if (!allowed) {
      throw new AppError('tooManyCodes', `Too many wrong codes. Try again in ${retryAfterSeconds} seconds`, {
        retryAfterSeconds,
      })
    }
  }
  const device = await store.selectWaitingDevice(db, typed(userCode), parts.now())
  if (!device) throw new AppError('deviceUnknown', 'No device shows this code now. Look at it again')
  if (parts.config.rateLimit) await parts.cache.giveBack(wrongCodes, key)
  return device
}

/** Keeps the admission for the device; false when somebody has decided about its code already. */
export const admitDevice = async (
  { db, parts }: TransactionCtx,
  hash: Buffer,
  admission: Admission,
): Promise<boolean> => (await store.updateDeviceDecided(db, hash, admission, parts.now())) === 1

/** Refuses the device; false when somebody has decided about its code already. */
export const refuseDevice = ({ parts }: Ctx, hash: Buffer): Promise<boolean> =>
  parts.store.transaction(
    {},
    async (db) => (await store.updateDeviceDecided(db, hash, null, parts.now())) === 1,
  )
