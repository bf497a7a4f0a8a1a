/** A sign-in provider of OpenID Connect that signs its person in at once, and can lie. */
import { exportJWK, generateKeyPair, SignJWT, type JWTPayload } from 'jose'
import { listen } from '../../../lab/receiver.ts'

export interface Provider {
  issuer: string
  /** The person who signs in there, by their claims. */
  person: JWTPayload
  /** Claims of the ID token that differ from the honest ones. */
  lies: JWTPayload
  /** Signs with a key that is not published. */
  isForging: boolean
  stop: () => Promise<void>
}

const metadataOf = (issuer: string) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  jwks_uri: `${issuer}/keys`,
  response_types_supported: ['code'],
  subject_types_supported: ['public'],
  id_token_signing_alg_values_supported: ['RS256'],
})

/** The address that the browser goes back to, with an answer. */
const backOf = ({ searchParams }: URL): string => {
  const back = new URL(searchParams.get('redirect_uri') ?? '')
  back.searchParams.set('code', 'any')
  back.searchParams.set('state', searchParams.get('state') ?? '')
  return back.href
}

export const startProvider = async (): Promise<Provider> => {
  const [own, strange] = [await generateKeyPair('RS256'), await generateKeyPair('RS256')]
  const published = { ...(await exportJWK(own.publicKey)), kid: 'own', alg: 'RS256' }
  let nonce = ''
  const listener = await listen((request, response) => {
    const url = new URL(request.url ?? '', provider.issuer)
    const send = (body: object) => {
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(body))
    }
    if (url.pathname === '/authorize') {
      nonce = url.searchParams.get('nonce') ?? ''
      response.writeHead(303, { location: backOf(url) }).end()
      return
    }
    if (url.pathname === '/keys') return send({ keys: [published] })
    if (url.pathname !== '/token') return send(metadataOf(provider.issuer))
    const now = Math.floor(Date.now() / 1000)
    const honest = { iss: provider.issuer, aud: 'tenantry', iat: now, exp: now + 300, nonce }
    void new SignJWT({ ...honest, ...provider.person, ...provider.lies })
      .setProtectedHeader({ alg: 'RS256', kid: 'own' })
      .sign(provider.isForging ? strange.privateKey : own.privateKey)
      .then((token) => send({ access_token: 'any', token_type: 'Bearer', id_token: token }))
  })
  const provider: Provider = {
    issuer: listener.url,
    person: {},
    lies: {},
    isForging: false,
    stop: listener.stop,
  }
  return provider
}
