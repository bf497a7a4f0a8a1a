import { randomBytes, randomUUID } from 'node:crypto'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { transports, type PasskeyRequestOptions } from '../../../http/schemas.ts'
import { relyingPartyOf, type RelyingParty } from '../../../config/relying-party.ts'
import { ownSession } from '../sessions/sessions.service.ts'
import { createChallenge, spendPasskeyCreation } from './challenges.service.ts'
import type {
  AddPasskey,
  NewPasskey,
  PasskeyAdded,
  PasskeyAnswer,
  PasskeyCreationOptions,
  ProvePassword,
} from './factors.schemas.ts'
import {
  changingByPassword,
  changingOwnFactors,
  completeAddition,
  requireRoomForFactor,
  type OwnFactors,
} from './factors.service.ts'
import * as store from './factors.store.ts'

/** Loaded with the first passkey: the library's certificates and formats take some megabytes of memory. */
const webauthn = () => import('@simplewebauthn/server')

/** EdDSA, ES256 and RS256 (COSE); every authenticator supports one of them. */
const algorithms = [-8, -7, -257]
const ceremonyMs = 5 * 60_000
const handleBytes = 32
const rpName = 'Tenantry'
const type = 'public-key' as const

/** Throws 403 if the public address allows no passkeys. */
export const requirePasskeys = ({ parts }: Ctx): RelyingParty => {
  const party = relyingPartyOf(parts.config)
  if (party) return party
  throw new AppError(
    'passkeysOff',
    'Passkeys need a public address with https and a domain name. Ask the operator to set TENANTRY_PUBLIC_URL',
  )
}

type Passkey = store.FactorRow & { credential_id: string; public_key: Buffer }

const isPasskeyOf = (party: RelyingParty | undefined, factor: store.FactorRow): factor is Passkey =>
  factor.type === 'passkey' && factor.rp_id === party?.id

/** The factors that are passkeys of this service's address. */
export const passkeysOf = ({ parts }: Ctx, factors: store.FactorRow[]): Passkey[] => {
  const party = relyingPartyOf(parts.config)
  return factors.filter((factor) => isPasskeyOf(party, factor))
}

const known = (passkeys: Passkey[]) =>
  passkeys.map(({ credential_id: id, transports: ways }) => ({
    id,
    type,
    transports: ways,
  }))

/** Options for an answer by one of the passkeys. Without passkeys, any passkey of this address can answer. */
export const requestOptions = (
  { id }: RelyingParty,
  challenge: string,
  passkeys: Passkey[],
): PasskeyRequestOptions => ({
  challenge,
  rpId: id,
  timeout: ceremonyMs,
  userVerification: 'required',
  allowCredentials: known(passkeys),
})

/** The addition of a passkey, for the caller's locked account. Throws 403 if the public address allows none. */
export const passkeyCreation = (ctx: Ctx) => {
  const party = requirePasskeys(ctx)
  return async (ctx: TransactionCtx, own: OwnFactors): Promise<PasskeyCreationOptions> => {
    requireRoomForFactor(ctx, own)
    const { id: accountId, email } = own.account
    const { sessionId } = ownSession(ctx.actor)
    const handle = await store.updatePasskeyHandle(ctx.db, accountId, randomBytes(handleBytes))
    if (!handle) throw new Error('an account that is locked was not found')
    store.deleteChallengesOfSession(ctx.db, accountId, sessionId)
    const purpose = { ceremony: 'passkey_creation', accountId, sessionId, askedTenant: null } as const
    return {
      challenge: createChallenge(ctx, purpose),
      rp: { id: party.id, name: rpName },
      user: { id: handle.passkey_handle.toString('base64url'), name: email, displayName: email },
      pubKeyCredParams: algorithms.map((alg) => ({ alg, type })),
      timeout: ceremonyMs,
      attestation: 'none',
      excludeCredentials: known(passkeysOf(ctx, own.factors)),
      authenticatorSelection: {
        residentKey: 'required',
        requireResidentKey: true,
        userVerification: 'required',
      },
    }
  }
}

/** Begins the addition of a passkey. Throws 401 when the password is wrong. */
export const beginPasskey = async (ctx: Ctx, input: ProvePassword): Promise<PasskeyCreationOptions> =>
  changingByPassword(ctx, input, passkeyCreation(ctx))

const passkeyInvalid = () =>
  new AppError('passkeyInvalid', 'This passkey cannot be added. Begin again, in the same session')

/** Adds a passkey. Throws 400 for an answer that is invalid, late, or for another session. */
export const addPasskey = async (ctx: Ctx, { name, response }: AddPasskey): Promise<PasskeyAdded> => {
  const party = requirePasskeys(ctx)
  const challenge = challengeOf(response)
  const isOpen = await spendPasskeyCreation(ctx, challenge, ownSession(ctx.actor))
  const made = isOpen ? await verifyCreation(party, response, challenge) : undefined
  if (!made) throw passkeyInvalid()
  const id = randomUUID()
  const codes = await changingOwnFactors(ctx, async (ctx, own: OwnFactors) => {
    requireRoomForFactor(ctx, own)
    await store.insertPasskey(ctx.db, {
      ...made,
      id,
      accountId: own.account.id,
      name,
      rpId: party.id,
      now: ctx.parts.now(),
    })
    return completeAddition(ctx, own, { type: 'passkey', name })
  }).catch((err: unknown) => {
    throw violatesUnique(err, 'factors_credential_id_key') ? passkeyInvalid() : err
  })
  return { id, recovery_codes: codes }
}

/** The challenge that an answer names, or "" if it is unreadable. The answer's signature covers it. */
export const challengeOf = ({ response }: { response: { clientDataJSON: string } }): string => {
  try {
    const data = JSON.parse(Buffer.from(response.clientDataJSON, 'base64url').toString()) as unknown
    const { challenge } = (data ?? {}) as { challenge?: unknown }
    return typeof challenge === 'string' ? challenge : ''
  } catch {
    return ''
  }
}

/** The passkey that an answer creates. Undefined for an invalid answer: every error of the library means that. */
const verifyCreation = async ({ id, origin }: RelyingParty, response: NewPasskey, challenge: string) => {
  const { verifyRegistrationResponse } = await webauthn()
  const { clientDataJSON, attestationObject, transports: reported = [] } = response.response
  const { verified, registrationInfo } = await verifyRegistrationResponse({
    response: {
      ...response,
      type,
      response: { clientDataJSON, attestationObject },
      clientExtensionResults: {},
    },
    expectedChallenge: challenge,
    expectedOrigin: origin,
    expectedRPID: id,
    requireUserVerification: true,
    supportedAlgorithmIDs: algorithms,
  }).catch(() => ({ verified: false, registrationInfo: undefined }))
  if (!verified || !registrationInfo) return undefined
  const { id: credentialId, publicKey, counter } = registrationInfo.credential
  // The schema bounds only the id in the answer. The authenticator's own id could exceed the size limit of an index.
  if (credentialId !== response.id) return undefined
  return {
    credentialId,
    publicKey: Buffer.from(publicKey),
    counter,
    // Keeps only known transports: a newer browser can report others.
    transports: transports.filter((one) => reported.includes(one)),
  }
}

/** A use of a passkey that an answer proves. */
export interface PasskeyUse {
  id: string
  counter: number
}

/** Verifies an answer by one of the passkeys. Undefined for an invalid answer. */
export const verifyPasskey = async (
  ctx: Ctx,
  passkeys: Passkey[],
  answer: PasskeyAnswer,
  challenge: string,
): Promise<PasskeyUse | undefined> => {
  const party = relyingPartyOf(ctx.parts.config)
  const passkey = passkeys.find((one) => one.credential_id === answer.id)
  if (!party || !passkey) return undefined
  const { verifyAuthenticationResponse } = await webauthn()
  const { credential_id: id, public_key: publicKey, counter } = passkey
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response: { ...answer, type, clientExtensionResults: {} },
    expectedChallenge: challenge,
    expectedOrigin: party.origin,
    expectedRPID: party.id,
    credential: { id, publicKey: new Uint8Array(publicKey), counter },
    requireUserVerification: true,
  }).catch(() => ({ verified: false, authenticationInfo: undefined }))
  return verified && authenticationInfo
    ? { id: passkey.id, counter: authenticationInfo.newCounter }
    : undefined
}

/** The account of a passkey's random handle. Undefined for an unknown handle. */
export const findAccountOfPasskey = async (
  { db }: Ctx,
  { response: { userHandle } }: PasskeyAnswer,
): Promise<{ id: number; email: string } | undefined> =>
  userHandle === undefined ? undefined : store.selectAccountByHandle(db, Buffer.from(userHandle, 'base64url'))

/** Whether an account has a passkey with this credential id. */
export const isPasskeyKnown = async ({ db }: Ctx, credentialId: string): Promise<boolean> =>
  (await store.selectByCredential(db, credentialId)) !== undefined
