/** Reads a provider's metadata: one entity, the address of its sign-in, and its certificates. */
import type { X509Certificate } from 'node:crypto'
import { readCertificate, strongKeyOf } from './saml-certificates.ts'
import { SamlRefused } from './saml-refusal.ts'
import { metadataNamespace } from './saml-request.ts'
import { protocol } from './saml-response.ts'
import { attributeOf, childOf, childrenOf, parseCommentedXml, textOf, type XmlElement } from './saml-xml.ts'

const bindings = [
  ['redirect', 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'],
  ['post', 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'],
] as const
const signatureNamespace = 'http://www.w3.org/2000/09/xmldsig#'
const entityIdMax = 1024
const addressMax = 2048
const certificatesMax = 3

/** Reasons to refuse metadata, as texts for the administrator who sent them. */
export const metadataRefusals = {
  malformed: 'Send plain, well-formed XML of up to 256 KiB, without DOCTYPE and processing instructions.',
  entity: 'Send the metadata of one entity: one EntityDescriptor with an entityID.',
  provider: 'The entity needs one IDPSSODescriptor for SAML 2.0.',
  ssoUrl: 'The entity needs a web address for sign-in, with the HTTP-Redirect or HTTP-POST binding.',
  certificates: 'The entity needs 1 to 3 certificates for signing.',
  weak: 'Each certificate needs an RSA key of 2,048 to 8,192 bits, or a key on the curve P-256, P-384 or P-521.',
} as const

export type MetadataReason = keyof typeof metadataRefusals

export interface ProviderMetadata {
  entityId: string
  ssoUrl: string
  /** The binding of requests to `ssoUrl`. */
  binding: 'redirect' | 'post'
  wantsSignedRequests: boolean
  /** In base64, without the lines of PEM. */
  certificates: string[]
  /** The first expiry of a certificate. Only notices use it: an expired certificate still verifies. */
  firstEnd: Date
}

class MetadataRefused extends Error {
  override readonly name = 'MetadataRefused'
  readonly reason: MetadataReason

  constructor(reason: MetadataReason) {
    super(metadataRefusals[reason])
    this.reason = reason
  }
}

const refuse = (reason: MetadataReason): never => {
  throw new MetadataRefused(reason)
}

/** The only entity of a document. It can be inside groups of entities. */
const entityIn = (element: XmlElement): XmlElement => {
  if (element.namespace !== metadataNamespace) refuse('entity')
  if (element.localName === 'EntityDescriptor') return element
  const [inner, ...others] = ['EntityDescriptor', 'EntitiesDescriptor'].flatMap((one) =>
    childrenOf(element, metadataNamespace, one),
  )
  const isGroup = element.localName === 'EntitiesDescriptor'
  return isGroup && inner && others.length === 0 ? entityIn(inner) : refuse('entity')
}

const providerIn = (entity: XmlElement): XmlElement => {
  const [provider, ...others] = childrenOf(entity, metadataNamespace, 'IDPSSODescriptor').filter((one) =>
    (attributeOf(one, 'protocolSupportEnumeration') ?? '').split(/\s+/).includes(protocol),
  )
  return provider && others.length === 0 ? provider : refuse('provider')
}

/** Whether a browser may open an address. The caller decides about `http`. */
const isWebAddress = (text: string): boolean => {
  const url = text.length > addressMax ? null : URL.parse(text)
  return url !== null && /^https?:$/.test(url.protocol) && !url.username && !url.password && !url.hash
}

/** The first address of a binding. POST is used only if the provider offers no other binding. */
const signInOf = (provider: XmlElement): Pick<ProviderMetadata, 'ssoUrl' | 'binding'> => {
  const services = childrenOf(provider, metadataNamespace, 'SingleSignOnService')
  const [found] = bindings.flatMap(([binding, uri]) => {
    const service = services.find((one) => attributeOf(one, 'Binding') === uri)
    return service ? [{ binding, ssoUrl: attributeOf(service, 'Location') ?? '' }] : []
  })
  return found && isWebAddress(found.ssoUrl) ? found : refuse('ssoUrl')
}

const certificateTexts = (provider: XmlElement): string[] =>
  childrenOf(provider, metadataNamespace, 'KeyDescriptor')
    .filter((one) => (attributeOf(one, 'use') ?? 'signing') === 'signing')
    .flatMap((one) => childOf(one, signatureNamespace, 'KeyInfo') ?? [])
    .flatMap((info) => childrenOf(info, signatureNamespace, 'X509Data'))
    .flatMap((data) => childrenOf(data, signatureNamespace, 'X509Certificate'))
    .map((one) => (textOf(one) ?? '').replaceAll(/\s/g, ''))

const certificatesIn = (provider: XmlElement): X509Certificate[] => {
  const texts = [...new Set(certificateTexts(provider))]
  if (texts.length === 0 || texts.length > certificatesMax) refuse('certificates')
  return texts.map((text) => {
    const certificate = readCertificate(text) ?? refuse('certificates')
    return strongKeyOf(certificate) ? certificate : refuse('weak')
  })
}

const read = (text: string): ProviderMetadata => {
  const entity = entityIn(parseCommentedXml(text))
  const entityId = attributeOf(entity, 'entityID') ?? ''
  if (entityId === '' || entityId.length > entityIdMax) refuse('entity')
  const provider = providerIn(entity)
  const certificates = certificatesIn(provider)
  return {
    entityId,
    ...signInOf(provider),
    wantsSignedRequests: /^(?:true|1)$/.test(attributeOf(provider, 'WantAuthnRequestsSigned') ?? ''),
    certificates: certificates.map(({ raw }) => raw.toString('base64')),
    firstEnd: new Date(Math.min(...certificates.map(({ validTo }) => Date.parse(validTo)))),
  }
}

/** Reads the metadata of one provider, or returns the reason of their refusal. Ignores a signature in them. */
export const readMetadata = (text: string): ProviderMetadata | { refused: MetadataReason } => {
  try {
    return read(text)
  } catch (err) {
    if (err instanceof MetadataRefused) return { refused: err.reason }
    if (err instanceof SamlRefused) return { refused: 'malformed' }
    throw err
  }
}
