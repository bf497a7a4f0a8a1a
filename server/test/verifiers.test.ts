/** Real verifiers of the ecosystem accept our access tokens by the published keys, and nothing else. */
import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import fastifyJwt, { type TokenOrHeader } from '@fastify/jwt'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { expressjwt, type GetVerificationKey } from 'express-jwt'
import { auth } from 'express-oauth2-jwt-bearer'
import fastify, { type FastifyRequest } from 'fastify'
import buildGetJwks from 'get-jwks'
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify, SignJWT } from 'jose'
import jwksRsa from 'jwks-rsa'
import { allowInsecureRequests, discovery } from 'openid-client'
import passport from 'passport'
import { ExtractJwt, Strategy } from 'passport-jwt'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import { builtInTenant } from '../src/access/permissions.ts'
import { buildApp } from '../src/app.ts'
import type { App } from '../src/http/app-type.ts'
import { tokenAlgorithms, type TokenAlgorithm } from '../src/crypto/algorithms.ts'
import { clock } from './harness.ts'
import { openInstallation, type Installation } from './installation.ts'

/** Resolves with whether a verifier accepts the token. */
type Accepts = (token: string) => Promise<boolean>

interface Names {
  issuer: string
  alg: TokenAlgorithm
}

const audience = 'https://product.example.com'

const succeeds = (work: Promise<unknown>): Promise<boolean> =>
  work.then(
    () => true,
    () => false,
  )

const closing: (() => unknown)[] = []

const isOk = async (url: string, token: string): Promise<boolean> => {
  const { status } = await fetch(url, { headers: { authorization: `Bearer ${token}` } })
  return status === 200
}

/** A service with one route, which a middleware protects. */
const protectedBy = async (guard: RequestHandler): Promise<Accepts> => {
  const app = express()
  app.get('/', guard, (_, response) => void response.send('in'))
  const refuse: ErrorRequestHandler = (err: { status?: number }, _request, response, _next) =>
    void response.status(err.status ?? 500).end()
  app.use(refuse)
  const server = await new Promise<Server>((resolve) => {
    const listening = app.listen(0, '127.0.0.1', () => resolve(listening))
  })
  closing.push(() => server.close())
  return (token) => isOk(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, token)
}

const keySetOf = (issuer: string) => `${issuer}/.well-known/jwks.json`

const withJose = async ({ issuer }: Names): Promise<Accepts> => {
  const keys = createRemoteJWKSet(new URL(keySetOf(issuer)))
  return (token) => succeeds(jwtVerify(token, keys, { issuer, audience, typ: 'at+jwt' }))
}

/** A careless verifier, which checks only the signature. */
const withKeysAlone = async ({ issuer }: Names): Promise<Accepts> => {
  const keys = createRemoteJWKSet(new URL(keySetOf(issuer)))
  return (token) => succeeds(jwtVerify(token, keys))
}

const withOpenidClient = async ({ issuer }: Names): Promise<Accepts> => {
  const found = await discovery(new URL(issuer), 'product', undefined, undefined, {
    // oxlint-disable-next-line typescript/no-deprecated -- marked so to stand out; this verifier is on this machine
    execute: [allowInsecureRequests],
  })
  const { jwks_uri = '' } = found.serverMetadata()
  const keys = createRemoteJWKSet(new URL(jwks_uri))
  return (token) => succeeds(jwtVerify(token, keys, { issuer, audience }))
}

const withBearer = ({ issuer, alg }: Names) =>
  protectedBy(auth({ issuerBaseURL: issuer, audience, tokenSigningAlg: alg, strict: true }))

const withExpressJwt = ({ issuer, alg }: Names) =>
  protectedBy(
    expressjwt({
      secret: jwksRsa.expressJwtSecret({ jwksUri: keySetOf(issuer) }) as GetVerificationKey,
      issuer,
      audience,
      algorithms: [alg as 'RS256'],
    }),
  )

const withPassport = ({ issuer, alg }: Names) => {
  const strategy = new Strategy(
    {
      jwtFromRequest: ExtractJwt.fromAuthHeaderAsBearerToken(),
      secretOrKeyProvider: jwksRsa.passportJwtSecret({ jwksUri: keySetOf(issuer) }),
      issuer,
      audience,
      algorithms: [alg as 'RS256'],
    },
    (payload: object, done: (err: null, user: object) => void) => done(null, payload),
  )
  const guard = passport.authenticate(strategy, { session: false }) as RequestHandler
  return protectedBy(guard)
}

/** Finds the key of a token by discovery at its issuer. */
const findKey = (issuer: string) => {
  const getJwks = buildGetJwks({ issuersWhitelist: [`${issuer}/`], providerDiscovery: true })
  return async (_request: FastifyRequest, token: TokenOrHeader): Promise<string> => {
    if (!('payload' in token)) throw new Error('the token was not decoded whole')
    const { kid = '', alg = '' } = token.header as { kid?: string; alg?: string }
    return getJwks.getPublicKey({ kid, alg, domain: String(token.payload.iss) })
  }
}

const withFastifyJwt = async ({ issuer, alg }: Names): Promise<Accepts> => {
  const app = fastify()
  await app.register(fastifyJwt, {
    decode: { complete: true },
    secret: findKey(issuer),
    verify: { algorithms: [alg], allowedIss: issuer, allowedAud: audience },
  })
  app.get('/', (request) => request.jwtVerify().then(() => 'in'))
  const url = await app.listen({ host: '127.0.0.1', port: 0 })
  closing.push(() => app.close())
  return (token) => isOk(url, token)
}

const noEdDsa: readonly TokenAlgorithm[] = ['ES256', 'RS256']

const verifiers: [
  name: string,
  algorithms: readonly TokenAlgorithm[],
  open: (names: Names) => Promise<Accepts>,
][] = [
  ['jose', tokenAlgorithms, withJose],
  ['a verifier that checks the signature alone', tokenAlgorithms, withKeysAlone],
  ['openid-client', tokenAlgorithms, withOpenidClient],
  ['@fastify/jwt with get-jwks', noEdDsa, withFastifyJwt],
  ['express-oauth2-jwt-bearer', tokenAlgorithms, withBearer],
  ['express-jwt with jwks-rsa', noEdDsa, withExpressJwt],
  ['passport-jwt with jwks-rsa', noEdDsa, withPassport],
]

describe.each(tokenAlgorithms)('the verifiers of %s', (alg) => {
  let installation: Installation
  let app: App
  let issuer: string
  beforeAll(async () => {
    const port = await freePort()
    issuer = `http://127.0.0.1:${port}`
    installation = await openInstallation({
      TENANTRY_PUBLIC_URL: issuer,
      TENANTRY_AUDIENCE: audience,
      TENANTRY_TOKEN_ALGORITHM: alg,
    })
    app = await buildApp(installation.parts)
    await app.listen({ host: '127.0.0.1', port })
  })
  afterAll(async () => {
    for (const close of closing.splice(0)) await close()
    await app.close()
    await installation.remove()
  })

  const subject = {
    userId: 7,
    tenantId: builtInTenant.id,
    sessionId: randomUUID(),
    generation: 0,
    amr: ['pwd'],
  }
  const sign = (use: 'access' | 'refresh', isRestricted = false) =>
    installation.parts.tokens.sign(use, { ...subject, isRestricted }, clock.now())

  /** The same claims under a key of the forger's. */
  const forge = (token: string): Promise<string> => {
    const pairs = {
      EdDSA: () => generateKeyPairSync('ed25519'),
      ES256: () => generateKeyPairSync('ec', { namedCurve: 'P-256' }),
      RS256: () => generateKeyPairSync('rsa', { modulusLength: 2048 }),
    }
    const { kid = '', typ = '' } = decodeProtectedHeader(token)
    return new SignJWT(decodeJwt(token)).setProtectedHeader({ alg, kid, typ }).sign(pairs[alg]().privateKey)
  }

  test.each(verifiers.filter(([, algorithms]) => algorithms.includes(alg)))(
    '%s accepts an access token, and neither a restricted, nor a refresh token, nor a forged one',
    async (_name, _algorithms, open) => {
      const accepts = await open({ issuer, alg })
      const access = await sign('access')
      expect(await accepts(access)).toBe(true)
      expect(await accepts(await sign('refresh'))).toBe(false)
      expect(await accepts(await sign('access', true))).toBe(false)
      expect(await accepts(await forge(access))).toBe(false)
    },
  )

  test('both discovery documents name issuer, keys and algorithms', async () => {
    for (const name of ['openid-configuration', 'oauth-authorization-server']) {
      const answer = await fetch(`${issuer}/.well-known/${name}`)
      expect(answer.headers.get('cache-control')).toBe('public, max-age=300')
      expect(await answer.json()).toMatchObject({
        issuer,
        jwks_uri: keySetOf(issuer),
        subject_types_supported: ['public'],
        id_token_signing_alg_values_supported: ['RS256', 'EdDSA', 'ES256'],
      })
    }
  })
})
