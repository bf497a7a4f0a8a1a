/** A passkey authenticator in software: ES256, without attestation. It gives answers in the form of a browser. */
import { createHash, generateKeyPairSync, randomBytes, sign, type KeyObject } from 'node:crypto'

const base64url = (bytes: Buffer | string): string => Buffer.from(bytes).toString('base64url')
const sha256 = (bytes: Buffer | string): Buffer => createHash('sha256').update(bytes).digest()

/** CBOR (RFC 8949), as far as an attestation needs it. */
const head = (major: number, value: number): Buffer => {
  const kind = major << 5
  if (value < 24) return Buffer.of(kind | value)
  return value < 256 ? Buffer.of(kind | 24, value) : Buffer.of(kind | 25, value >> 8, value & 255)
}
const int = (value: number): Buffer => (value < 0 ? head(1, -1 - value) : head(0, value))
const bytes = (value: Buffer): Buffer => Buffer.concat([head(2, value.length), value])
const text = (value: string): Buffer => Buffer.concat([head(3, value.length), Buffer.from(value)])
const map = (...entries: [Buffer, Buffer][]): Buffer =>
  Buffer.concat([head(5, entries.length), ...entries.flat()])

/** A public key of ES256 (RFC 9053). */
const coseKey = (key: KeyObject): Buffer => {
  const { x = '', y = '' } = key.export({ format: 'jwk' }) as { x?: string; y?: string }
  const coordinate = (value: string) => bytes(Buffer.from(value, 'base64url'))
  return map(
    [int(1), int(2)],
    [int(3), int(-7)],
    [int(-1), int(1)],
    [int(-2), coordinate(x)],
    [int(-3), coordinate(y)],
  )
}

interface Credential {
  id: string
  privateKey: KeyObject
  userHandle: string
  counter: number
}

/** Departures from an honest answer, for attacks. */
export interface Deceit {
  origin?: string
  rpId?: string
  challenge?: string
  type?: string
  /** The person did not prove themselves to the authenticator. */
  isUnverified?: boolean
  userHandle?: string
  /** Replaces the counter, which increases by one. */
  counter?: number
  /** The bytes of the id of a new credential, 16 unless given. */
  idBytes?: number
}

interface CreationOptions {
  challenge: string
  rp: { id: string }
  user: { id: string }
}

interface RequestOptions {
  challenge: string
  rpId: string
}

const clientData = (type: string, challenge: string, deceit: Deceit & { origin: string }): Buffer =>
  Buffer.from(
    JSON.stringify({
      type: deceit.type ?? type,
      challenge: deceit.challenge ?? challenge,
      origin: deceit.origin,
      crossOrigin: false,
    }),
  )

const present = 0x01
const verified = 0x04
const attested = 0x40

const authenticatorData = (
  rpId: string,
  counter: number,
  deceit: Deceit,
  credential: Buffer = Buffer.alloc(0),
): Buffer => {
  const flags = present | (deceit.isUnverified ? 0 : verified) | (credential.length > 0 ? attested : 0)
  const count = Buffer.alloc(4)
  count.writeUInt32BE(deceit.counter ?? counter)
  return Buffer.concat([sha256(deceit.rpId ?? rpId), Buffer.of(flags), count, credential])
}

/** An authenticator in a browser that shows a page of this origin. */
export const createAuthenticatorAt = (origin: string) => {
  let credential: Credential | undefined

  const create = ({ challenge, rp, user }: CreationOptions, deceit: Deceit = {}) => {
    const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
    const id = randomBytes(deceit.idBytes ?? 16)
    const idLength = Buffer.of(id.length >> 8, id.length & 255)
    credential = { id: base64url(id), privateKey, userHandle: user.id, counter: 0 }
    const attestedData = Buffer.concat([Buffer.alloc(16), idLength, id, coseKey(publicKey)])
    const attestation = map(
      [text('fmt'), text('none')],
      [text('attStmt'), map()],
      [text('authData'), bytes(authenticatorData(rp.id, 0, deceit, attestedData))],
    )
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: base64url(clientData('webauthn.create', challenge, { origin, ...deceit })),
        attestationObject: base64url(attestation),
        transports: ['internal'],
      },
      clientExtensionResults: {},
    }
  }

  const get = ({ challenge, rpId }: RequestOptions, deceit: Deceit = {}) => {
    if (!credential) throw new Error('the authenticator has no passkey yet')
    credential.counter += 1
    const data = authenticatorData(rpId, credential.counter, deceit)
    const client = clientData('webauthn.get', challenge, { origin, ...deceit })
    const signature = sign('sha256', Buffer.concat([data, sha256(client)]), credential.privateKey)
    return {
      id: credential.id,
      rawId: credential.id,
      type: 'public-key' as const,
      response: {
        clientDataJSON: base64url(client),
        authenticatorData: base64url(data),
        signature: base64url(signature),
        userHandle: deceit.userHandle ?? credential.userHandle,
      },
      clientExtensionResults: {},
    }
  }

  return { create, get }
}

export type Authenticator = ReturnType<typeof createAuthenticatorAt>
