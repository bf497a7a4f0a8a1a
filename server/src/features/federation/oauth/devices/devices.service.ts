/** Device codes (RFC 8628): creation, and the decision of the person who types the user code. */
import { randomBytes, randomInt } from 'node:crypto'
import type { Limit } from '../../../../cache/cache.ts'
import type { Ctx, TransactionCtx } from '../../../../context.ts'
import { sha256 } from '../../../../crypto/sha256.ts'
import { AppError } from '../../../../errors/app-error.ts'
import { OAuthError } from '../../../../errors/oauth-error.ts'
import { sourceOf } from '../../../../values/source.ts'
import { deviceGrant } from '../../applications/applications.schemas.ts'
import { codesFor, getResourceFor, type Client } from '../../applications/clients.service.ts'
import { listProductCodes } from '../../../accounts/roles/roles.service.ts'
import { readScopes } from '../request/request-parameters.ts'
import type { ClientGate } from '../clients/client-authentication.service.ts'
import type { DeviceAnswer, DeviceRequest } from './devices.schemas.ts'
import * as store from './devices.store.ts'
import type { Admission, AuthorizationRequest } from '../request/authorization-request.ts'

/** docs/contract.md, "Sign in with Tenantry". */
const deviceSeconds = 600
export const pollSeconds = 5

/** Letters without vowels and without letters that look alike (RFC 8628, 6.1). */
const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const codeLength = 8

const createUserCode = (): string =>
  Array.from({ length: codeLength }, () => letters[randomInt(letters.length)]).join('')

const formatUserCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

/** The user code in a person's input. Case, dashes and spaces do not matter. */
const parseUserCode = (text: string): string => text.toUpperCase().replace(/[\s-]/g, '')

const requestOf = async (ctx: Ctx, client: Client, input: DeviceRequest): Promise<AuthorizationRequest> => {
  const [codes, resource] = await Promise.all([
    listProductCodes(ctx),
    input.resource === undefined ? undefined : getResourceFor(ctx, client, input.resource),
  ])
  return {
    applicationId: client.id,
    clientId: client.client_id,
    redirectUri: '',
    responseMode: 'query',
    scopes: readScopes({ scope: input.scope }, codesFor(codes, resource)),
    prompt: [],
    needsMfa: false,
    loginHint: '',
    tenant: input.tenant ?? '',
    ...(resource && { resource: { id: resource.id, identifier: resource.identifier } }),
  }
}

/** Creates a device code and a user code. */
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
  const userCode = await insertDevice(ctx, code, request)
  const page = `${ctx.parts.config.publicUrl}/sign-in/device`
  return {
    device_code: code,
    user_code: formatUserCode(userCode),
    verification_uri: page,
    // Browsers do not send the fragment to a server, so no log contains the code.
    verification_uri_complete: `${page}#code=${formatUserCode(userCode)}`,
    expires_in: deviceSeconds,
    interval: pollSeconds,
  }
}

/** There are 25,600,000,000 codes, so a code is rarely taken already. */
const triesMax = 5

const insertDevice = async (ctx: Ctx, code: string, request: AuthorizationRequest): Promise<string> => {
  const { parts, db, origin } = ctx
  const expiresAt = new Date(parts.now().getTime() + deviceSeconds * 1000)
  const { ip, userAgent } = origin
  const { applicationId } = request
  for (let tries = 0; tries < triesMax; tries += 1) {
    const userCode = createUserCode()
    const device = { hash: sha256(code), userCode, applicationId, request, ip, userAgent, expiresAt }
    if ((await store.insertDevice(db, device)) === 1) return userCode
  }
  throw new Error('no user code is free')
}

/** The most wrong codes of one source (docs/contract.md, "Sign in with Tenantry"). */
const wrongCodes: Limit = { name: 'device-codes', points: 10, windowSeconds: 900 }

/** The undecided device of a user code. Throws 404 for an unknown code, and 429 after ten wrong codes of one source. */
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
  const device = await store.selectWaitingDevice(db, parseUserCode(userCode), parts.now())
  if (!device) throw new AppError('deviceUnknown', 'No device shows this code now. Look at it again')
  if (parts.config.rateLimit) await parts.cache.giveBack(wrongCodes, key)
  return device
}

/** Stores the admission of an allowed device. False if somebody has already decided about its code. */
export const admitDevice = async (
  { db, parts }: TransactionCtx,
  hash: Buffer,
  admission: Admission,
): Promise<boolean> => (await store.updateDeviceDecided(db, hash, admission, parts.now())) === 1

/** Stores that the person refused the device. False if somebody has already decided about its code. */
export const refuseDevice = ({ parts }: Ctx, hash: Buffer): Promise<boolean> =>
  parts.store.transaction(
    {},
    async (db) => (await store.updateDeviceDecided(db, hash, null, parts.now())) === 1,
  )
