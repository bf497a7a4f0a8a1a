/** A sign-in by a SAML connection, from the first address to tokens of the console. */
import { decodeJwt } from 'jose'
import { X509Certificate } from 'node:crypto'
import { beforeAll, describe, expect, test } from 'vitest'
import type { Redirection } from '../../../../../lab/browser.ts'
import { openBrowser, type Browser } from '../../../../test/browser.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { newTenant, ok, unique, type Tenant } from '../../../../test/factories.ts'
import { call, parts, service } from '../../../../test/harness.ts'
import {
  answerTo,
  attributeXml,
  posted,
  readRequest,
  responseXml,
  rsaKey,
  signXml,
} from '../../../../../lab/saml.ts'
import { samlifyProvider, type SamlifyOptions } from '../../../../test/samlify.ts'
import { activate, attemptsOf, insertDomain, startSso, tokensOf } from '../../../../test/sso.ts'
import { strangersMetadata } from '../../../../test/saml.ts'

const key = rsaKey()
const entityId = 'https://provider.example/entity'
const provider = samlifyProvider({
  entityId,
  ssoUrl: 'https://provider.example/sso',
  key,
  ours: strangersMetadata,
})
const domain = `${unique('d')}.example`

let tenant: Tenant
let id: string
beforeAll(async () => {
  tenant = await newTenant()
  await insertDomain(tenant.id, domain)
  const role = await tenant.role('user:read')
  const made = await tenant.admin.post('/connections', {
    type: 'saml',
    name: 'Acme SAML',
    metadata: provider.metadata,
    domains: [domain],
    group_mappings: [{ group: 'accounting', role_id: role.id }],
  })
  id = ok(made).id
  await activate(tenant.id, id)
})

/** The provider's signed response to the request of a browser. */
const respond = async (browser: Browser, nameId: string, email: string, signer = key): Promise<string> => {
  const { location } = await startSso(browser, id)
  const asked = { ...readRequest(location), id: await provider.readRequest(location) }
  const xml = responseXml({
    ...answerTo(asked, entityId, parts.now().getTime()),
    sessionEnd: new Date(parts.now().getTime() + 600_000).toISOString(),
    nameId,
    attributes:
      attributeXml('email', email) +
      attributeXml('name', 'Ada') +
      attributeXml('groups', 'staff', 'accounting'),
  })
  return posted(signXml(xml, { key: signer }))
}

/** Posts the response as a page of the provider does, without the service's cookies. */
const post = async (response: string): Promise<string> => {
  const answer = await fetch(`${service.url}/sso/saml/${id}/acs`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ SAMLResponse: response, RelayState: 'https://evil.example' }),
  })
  return answer.headers.get('location') ?? String(answer.status)
}

test('a new person signs in with the roles of their groups, until the end that the provider sets', async () => {
  const [browser, email] = [openBrowser(), `${unique('p')}@${domain}`]
  const landed = await browser.open(await post(await respond(browser, 'ada', email)))
  const { access_token: token } = ok(await tokensOf(browser, landed))
  expect(decodeJwt(token)).toMatchObject({ con: id, amr: ['sso'], tid: tenant.id })
  expect(ok(await call('GET', '/profile', { token }))).toMatchObject({ email, nickname: 'Ada' })
  expect((await call('GET', '/users', { token })).status).toBe(200)
  expect(await attemptsOf(tenant, { id })).toMatchObject([
    { outcome: 'signed_in', reason: 'created', subject: 'ada' },
  ])
})

test('attributes of a response fill those of the user', async () => {
  const nameKey = await declareAttribute({ administrators: 'write' })
  const attributes = [{ claim: 'name', key: nameKey }]
  ok(await tenant.admin.put(`/connections/${id}`, { attributes }))
  const [browser, email] = [openBrowser(), `${unique('p')}@${domain}`]
  const landed = await browser.open(await post(await respond(browser, unique('s'), email)))
  const { access_token: token } = ok(await tokensOf(browser, landed))
  const { id: userId } = ok(await call('GET', '/profile', { token }))
  expect(ok(await tenant.admin.get(`/users/${userId}/attributes`))).toEqual({ [nameKey]: 'Ada' })
  ok(await tenant.admin.put(`/connections/${id}`, { attributes: [] }))
})

test('a response is taken once, and admits only the browser that began', async () => {
  const [browser, email] = [openBrowser(), `${unique('p')}@${domain}`]
  const response = await respond(browser, unique('s'), email)
  const place = await post(response)
  expect(await post(response)).toBe('400')
  const thief = openBrowser()
  await respond(thief, unique('s'), email)
  expect((await thief.open(place)).text).toContain('This sign-in has expired')
  expect((await browser.open(place)).status).toBe(303)
  expect((await browser.open(place)).text).toContain('This sign-in has expired')
})

test('a refused person sees the number of the reason, which the attempts explain', async () => {
  const browser = openBrowser()
  const landed = await browser.open(await post(await respond(browser, 'eve', 'eve@other.example')))
  expect([landed.status, landed.text]).toEqual([403, expect.stringContaining('Reason 202.')])
  const forged = await respond(browser, 'eve', `${unique('p')}@${domain}`, rsaKey())
  expect((await browser.open(await post(forged))).text).toContain('Reason 128.')
  expect(await attemptsOf(tenant, { id })).toMatchObject([
    { outcome: 'refused', reason: 'signature_invalid', number: 128 },
    { outcome: 'refused', reason: 'address_outside', number: 202, subject: 'eve' },
    {},
    {},
    {},
  ])
})

describe('a request to a provider', () => {
  const ssoUrl = 'https://provider.example/sso?tenant=7'

  /** A provider and an active connection to it. Each has the metadata of the other. */
  const connectWith = async (options: Pick<SamlifyOptions, 'binding' | 'wantsSignedRequests'>) => {
    const fields = { entityId: `https://${unique('p')}.example/entity`, ssoUrl, key, ...options }
    const { metadata } = samlifyProvider({ ...fields, ours: strangersMetadata })
    const made = ok(await tenant.admin.post('/connections', { type: 'saml', name: 'Any', metadata }))
    await activate(tenant.id, made.id)
    const ours = await (await fetch(`${service.url}/sso/saml/${made.id}/metadata`)).text()
    const begin = () => startSso(openBrowser(), made.id)
    return {
      ours,
      begin,
      remove: () => tenant.admin.delete(`/connections/${made.id}`),
      provider: samlifyProvider({ ...fields, ours }),
    }
  }

  const formIn = ({ text }: Redirection) => ({
    action: /action="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#38;', '&'),
    request: /name="SAMLRequest" value="([^"]*)"/.exec(text)?.[1]?.replaceAll('&#43;', '+') ?? '',
  })

  test('is signed where the metadata of the provider asks for that, by the key in ours', async () => {
    const { ours, begin, remove, provider: asking } = await connectWith({ wantsSignedRequests: true })
    expect(ours).toContain('AuthnRequestsSigned="true"')
    const { location } = await begin()
    expect(location).toMatch(/\?tenant=7&SAMLRequest=[^&]+&SigAlg=[^&]+&Signature=[^&]+$/)
    expect(await asking.readRequest(location)).toMatch(/^_[\da-f]{64}$/)
    const [, wrong = ''] = /SAMLRequest=([^&]{20})/.exec((await begin()).location) ?? []
    await expect(
      asking.readRequest(location.replace(/(SAMLRequest=)[^&]{20}/, `$1${wrong}x`)),
    ).rejects.toBeDefined()
    await remove()
  })

  test('is posted by a form where the provider has no other binding, with a signature if it asks for one', async () => {
    for (const wantsSignedRequests of [true, false]) {
      const { begin, remove, provider: posting } = await connectWith({ binding: 'POST', wantsSignedRequests })
      const page = await begin()
      const { action, request } = formIn(page)
      expect([page.status, action]).toEqual([200, ssoUrl])
      expect(page.text).toContain('<button>Continue</button>')
      expect(await posting.readPostedRequest(request)).toMatch(/^_[\da-f]{64}$/)
      const xml = Buffer.from(request, 'base64').toString()
      expect(xml.includes('<ds:Signature')).toBe(wantsSignedRequests)
      const moved = Buffer.from(
        xml.replace(/(AssertionConsumerServiceURL=")/, '$1https://evil.example/'),
      ).toString('base64')
      const isMoved = posting.readPostedRequest(moved).then(Boolean, () => false)
      expect(await isMoved).toBe(!wantsSignedRequests)
      await remove()
    }
  })

  test('is unsigned elsewhere; our metadata show the same certificate each time, which OpenSSL verifies', async () => {
    const { ours, begin, remove } = await connectWith({})
    expect((await begin()).location).not.toContain('Signature')
    expect(ours).toContain('AuthnRequestsSigned="false"')
    const certificateIn = (text: string) => /X509Certificate>([^<]+)</.exec(text)?.[1] ?? ''
    const certificate = new X509Certificate(Buffer.from(certificateIn(ours), 'base64'))
    expect(certificate.verify(certificate.publicKey)).toBe(true)
    expect(certificate).toMatchObject({ subject: 'CN=Tenantry', issuer: 'CN=Tenantry' })
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.parse('2049-01-01'))
    const other = await connectWith({})
    expect(certificateIn(other.ours)).not.toBe(certificateIn(ours))
    await Promise.all([remove(), other.remove()])
  })
})
