/** Code for the libraries that are tested with this service (docs/contract.md, "Sign in with Tenantry"). */
import type { Application } from '@tenantry/client'

interface Facts {
  issuer: string
  clientId: string
  redirectUri: string
}

interface Framework {
  name: string
  kind: Application['kind']
  /** A suggestion for the address that the library serves. */
  redirectUri: string
  code: (facts: Facts) => string
}

const scope = 'openid profile email'

const browserCode = ({ issuer, clientId, redirectUri }: Facts): string => `// npm install oidc-client-ts
import { UserManager } from 'oidc-client-ts'

export const users = new UserManager({
  authority: '${issuer}',
  client_id: '${clientId}',
  redirect_uri: '${redirectUri}',
  post_logout_redirect_uri: '${new URL(redirectUri).origin}',
  scope: '${scope}',
})

// The buttons "Sign in" and "Sign out":
await users.signinRedirect()
await users.signoutRedirect()

// The page at ${redirectUri}:
const { profile, access_token } = await users.signinRedirectCallback()`

const nextCode = ({ issuer, clientId }: Facts): string => `// npm install next-auth@beta
// app/auth.ts, with the secret in AUTH_TENANTRY_SECRET
import NextAuth from 'next-auth'

export const { handlers, auth, signIn, signOut } = NextAuth({
  providers: [
    {
      id: 'tenantry',
      name: 'Tenantry',
      type: 'oidc',
      issuer: '${issuer}',
      clientId: '${clientId}',
      clientSecret: process.env.AUTH_TENANTRY_SECRET,
      checks: ['pkce', 'state', 'nonce'],
    },
  ],
})`

const expressCode = ({
  issuer,
  clientId,
  redirectUri,
}: Facts): string => `// npm install express-openid-connect
import { auth, requiresAuth } from 'express-openid-connect'

app.use(
  auth({
    issuerBaseURL: '${issuer}',
    baseURL: '${redirectUri.replace(/\/callback$/, '')}',
    clientID: '${clientId}',
    clientSecret: process.env.CLIENT_SECRET,
    secret: process.env.SESSION_SECRET, // any long random text of your own
    authRequired: false,
    authorizationParams: { response_type: 'code', scope: '${scope}' },
  }),
)

app.get('/me', requiresAuth(), (request, response) => response.json(request.oidc.user))`

const nestCode = ({
  issuer,
  clientId,
  redirectUri,
}: Facts): string => `// npm install @nestjs/passport passport passport-openidconnect
import { Injectable } from '@nestjs/common'
import { PassportStrategy } from '@nestjs/passport'
import Strategy from 'passport-openidconnect'

@Injectable()
export class TenantryStrategy extends PassportStrategy(Strategy, 'tenantry') {
  constructor() {
    super({
      issuer: '${issuer}',
      authorizationURL: '${issuer}/oauth2/authorize',
      tokenURL: '${issuer}/oauth2/token',
      userInfoURL: '${issuer}/oauth2/userinfo',
      clientID: '${clientId}',
      clientSecret: process.env.CLIENT_SECRET,
      callbackURL: '${redirectUri}',
      scope: 'profile email',
      nonce: true, // this library knows no PKCE
    })
  }

  validate(issuer: string, profile: { id: string; displayName: string }) {
    return profile
  }
}`

const grafanaCode = ({
  issuer,
  clientId,
}: Facts): string => `# grafana.ini, with the secret in GF_AUTH_GENERIC_OAUTH_CLIENT_SECRET
[auth.generic_oauth]
enabled = true
name = Tenantry
client_id = ${clientId}
scopes = ${scope}
auth_url = ${issuer}/oauth2/authorize
token_url = ${issuer}/oauth2/token
api_url = ${issuer}/oauth2/userinfo
use_pkce = true
login_attribute_path = preferred_username
name_attribute_path = name
email_attribute_path = email`

const nativeCode = ({ issuer, clientId, redirectUri }: Facts): string => `// npm install openid-client
import * as oidc from 'openid-client'

const config = await oidc.discovery(new URL('${issuer}'), '${clientId}', undefined, oidc.None())
const verifier = oidc.randomPKCECodeVerifier()
const state = oidc.randomState()
const address = oidc.buildAuthorizationUrl(config, {
  redirect_uri: '${redirectUri}', // at 127.0.0.1 with any free port
  scope: '${scope}',
  code_challenge: await oidc.calculatePKCECodeChallenge(verifier),
  code_challenge_method: 'S256',
  state,
})

// Open the address in the browser of the person. With the address of the answer:
const tokens = await oidc.authorizationCodeGrant(config, answered, {
  pkceCodeVerifier: verifier,
  expectedState: state,
})`

export const frameworks = {
  'oidc-client-ts': {
    name: 'oidc-client-ts',
    kind: 'browser',
    redirectUri: 'http://localhost:5173/callback',
    code: browserCode,
  },
  next: {
    name: 'Next.js (Auth.js)',
    kind: 'web',
    redirectUri: 'http://localhost:3000/api/auth/callback/tenantry',
    code: nextCode,
  },
  express: {
    name: 'Express (express-openid-connect)',
    kind: 'web',
    redirectUri: 'http://localhost:3000/callback',
    code: expressCode,
  },
  nest: {
    name: 'NestJS (passport-openidconnect)',
    kind: 'web',
    redirectUri: 'http://localhost:3000/callback',
    code: nestCode,
  },
  grafana: {
    name: 'Grafana',
    kind: 'web',
    redirectUri: 'http://localhost:3000/login/generic_oauth',
    code: grafanaCode,
  },
  native: {
    name: 'openid-client',
    kind: 'native',
    redirectUri: 'http://127.0.0.1/callback',
    code: nativeCode,
  },
} as const satisfies Record<string, Framework>

export type FrameworkId = keyof typeof frameworks

export const frameworkIds = Object.keys(frameworks) as FrameworkId[]

export const frameworksOf = (kind: Application['kind']): FrameworkId[] =>
  frameworkIds.filter((id) => frameworks[id].kind === kind)

/** An MCP server, which takes tokens for a resource. */
export const guardCode = (issuer: string, identifier: string): string => `// npm install @tenantry/client
import { createGuard } from '@tenantry/client/guard'

const guard = createGuard({
  baseUrl: '${issuer}',
  key: process.env.TENANTRY_KEY, // of a service account with authz:check
  resource: '${identifier}',
})

// Names the server that gives tokens to clients without a token:
const metadata = guard.metadata()
app.get(metadata.paths, metadata.express)

app.post('/mcp', guard.express('invoice:read'), handle)`
