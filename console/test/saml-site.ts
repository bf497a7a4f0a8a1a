/** A provider of SAML on loopback, for browsers: it signs its person in at once, and posts the response. */
import { listen } from '../../lab/receiver.ts'
import { answerTo, attributeXml, posted, readRequest, responseXml, rsaKey, signXml } from '../../lab/saml.ts'
import { samlifyProvider } from '../../server/test/samlify.ts'
import { strangersMetadata } from '../../server/test/saml.ts'

export interface SamlSite {
  metadata: string
  /** The person who signs in there. */
  person: { id: string; email: string; name: string }
  stop: () => Promise<void>
}

export const startSamlSite = async (): Promise<SamlSite> => {
  const key = rsaKey()
  const site: SamlSite = { metadata: '', person: { id: '', email: '', name: '' }, stop: async () => {} }
  let entityId = ''
  const respond = (address: string): string => {
    const asked = readRequest(address)
    const { person } = site
    const xml = responseXml({
      ...answerTo(asked, entityId),
      nameId: person.id,
      attributes: attributeXml('email', person.email) + attributeXml('name', person.name),
    })
    return `<!doctype html><html lang="en"><title>Provider</title><form method="post" action="${asked.acsUrl}">
      <input type="hidden" name="SAMLResponse" value="${posted(signXml(xml, { key }))}"></form>
      <script>document.forms[0].submit()</script></html>`
  }
  const listener = await listen((request, response) => {
    response.setHeader('content-type', 'text/html')
    response.end(respond(request.url ?? ''))
  })
  entityId = `${listener.url}/entity`
  site.metadata = samlifyProvider({
    entityId,
    ssoUrl: `${listener.url}/sso`,
    key,
    ours: strangersMetadata,
    signs: 'both',
  }).metadata
  site.stop = listener.stop
  return site
}
