/** The certificates that a connection pins. The service trusts only the key, and ignores dates and issuers. */
import {
  createHash,
  createPublicKey,
  generateKeyPair,
  type KeyObject,
  sign,
  X509Certificate,
} from 'node:crypto'
import { promisify } from 'node:util'

const rsaBits = 2048
const generate = promisify(generateKeyPair)
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

/** Above this size, verifying with a key takes milliseconds. */
const rsaBitsMax = 8192
const exponentMax = 2n ** 32n

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean => {
  const { modulusLength = 0, publicExponent = 0n, namedCurve = '' } = asymmetricKeyDetails
  return asymmetricKeyType === 'rsa'
    ? modulusLength >= rsaBits && modulusLength <= rsaBitsMax && publicExponent <= exponentMax
    : curves.includes(namedCurve)
}

/** A certificate in base64, without the lines of PEM. Undefined if it is invalid. */
export const readCertificate = (base64: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/** The key of a certificate: RSA of 2,048 to 8,192 bits, or a NIST curve. Undefined for others. */
export const strongKeyOf = (certificate: X509Certificate): KeyObject | undefined => {
  try {
    const { publicKey } = certificate
    return isStrong(publicKey) ? publicKey : undefined
  } catch {
    return undefined
  }
}

/** Encodes a DER value: tag, length and content. */
const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const size = Buffer.from(body.length.toString(16).padStart(body.length > 255 ? 4 : 2, '0'), 'hex')
  const head = body.length < 128 ? [tag] : [tag, 0x80 + size.length]
  return Buffer.concat([Buffer.from(head), size, body])
}

const sequence = (...content: Buffer[]): Buffer => der(0x30, ...content)
const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
const commonName = sequence(
  der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from('Tenantry')))),
)
/**
 * The longest validity that two-digit years can express: providers pin the key, and should need no other certificate.
 */
const validity = sequence(...['260101000000Z', '491231235959Z'].map((time) => der(0x17, Buffer.from(time))))

/** The self-signed certificate of an RSA key, in base64; always the same bytes (RFC 5280, 4.1). */
export const certificateOf = (privateKey: KeyObject): string => {
  const publicKey = createPublicKey(privateKey).export({ type: 'spki', format: 'der' })
  const serial = Buffer.concat([
    Buffer.of(1),
    createHash('sha256').update(publicKey).digest().subarray(0, 15),
  ])
  const content = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, serial),
    sha256WithRsa,
    commonName,
    validity,
    commonName,
    publicKey,
  )
  const signature = der(0x03, Buffer.of(0), sign('sha256', content, privateKey))
  return sequence(content, sha256WithRsa, signature).toString('base64')
}

/** A new key for signing requests, as PEM. It is an RSA key, because some providers verify no other kind. */
export const newRequestKey = async (): Promise<string> => {
  const { privateKey } = await generate('rsa', { modulusLength: rsaBits })
  return privateKey.export({ type: 'pkcs8', format: 'pem' })
}
