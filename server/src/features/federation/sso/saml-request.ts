/** Writes SAML: sign-in requests, and the metadata of this service. */
import { createHash, type KeyObject, sign } from 'node:crypto'
import { deflateRawSync } from 'node:zlib'
import { canonical } from './saml-canonical.ts'
import { certificateOf } from './saml-certificates.ts'
import { assertionNamespace, protocol } from './saml-response.ts'
import { enveloped, exclusive, rsaSha256, sha256, signatureNamespace } from './saml-signature.ts'
import { parseXml } from './saml-xml.ts'

export const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata'
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** The two addresses of this service in a connection. */
export interface ServiceProvider {
  entityId: string
  acsUrl: string
}

export interface IdentityProvider {
  ssoUrl: string
  binding: 'redirect' | 'post'
  /** The key that signs requests; undefined if the provider wants no signatures. */
  key: KeyObject | undefined
}

/** The identity of a request; `id` begins with a letter or `_`, as XML requires. */
interface RequestIdentity {
  id: string
  now: Date
}

const requestXml = (
  ssoUrl: string,
  { entityId, acsUrl }: ServiceProvider,
  { id, now }: RequestIdentity,
): string =>
  `<samlp:AuthnRequest xmlns:samlp="${protocol}" xmlns:saml="${assertionNamespace}" ID="${escape(id)}" Version="2.0"` +
  ` IssueInstant="${now.toISOString()}" Destination="${escape(ssoUrl)}" ProtocolBinding="${post}"` +
  ` AssertionConsumerServiceURL="${escape(acsUrl)}"><saml:Issuer>${escape(entityId)}</saml:Issuer></samlp:AuthnRequest>`

const canonicalOf = (xml: string): string => canonical(parseXml(xml), { inclusive: [] })

const keyInfoOf = (key: KeyObject): string =>
  `<ds:KeyInfo xmlns:ds="${signatureNamespace}"><ds:X509Data><ds:X509Certificate>${certificateOf(key)}</ds:X509Certificate>` +
  '</ds:X509Data></ds:KeyInfo>'

/** A request with its signature after the Issuer (SAML Core, 5.4). */
const signedXml = (xml: string, id: string, key: KeyObject): string => {
  const digest = createHash('sha256').update(canonicalOf(xml)).digest('base64')
  const info =
    `<ds:SignedInfo xmlns:ds="${signatureNamespace}"><ds:CanonicalizationMethod Algorithm="${exclusive}"/>` +
    `<ds:SignatureMethod Algorithm="${rsaSha256}"/><ds:Reference URI="#${escape(id)}"><ds:Transforms>` +
    `<ds:Transform Algorithm="${enveloped}"/><ds:Transform Algorithm="${exclusive}"/></ds:Transforms>` +
    `<ds:DigestMethod Algorithm="${sha256}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`
  const value = sign('sha256', Buffer.from(canonicalOf(info)), key).toString('base64')
  const signature =
    `<ds:Signature xmlns:ds="${signatureNamespace}">${info}<ds:SignatureValue>${value}</ds:SignatureValue>` +
    `${keyInfoOf(key)}</ds:Signature>`
  return xml.replace('</saml:Issuer>', (end) => end + signature)
}

/** The address with a request in its query. The signature covers the query as sent (SAML Bindings, 3.4.4.1). */
const addressWith = (xml: string, { ssoUrl, key }: IdentityProvider): string => {
  const query = new URLSearchParams({ SAMLRequest: deflateRawSync(xml).toString('base64') })
  if (key) {
    query.set('SigAlg', rsaSha256)
    query.set('Signature', sign('sha256', Buffer.from(query.toString()), key).toString('base64'))
  }
  const address = new URL(ssoUrl)
  address.search = `${address.search ? `${address.search}&` : ''}${query.toString()}`
  return address.href
}

/** A request to a provider: an address to open, or an address and the form to post to it. */
export interface ProviderRequest {
  address: string
  form: Record<string, string> | undefined
}

/** A request to a connection's provider, in the provider's binding, and signed if the provider wants that. */
export const samlRequestTo = (
  provider: IdentityProvider,
  ours: ServiceProvider,
  asked: RequestIdentity,
): ProviderRequest => {
  const { ssoUrl, binding, key } = provider
  const xml = requestXml(ssoUrl, ours, asked)
  if (binding === 'redirect') return { address: addressWith(xml, provider), form: undefined }
  const document = key ? signedXml(xml, asked.id, key) : xml
  return { address: ssoUrl, form: { SAMLRequest: Buffer.from(document).toString('base64') } }
}

/**
 * The metadata of this service: one entity that accepts signed assertions by POST. They declare whether it signs
 * requests, and with which key.
 */
export const ourMetadata = (
  { entityId, acsUrl }: ServiceProvider,
  { key, signsRequests }: { key: KeyObject; signsRequests: boolean },
): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n` +
  `<md:EntityDescriptor xmlns:md="${metadataNamespace}" entityID="${escape(entityId)}">` +
  `<md:SPSSODescriptor AuthnRequestsSigned="${signsRequests}" WantAssertionsSigned="true" protocolSupportEnumeration="${protocol}">` +
  `<md:KeyDescriptor use="signing">${keyInfoOf(key)}</md:KeyDescriptor>` +
  `<md:AssertionConsumerService Binding="${post}" Location="${escape(acsUrl)}" index="0" isDefault="true"/>` +
  `</md:SPSSODescriptor></md:EntityDescriptor>\n`
