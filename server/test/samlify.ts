/** A provider made of `samlify`, which adopters use. It is required: its types bring those of a browser. */
import { createRequire } from 'node:module'
import { pemOf, type SamlKey } from '../../lab/saml.ts'

const require = createRequire(import.meta.url)
const samlify = require('samlify')
// It wants a validator of schemas; the tests read its output by our own reader.
samlify.setSchemaValidator({ validate: () => Promise.resolve('unvalidated') })

const bindingOf = (name: string) => `urn:oasis:names:tc:SAML:2.0:bindings:HTTP-${name}`

export interface SamlifyOptions {
  entityId: string
  ssoUrl: string
  key: SamlKey
  /** Our metadata. */
  ours: string
  /** Which part it signs. */
  signs?: 'response' | 'assertion' | 'both'
  /** Its only binding for requests. */
  binding?: 'Redirect' | 'POST'
  wantsSignedRequests?: boolean
}

export const samlifyProvider = ({ entityId, ssoUrl, key, ours, ...options }: SamlifyOptions) => {
  const { signs = 'assertion', binding = 'Redirect', wantsSignedRequests = false } = options
  const provider = samlify.IdentityProvider({
    entityID: entityId,
    privateKey: key.pem,
    signingCert: pemOf(key),
    singleSignOnService: [{ Binding: bindingOf(binding), Location: ssoUrl }],
    // Without one it warns.
    singleLogoutService: [{ Binding: bindingOf('Redirect'), Location: ssoUrl }],
    nameIDFormat: ['urn:oasis:names:tc:SAML:2.0:nameid-format:persistent'],
    wantAuthnRequestsSigned: wantsSignedRequests,
    requestSignatureAlgorithm: 'http://www.w3.org/2001/04/xmldsig-more#rsa-sha256',
  })
  const metadata = signs === 'response' ? ours.replace('WantAssertionsSigned="true"', '') : ours
  const client = samlify.ServiceProvider({ metadata, wantMessageSigned: signs === 'both' })
  return {
    metadata: provider.getMetadata() as string,
    /** Reads a request at the address of the provider, and returns its ID. */
    readRequest: async (address: string): Promise<string> => {
      const { searchParams, search } = new URL(address)
      const [, octetString = ''] = /[?&](SAMLRequest=.*?)(?:&Signature=.*)?$/.exec(search) ?? []
      const request = { query: Object.fromEntries(searchParams), octetString }
      const { extract } = await provider.parseLoginRequest(client, 'redirect', request)
      return extract.request.id
    },
    /** Reads a request that a form posts, and returns its ID. */
    readPostedRequest: async (encoded: string): Promise<string> => {
      const request = { body: { SAMLRequest: encoded } }
      const { extract } = await provider.parseLoginRequest(client, 'post', request)
      return extract.request.id
    },
    /** The `SAMLResponse` that signs a person in. */
    respond: async (requestId: string, email: string): Promise<string> => {
      const request = { extract: { request: { id: requestId } } }
      const { context } = await provider.createLoginResponse(client, request, 'post', { email })
      return context
    },
  }
}
