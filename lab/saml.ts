/**
 * SAML providers for tests: their keys, their responses, and signatures of every kind, honest and not. The responses
 * are written by hand, so that a test can break any part of one.
 */
import {
  constants,
  createHash,
  createHmac,
  createSign,
  generateKeyPairSync,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
} from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { SignedXml } from 'xml-crypto'

/** One value of DER: a tag, a length, and the content. */
const der = (tag: number, ...content: Buffer[]): Buffer => {
  const body = Buffer.concat(content)
  const length = Buffer.from(body.length.toString(16).padStart(body.length > 255 ? 4 : 2, '0'), 'hex')
  const head = body.length < 128 ? length : Buffer.concat([Buffer.from([0x80 + length.length]), length])
  return Buffer.concat([Buffer.from([tag]), head, body])
}

const sequence = (...content: Buffer[]) => der(0x30, ...content)
const sha256WithRsa = sequence(der(0x06, Buffer.from('2a864886f70d01010b', 'hex')), der(0x05))
const nameOf = (text: string) =>
  sequence(der(0x31, sequence(der(0x06, Buffer.from('550403', 'hex')), der(0x0c, Buffer.from(text)))))
const timeOf = (year: number) => der(0x18, Buffer.from(`${year}0101000000Z`))

/**
 * A certificate of a key, valid until the first day of `endYear`. Its signature is a dummy, because nobody verifies
 * it.
 */
export const certify = (publicKey: KeyObject, endYear: number): string =>
  sequence(
    sequence(
      der(0xa0, der(0x02, Buffer.from([2]))),
      der(0x02, Buffer.concat([Buffer.from([1]), randomBytes(8)])),
      sha256WithRsa,
      nameOf('Provider of tests'),
      sequence(timeOf(2020), timeOf(endYear)),
      nameOf('Provider of tests'),
      publicKey.export({ type: 'spki', format: 'der' }),
    ),
    sha256WithRsa,
    der(0x03, Buffer.from([0, 1])),
  ).toString('base64')

export interface SamlKey {
  privateKey: KeyObject
  pem: string
  /** In base64, without the lines of PEM. */
  certificate: string
}

const keyOf = (
  { privateKey, publicKey }: { privateKey: KeyObject; publicKey: KeyObject },
  endYear = 2050,
) => ({
  privateKey,
  pem: privateKey.export({ type: 'pkcs8', format: 'pem' }),
  certificate: certify(publicKey, endYear),
})

export const rsaKey = (modulusLength = 2048, endYear?: number): SamlKey =>
  keyOf(generateKeyPairSync('rsa', { modulusLength }), endYear)

export const curveKey = (namedCurve: string): SamlKey => keyOf(generateKeyPairSync('ec', { namedCurve }))

export const edwardsKey = (): SamlKey => keyOf(generateKeyPairSync('ed25519'))

export const pemOf = ({ certificate }: SamlKey): string =>
  `-----BEGIN CERTIFICATE-----\n${certificate.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`

export const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
export const exclusive = 'http://www.w3.org/2001/10/xml-exc-c14n#'
export const enveloped = `${signatureNamespace}enveloped-signature`
export const rsaSha256 = 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256'
export const sha256 = 'http://www.w3.org/2001/04/xmlenc#sha256'

type Signer = (text: string, key: KeyObject) => Buffer

const rsa =
  (hash: string): Signer =>
  (text, key) =>
    createSign(hash).update(text).sign(key)
const curve =
  (hash: string): Signer =>
  (text, key) =>
    sign(hash, Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' })
const pss =
  (hash: string): Signer =>
  (text, key) =>
    sign(hash, Buffer.from(text), {
      key,
      padding: constants.RSA_PKCS1_PSS_PADDING,
      saltLength: constants.RSA_PSS_SALTLEN_DIGEST,
    })
/** An algorithm confusion: a MAC whose key is the public certificate, which anybody has. */
const hmac =
  (hash: string, secret: string): Signer =>
  (text) =>
    createHmac(hash, secret).update(text).digest()

export const signers = { rsa, curve, pss, hmac }

export interface SigningOptions {
  key: SamlKey
  /** The local name of the signed element, which also contains the signature. */
  of?: 'Response' | 'Assertion'
  method?: string
  signer?: Signer
  digest?: string
  hash?: string
  transforms?: string[]
  canonicalization?: string
  inclusive?: string[]
  /** Further elements that the same signature references. */
  more?: string[]
  keyInfo?: string
  prefix?: string
}

const honestly = {
  of: 'Assertion',
  method: rsaSha256,
  signer: rsa('sha256'),
  digest: sha256,
  hash: 'sha256',
  transforms: [enveloped, exclusive] as string[],
  canonicalization: exclusive,
  inclusive: [] as string[],
  more: [] as string[],
  keyInfo: null,
  prefix: 'ds',
} as const

/** Signs an element of a document, and puts the signature behind its Issuer. */
export const signXml = (xml: string, options: SigningOptions): string => {
  const { key, of, method, digest, hash, signer, transforms, canonicalization, ...rest } = {
    ...honestly,
    ...options,
  }
  const element = of === 'Response' ? '/*' : "/*/*[local-name(.)='Assertion']"
  const signature = new SignedXml({
    privateKey: key.privateKey,
    signatureAlgorithm: method,
    canonicalizationAlgorithm: canonicalization,
    getKeyInfoContent: () => rest.keyInfo,
    inclusiveNamespacesPrefixList: rest.inclusive,
  })
  signature.SignatureAlgorithms[method] = class {
    getAlgorithmName = () => method
    getSignature = (text: string) => signer(text, key.privateKey).toString('base64')
    verifySignature = () => false
  }
  signature.HashAlgorithms[digest] = class {
    getAlgorithmName = () => digest
    getHash = (text: string) => createHash(hash).update(text).digest('base64')
  }
  for (const xpath of [element, ...rest.more]) {
    signature.addReference({
      xpath,
      transforms,
      digestAlgorithm: digest,
      inclusiveNamespacesPrefixList: rest.inclusive,
    })
  }
  const location = { reference: `${element}/*[local-name(.)='Issuer']`, action: 'after' } as const
  signature.computeSignature(xml, { prefix: rest.prefix, location })
  return signature.getSignedXml()
}

const bearer = 'urn:oasis:names:tc:SAML:2.0:cm:bearer'
const persistent = 'urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'
const success = 'urn:oasis:names:tc:SAML:2.0:status:Success'

/** The parts of an honest response. A test replaces some. */
export const honestParts = {
  responseId: '_response',
  assertionId: '_assertion',
  issuer: 'https://provider.example/entity',
  responseIssuer: 'https://provider.example/entity',
  acsUrl: 'https://tenantry.example/sso/saml/1/acs',
  destination: 'https://tenantry.example/sso/saml/1/acs',
  audience: 'https://tenantry.example/sso/saml/1/metadata',
  requestId: '_request',
  nameId: 'ada@acme.example',
  format: persistent,
  method: bearer,
  status: success,
  notBefore: '2026-11-27T11:59:00Z',
  notOnOrAfter: '2026-11-27T12:05:00Z',
  confirmedUntil: '2026-11-27T12:05:00Z',
  sessionEnd: '2026-11-27T20:00:00Z',
  conditions: '',
  attributes:
    '<saml:Attribute Name="email"><saml:AttributeValue>ada@acme.example</saml:AttributeValue></saml:Attribute>',
}

export type Parts = typeof honestParts

export const assertionXml = (parts: Parts): string =>
  `<saml:Assertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion" ID="${parts.assertionId}" Version="2.0" IssueInstant="2026-11-27T12:00:00Z">` +
  `<saml:Issuer>${parts.issuer}</saml:Issuer><saml:Subject><saml:NameID Format="${parts.format}">${parts.nameId}</saml:NameID>` +
  `<saml:SubjectConfirmation Method="${parts.method}"><saml:SubjectConfirmationData InResponseTo="${parts.requestId}"` +
  ` Recipient="${parts.acsUrl}" NotOnOrAfter="${parts.confirmedUntil}"/></saml:SubjectConfirmation></saml:Subject>` +
  `<saml:Conditions NotBefore="${parts.notBefore}" NotOnOrAfter="${parts.notOnOrAfter}"><saml:AudienceRestriction>` +
  `<saml:Audience>${parts.audience}</saml:Audience></saml:AudienceRestriction>${parts.conditions}</saml:Conditions>` +
  `<saml:AuthnStatement AuthnInstant="2026-11-27T12:00:00Z" SessionNotOnOrAfter="${parts.sessionEnd}"><saml:AuthnContext>` +
  `<saml:AuthnContextClassRef>urn:oasis:names:tc:SAML:2.0:ac:classes:Password</saml:AuthnContextClassRef></saml:AuthnContext>` +
  `</saml:AuthnStatement><saml:AttributeStatement>${parts.attributes}</saml:AttributeStatement></saml:Assertion>`

/** A response with any content. */
export const responseAround = (parts: Parts, content: string): string =>
  `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="${parts.responseId}" Version="2.0"` +
  ` IssueInstant="2026-11-27T12:00:00Z" Destination="${parts.destination}" InResponseTo="${parts.requestId}">` +
  `<saml:Issuer xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion">${parts.responseIssuer}</saml:Issuer>` +
  `<samlp:Status><samlp:StatusCode Value="${parts.status}"/></samlp:Status>${content}</samlp:Response>`

export const responseXml = (changed: Partial<Parts> = {}): string => {
  const parts = { ...honestParts, ...changed }
  return responseAround(parts, assertionXml(parts))
}

export const attributeXml = (name: string, ...values: string[]): string =>
  `<saml:Attribute Name="${name}">${values.map((one) => `<saml:AttributeValue>${one}</saml:AttributeValue>`).join('')}</saml:Attribute>`

/** A SAML request that a browser carries to a provider: its id, and the address for the answer. */
export interface SamlRequest {
  id: string
  acsUrl: string
}

/** Reads the request in the address that a browser opens. */
export const readRequest = (address: string): SamlRequest => {
  const encoded = new URL(address, 'http://localhost').searchParams.get('SAMLRequest') ?? ''
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString()
  const read = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  return { id: read('ID'), acsUrl: read('AssertionConsumerServiceURL') }
}

/** The honest parts of an entity's answer to a request, except for the person. */
export const answerTo = ({ id, acsUrl }: SamlRequest, entityId: string, now = Date.now()): Parts => {
  const inMinutes = (minutes: number) => new Date(now + minutes * 60_000).toISOString()
  return {
    ...honestParts,
    responseId: `_${randomUUID()}`,
    assertionId: `_${randomUUID()}`,
    issuer: entityId,
    responseIssuer: entityId,
    acsUrl,
    destination: acsUrl,
    audience: acsUrl.replace(/acs$/, 'metadata'),
    requestId: id,
    notBefore: inMinutes(-1),
    notOnOrAfter: inMinutes(5),
    confirmedUntil: inMinutes(5),
    sessionEnd: inMinutes(600),
  }
}

/** The metadata of a provider whose sign-in is at `/sso`. */
export const metadataXml = (entityId: string, certificate: string): string =>
  `<EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" entityID="${entityId}"><IDPSSODescriptor ` +
  'protocolSupportEnumeration="urn:oasis:names:tc:SAML:2.0:protocol"><KeyDescriptor use="signing"><KeyInfo ' +
  `xmlns="http://www.w3.org/2000/09/xmldsig#"><X509Data><X509Certificate>${certificate}</X509Certificate></X509Data>` +
  '</KeyInfo></KeyDescriptor><SingleSignOnService Binding="urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect" ' +
  `Location="${entityId}/sso"/></IDPSSODescriptor></EntityDescriptor>`

export const posted = (xml: string): string => Buffer.from(xml).toString('base64')
