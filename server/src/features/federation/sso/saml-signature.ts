/**
 * Verifies the signatures of a response, and returns the bytes that they cover. Only these bytes may be read. Checks
 * the signature of the small SignedInfo first, so that unsigned content is neither searched nor canonicalised.
 */
import { constants, createHash, type KeyObject, verify } from 'node:crypto'
import { canonical } from './saml-canonical.ts'
import { SamlRefused } from './saml-refusal.ts'
import {
  attributeOf,
  childrenOf,
  countBelow,
  elementsOf,
  parseXml,
  textOf,
  type XmlElement,
} from './saml-xml.ts'

export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = `${signatureNamespace}enveloped-signature`
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const newer = 'http://www.w3.org/2007/05/xmldsig-more#'
export const rsaSha256 = `${more}rsa-sha256`
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'
const prefix = /^(?:[A-Za-z_][\w.-]*|#default)$/
const prefixesMax = 32

interface SignatureMethod {
  hash: string
  keyType: 'rsa' | 'ec'
  padding?: number
}

const pss = constants.RSA_PKCS1_PSS_PADDING

/** The methods of RFC 9231 that are accepted. SHA-1, HMAC and all others are refused. */
const signatureMethods = new Map<string, SignatureMethod>(
  ['sha256', 'sha384', 'sha512'].flatMap((hash) => [
    [`${more}rsa-${hash}`, { hash, keyType: 'rsa' }],
    [`${more}ecdsa-${hash}`, { hash, keyType: 'ec' }],
    [`${newer}${hash}-rsa-MGF1`, { hash, keyType: 'rsa', padding: pss }],
  ]),
)

const digestMethods = new Map([
  [sha256, 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

const refuse = (reason: 'signature_form' | 'signature_algorithm' | 'signature_invalid'): never => {
  throw new SamlRefused(reason)
}

/** The child elements of a part of a signature. Throws SamlRefused unless they are exactly the named ones. */
const partsOf = <Name extends string>(parent: XmlElement, names: Name[]): Record<Name, XmlElement> => {
  const children = elementsOf(parent)
  const isExact =
    children.length === names.length &&
    children.every((child, at) => child.namespace === signatureNamespace && child.localName === names[at])
  if (!isExact) refuse('signature_form')
  return Object.fromEntries(children.map((child) => [child.localName, child])) as Record<Name, XmlElement>
}

/** The prefixes of a list. Throws SamlRefused for a malformed or too long list. */
const prefixesOf = (list: XmlElement, namespace: string): string[] => {
  const prefixes = (attributeOf(list, 'PrefixList') ?? '').split(/[ \t\n]+/).filter((one) => one !== '')
  const isList = list.namespace === namespace && list.localName === 'InclusiveNamespaces'
  const isBounded = prefixes.length <= prefixesMax && prefixes.every((one) => prefix.test(one))
  return isList && isBounded && elementsOf(list).length === 0 ? prefixes : refuse('signature_form')
}

/**
 * Returns the prefixes that a method canonicalises inclusively. Some libraries give each transform such a list, in its
 * own namespace. Only the list of the canonicalisation counts.
 */
const inclusiveOf = (method: XmlElement, algorithm: string): string[] => {
  if (attributeOf(method, 'Algorithm') !== algorithm) refuse('signature_algorithm')
  const [list, ...others] = elementsOf(method)
  if (others.length > 0) refuse('signature_form')
  return list ? prefixesOf(list, algorithm) : []
}

const checkTransforms = (transforms: XmlElement): string[] => {
  const [first, second, ...others] = childrenOf(transforms, signatureNamespace, 'Transform')
  if (!first || !second || others.length > 0 || elementsOf(transforms).length !== 2) {
    return refuse('signature_form')
  }
  inclusiveOf(first, enveloped)
  return inclusiveOf(second, exclusive)
}

/** The used parts of a signature. KeyInfo is ignored, because the connection pins the keys. */
interface Signature {
  element: XmlElement
  signed: XmlElement
  info: XmlElement
  infoInclusive: string[]
  method: SignatureMethod
  value: Buffer
  inclusive: string[]
  hash: string
  digest: Buffer
}

const bytesOf = (element: XmlElement): Buffer => {
  partsOf(element, [])
  return Buffer.from(textOf(element) ?? '', 'base64')
}

const referenceOf = (reference: XmlElement, signed: XmlElement) => {
  const parts = partsOf(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  const id = attributeOf(signed, 'ID')
  if (!id || attributeOf(reference, 'URI') !== `#${id}`) refuse('signature_form')
  const inclusive = checkTransforms(parts.Transforms)
  const hash = digestMethods.get(attributeOf(parts.DigestMethod, 'Algorithm') ?? '')
  partsOf(parts.DigestMethod, [])
  return { inclusive, hash: hash ?? refuse('signature_algorithm'), digest: bytesOf(parts.DigestValue) }
}

/** Reads a signature in the only accepted form. The signature must sign its parent element. */
const signatureOf = (element: XmlElement, signed: XmlElement): Signature => {
  const hasKeyInfo = childrenOf(element, signatureNamespace, 'KeyInfo').length === 1
  const parts = partsOf(element, ['SignedInfo', 'SignatureValue', ...(hasKeyInfo ? ['KeyInfo'] : [])])
  const info = parts['SignedInfo'] as XmlElement
  const value = bytesOf(parts['SignatureValue'] as XmlElement)
  const children = partsOf(info, ['CanonicalizationMethod', 'SignatureMethod', 'Reference'])
  const infoInclusive = inclusiveOf(children.CanonicalizationMethod, exclusive)
  partsOf(children.SignatureMethod, [])
  const reference = referenceOf(children.Reference, signed)
  const method = signatureMethods.get(attributeOf(children.SignatureMethod, 'Algorithm') ?? '')
  if (!method) return refuse('signature_algorithm')
  return { element, signed, info, infoInclusive, method, value, ...reference }
}

const isSignedBy = (key: KeyObject, { method, info, infoInclusive, value }: Signature): boolean => {
  const { hash, keyType, padding } = method
  if (key.asymmetricKeyType !== keyType) return false
  const length = { saltLength: constants.RSA_PSS_SALTLEN_DIGEST }
  const form = { dsaEncoding: 'ieee-p1363', ...(padding && { padding, ...length }) } as const
  return verify(hash, Buffer.from(canonical(info, { inclusive: infoInclusive })), { key, ...form }, value)
}

/** The bytes that a signature covers. Throws SamlRefused unless one of the keys has signed them. */
const verifiedBytes = (signature: Signature, keys: KeyObject[]): string => {
  const { signed, inclusive, element, hash, digest } = signature
  if (!keys.some((key) => isSignedBy(key, signature))) refuse('signature_invalid')
  const bytes = canonical(signed, { inclusive, without: element })
  const isWhole = createHash(hash).update(bytes).digest().equals(digest)
  return isWhole ? bytes : refuse('signature_invalid')
}

/**
 * The signatures of a document, the outermost first. Throws SamlRefused unless the root and the assertion have at most
 * one each, and there are no others.
 */
const signaturesOf = (root: XmlElement, assertion: XmlElement): Signature[] => {
  const all = countBelow(root, 'Signature')
  if (all === 0) throw new SamlRefused('unsigned')
  const parents = [root, assertion].map((parent) => ({
    parent,
    signatures: childrenOf(parent, signatureNamespace, 'Signature'),
  }))
  const isEach = parents.every(({ signatures }) => signatures.length <= 1)
  const signatures = parents.flatMap(({ parent, signatures: [one] }) =>
    one ? [signatureOf(one, parent)] : [],
  )
  return isEach && signatures.length === all ? signatures : refuse('signature_form')
}

/**
 * Verifies every signature of a document with one of the keys. Each must sign its parent element. Returns the outermost
 * signed element, parsed again from its verified bytes. Throws SamlRefused.
 */
export const readVerified = (root: XmlElement, assertion: XmlElement, keys: KeyObject[]): XmlElement => {
  const [outermost = ''] = signaturesOf(root, assertion).map((one) => verifiedBytes(one, keys))
  return parseXml(outermost)
}
