/**
 * Verifies the signatures of a response, and gives the bytes that they cover. Only these may be read. The form of a
 * signature is checked before `xml-crypto` sees it, which then has nothing to choose.
 */
import { constants, createHash, type KeyLike, type KeyObject, verify } from 'node:crypto'
import { SignedXml } from 'xml-crypto'
import { SamlRefused } from './saml-refusal.ts'
import { attributeOf, childrenOf, elementsOf, parseXml, type Xml, type XmlElement } from './saml-xml.ts'

const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
const enveloped = `${signatureNamespace}enveloped-signature`
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const newer = 'http://www.w3.org/2007/05/xmldsig-more#'
const prefixList = /^(?:[A-Za-z_][\w.-]*(?: |$)){0,32}$/

interface SignatureMethod {
  hash: string
  keyType: 'rsa' | 'ec'
  padding?: number
}

const pss = constants.RSA_PKCS1_PSS_PADDING

/** RFC 9231. SHA-1, HMAC and all others are not among them. */
const signatureMethods = new Map<string, SignatureMethod>(
  ['sha256', 'sha384', 'sha512'].flatMap((hash) => [
    [`${more}rsa-${hash}`, { hash, keyType: 'rsa' }],
    [`${more}ecdsa-${hash}`, { hash, keyType: 'ec' }],
    [`${newer}${hash}-rsa-MGF1`, { hash, keyType: 'rsa', padding: pss }],
  ]),
)

const digestMethods = new Map([
  ['http://www.w3.org/2001/04/xmlenc#sha256', 'sha256'],
  [`${more}sha384`, 'sha384'],
  ['http://www.w3.org/2001/04/xmlenc#sha512', 'sha512'],
])

const refuse = (reason: 'signature_form' | 'signature_algorithm'): never => {
  throw new SamlRefused(reason)
}

/** The child elements of a part of a signature, which are exactly the named ones. */
const partsOf = <Name extends string>(parent: XmlElement, names: Name[]): Record<Name, XmlElement> => {
  const children = elementsOf(parent)
  const isExact =
    children.length === names.length &&
    children.every((child, at) => child.namespaceURI === signatureNamespace && child.localName === names[at])
  if (!isExact) refuse('signature_form')
  return Object.fromEntries(children.map((child) => [child.localName, child])) as Record<Name, XmlElement>
}

/** Whether an element names prefixes that are canonicalised inclusively, in a bounded list. */
const isPrefixList = (element: XmlElement, namespace: string): boolean =>
  element.namespaceURI === namespace &&
  element.localName === 'InclusiveNamespaces' &&
  elementsOf(element).length === 0 &&
  prefixList.test(attributeOf(element, 'PrefixList') ?? '')

/** `xml-crypto` signs with the list of prefixes in each transform, in its namespace; it counts in the last. */
const checkAlgorithm = (method: XmlElement, algorithm: string): void => {
  if (attributeOf(method, 'Algorithm') !== algorithm) refuse('signature_algorithm')
  const children = elementsOf(method)
  const areLists = children.every((child) => isPrefixList(child, algorithm))
  if (children.length > 1 || !areLists) refuse('signature_form')
}

const checkTransforms = (transforms: XmlElement): void => {
  const [first, second, ...others] = childrenOf(transforms, signatureNamespace, 'Transform')
  if (!first || !second || others.length > 0 || elementsOf(transforms).length !== 2) {
    return refuse('signature_form')
  }
  checkAlgorithm(first, enveloped)
  checkAlgorithm(second, exclusive)
}

const checkReference = (reference: XmlElement, signed: XmlElement): void => {
  const parts = partsOf(reference, ['Transforms', 'DigestMethod', 'DigestValue'])
  const id = attributeOf(signed, 'ID')
  if (!id || attributeOf(reference, 'URI') !== `#${id}`) refuse('signature_form')
  checkTransforms(parts.Transforms)
  if (!digestMethods.has(attributeOf(parts.DigestMethod, 'Algorithm') ?? '')) refuse('signature_algorithm')
  partsOf(parts.DigestMethod, [])
  partsOf(parts.DigestValue, [])
}

/** Checks the form of a signature, and returns its method. KeyInfo is ignored: nearly every provider sends it. */
const checkForm = (signature: XmlElement): string => {
  const hasKeyInfo = childrenOf(signature, signatureNamespace, 'KeyInfo').length === 1
  const parts = partsOf(signature, ['SignedInfo', 'SignatureValue', ...(hasKeyInfo ? ['KeyInfo'] : [])])
  const info = partsOf(parts['SignedInfo'] as XmlElement, [
    'CanonicalizationMethod',
    'SignatureMethod',
    'Reference',
  ])
  partsOf(parts['SignatureValue'] as XmlElement, [])
  checkAlgorithm(info.CanonicalizationMethod, exclusive)
  partsOf(info.SignatureMethod, [])
  checkReference(info.Reference, signature.parentNode)
  return attributeOf(info.SignatureMethod, 'Algorithm') ?? ''
}

/** The one algorithm of a signature, as `xml-crypto` wants it. */
const algorithmOf = (uri: string, { hash, padding }: SignatureMethod) =>
  class {
    getAlgorithmName = () => uri
    getSignature = (): never => refuse('signature_algorithm')
    verifySignature = (material: string, key: KeyLike, value: string): boolean =>
      verify(
        hash,
        Buffer.from(material),
        {
          key: key as KeyObject,
          dsaEncoding: 'ieee-p1363',
          ...(padding && { padding, saltLength: constants.RSA_PSS_SALTLEN_DIGEST }),
        },
        Buffer.from(value, 'base64'),
      )
  }

const digests = Object.fromEntries(
  Array.from(digestMethods, ([uri, hash]) => [
    uri,
    class {
      getAlgorithmName = () => uri
      getHash = (xml: string) => createHash(hash).update(xml).digest('base64')
    },
  ]),
)

/** The bytes that one signature covers by one key; undefined where it does not. */
const coveredBy = (text: string, signature: XmlElement, key: KeyObject): string | undefined => {
  const uri = checkForm(signature)
  const method = signatureMethods.get(uri) ?? refuse('signature_algorithm')
  if (key.asymmetricKeyType !== method.keyType) return undefined
  const verifier = new SignedXml({ publicCert: key, getCertFromKeyInfo: () => null })
  verifier.SignatureAlgorithms = { [uri]: algorithmOf(uri, method) }
  verifier.HashAlgorithms = digests
  try {
    verifier.loadSignature(signature)
    if (!verifier.checkSignature(text)) return undefined
  } catch {
    // It throws for a wrong signature, and for much else.
    return undefined
  }
  const [bytes, ...others] = verifier.getSignedReferences()
  return others.length > 0 ? undefined : bytes
}

const verifiedBytes = (text: string, signature: XmlElement, keys: KeyObject[]): string => {
  for (const key of keys) {
    const bytes = coveredBy(text, signature, key)
    if (bytes !== undefined) return bytes
  }
  throw new SamlRefused('signature_invalid')
}

/** The signatures of a document: in the root or in an assertion, one each, and nowhere else. */
const signaturesOf = (root: XmlElement, assertion: XmlElement): XmlElement[] => {
  const placed = [root, assertion].map((place) => childrenOf(place, signatureNamespace, 'Signature'))
  const all = root.getElementsByTagNameNS('*', 'Signature').length
  if (all === 0) throw new SamlRefused('unsigned')
  const signatures = placed.flat()
  if (signatures.length !== all || placed.some(({ length }) => length > 1)) refuse('signature_form')
  return signatures
}

/**
 * Verifies every signature of a document by one of the keys. Each signs the element that it stands in. Returns the
 * outermost of these, parsed anew from its verified bytes. Throws SamlRefused.
 */
export const readVerified = ({ text, root }: Xml, assertion: XmlElement, keys: KeyObject[]): XmlElement => {
  const [outermost = ''] = signaturesOf(root, assertion).map((one) => verifiedBytes(text, one, keys))
  return parseXml(outermost).root
}
