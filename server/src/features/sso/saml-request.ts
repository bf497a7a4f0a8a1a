/** Writes SAML: the address that begins a sign-in, with an unsigned request, and our metadata. */
import { deflateRawSync } from 'node:zlib'
import { assertionNamespace, protocol } from './saml-response.ts'

export const metadataNamespace = 'urn:oasis:names:tc:SAML:2.0:metadata'
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

const entities: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escape = (text: string): string => text.replaceAll(/[&<>"]/g, (one) => entities[one] ?? one)

/** Our two addresses in a connection. */
export interface OurSide {
  entityId: string
  acsUrl: string
}

/** The provider's address with a request in it (Redirect binding). `id` begins with a letter or `_`, as XML wants it. */
export const requestAddress = (
  ssoUrl: string,
  { entityId, acsUrl }: OurSide,
  { id, now }: { id: string; now: Date },
): string => {
  const request =
    `<samlp:AuthnRequest xmlns:samlp="${protocol}" xmlns:saml="${assertionNamespace}" ID="${escape(id)}" Version="2.0"` +
    ` IssueInstant="${now.toISOString()}" Destination="${escape(ssoUrl)}" ProtocolBinding="${post}"` +
    ` AssertionConsumerServiceURL="${escape(acsUrl)}"><saml:Issuer>${escape(entityId)}</saml:Issuer></samlp:AuthnRequest>`
  const address = new URL(ssoUrl)
  address.searchParams.set('SAMLRequest', deflateRawSync(request).toString('base64'))
  return address.href
}

/** Our metadata: one entity that takes signed assertions by POST. */
export const ourMetadata = ({ entityId, acsUrl }: OurSide): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n` +
  `<md:EntityDescriptor xmlns:md="${metadataNamespace}" entityID="${escape(entityId)}">` +
  `<md:SPSSODescriptor AuthnRequestsSigned="false" WantAssertionsSigned="true" protocolSupportEnumeration="${protocol}">` +
  `<md:AssertionConsumerService Binding="${post}" Location="${escape(acsUrl)}" index="0" isDefault="true"/>` +
  `</md:SPSSODescriptor></md:EntityDescriptor>\n`
