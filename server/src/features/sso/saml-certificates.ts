/** The certificates that a connection pins. Their dates and issuers do not count: the key is what is trusted. */
import { type KeyObject, X509Certificate } from 'node:crypto'

const rsaBitsMin = 2048
const curves = ['prime256v1', 'secp384r1', 'secp521r1']

const isStrong = ({ asymmetricKeyType, asymmetricKeyDetails = {} }: KeyObject): boolean =>
  asymmetricKeyType === 'rsa'
    ? (asymmetricKeyDetails.modulusLength ?? 0) >= rsaBitsMin
    : curves.includes(asymmetricKeyDetails.namedCurve ?? '')

/** A certificate in base64, without the lines of PEM; undefined where it is none. */
export const readCertificate = (base64: string): X509Certificate | undefined => {
  try {
    return new X509Certificate(Buffer.from(base64, 'base64'))
  } catch {
    return undefined
  }
}

/** The key of a certificate: RSA of 2,048 bits or more, or a curve of NIST; undefined for others. */
export const strongKeyOf = (certificate: X509Certificate): KeyObject | undefined => {
  try {
    const { publicKey } = certificate
    return isStrong(publicKey) ? publicKey : undefined
  } catch {
    return undefined
  }
}
