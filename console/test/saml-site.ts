/** A provider of SAML on loopback, for browsers: it signs its person in at once, and posts the response. */
import { randomUUID } from 'node:crypto'
import { inflateRawSync } from 'node:zlib'
import { listen } from '../../lab/receiver.ts'
import { posted, responseXml, rsaKey, signXml } from '../../server/test/saml-provider.ts'
import { samlifyProvider } from '../../server/test/samlify.ts'
import { ourMetadata } from '../../server/src/features/sso/saml-request.ts'

export interface SamlSite {
  metadata: string
  /** The person who signs in there. */
  person: { id: string; email: string; name: string }
  stop: () => Promise<void>
}

const attributeOf = (name: string, value: string): string =>
  `<saml:Attribute Name="${name}"><saml:AttributeValue>${value}</saml:AttributeValue></saml:Attribute>`

/** The id of a request, and the place for its answer. */
const readRequest = (address: string) => {
  const encoded = new URL(address, 'http://localhost').searchParams.get('SAMLRequest') ?? ''
  const xml = inflateRawSync(Buffer.from(encoded, 'base64')).toString()
  const read = (name: string): string => new RegExp(`${name}="([^"]*)"`).exec(xml)?.[1] ?? ''
  return { id: read('ID'), acsUrl: read('AssertionConsumerServiceURL') }
}

export const startSamlSite = async (): Promise<SamlSite> => {
  const key = rsaKey()
  const site: SamlSite = { metadata: '', person: { id: '', email: '', name: '' }, stop: async () => {} }
  let entityId = ''
  const respond = (address: string): string => {
    const { id, acsUrl } = readRequest(address)
    const { person } = site
    const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString()
    const xml = responseXml({
      responseId: `_${randomUUID()}`,
      assertionId: `_${randomUUID()}`,
      issuer: entityId,
      responseIssuer: entityId,
      acsUrl,
      destination: acsUrl,
      audience: acsUrl.replace(/acs$/, 'metadata'),
      requestId: id,
      nameId: person.id,
      notBefore: inMinutes(-1),
      notOnOrAfter: inMinutes(5),
      confirmedUntil: inMinutes(5),
      sessionEnd: inMinutes(600),
      attributes: attributeOf('email', person.email) + attributeOf('name', person.name),
    })
    return `<!doctype html><html lang="en"><title>Provider</title><form method="post" action="${acsUrl}">
      <input type="hidden" name="SAMLResponse" value="${posted(signXml(xml, { key }))}"></form>
      <script>document.forms[0].submit()</script></html>`
  }
  const listener = await listen((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(respond(request.url ?? ''))
  })
  entityId = `${listener.url}/entity`
  const ours = ourMetadata({ entityId: 'https://a.example', acsUrl: 'https://a.example' })
  site.metadata = samlifyProvider({
    entityId,
    ssoUrl: `${listener.url}/sso`,
    key,
    ours,
    signs: 'both',
  }).metadata
  site.stop = listener.stop
  return site
}
