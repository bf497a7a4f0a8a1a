/** The claims of each kind that prove an address. */
import { describe, expect, test } from 'vitest'
import type { ProviderConfig, ProviderKind } from './provider-config.ts'
import { personOfClaims, personOfGitHub, postedNameOf } from './provider-person.ts'

const tid = '11111111-2222-3333-4444-555555555555'
const oid = '66666666-7777-8888-9999-000000000000'
const consumers = '9188040d-6c67-4c5b-b112-36a304b66dad'

type OidcKind = Exclude<ProviderKind, 'github'>

const person = (kind: OidcKind, claims: object, config: Partial<ProviderConfig> = {}) =>
  personOfClaims(
    { kind, config: { client_id: 'tenantry', scopes: 'openid', ...config } },
    { sub: 'ada', email: 'ada@example.com', ...claims },
  )

const microsoft = (claims: object, tenant = 'common') =>
  person('microsoft', { tid, oid, ...claims }, { tenant })

describe('Google proves an address', () => {
  test.each([
    ['of gmail.com', { email: 'ada@gmail.com', email_verified: true }, true],
    ['in the hosted domain', { email_verified: true, hd: 'Example.com' }, true],
    ['in another hosted domain, not', { email_verified: true, hd: 'other.com' }, false],
    ['of a company without a hosted domain, not', { email_verified: true }, false],
    ['that it did not verify, not', { email: 'ada@gmail.com', email_verified: false }, false],
    ['that is verified as a text, not', { email: 'ada@gmail.com', email_verified: 'true' }, false],
  ])('%s', (_what, claims, isProved) => {
    expect(person('google', claims)).toMatchObject({ subject: 'ada', isProved })
  })
})

describe('Microsoft', () => {
  test.each([[true], [1], ['1'], ['true']])('proves an address by xms_edov: %j', (edov) => {
    expect(microsoft({ xms_edov: edov }).isProved).toBe(true)
  })

  test('names a guest with a foreign address, whose address counts as typed (nOAuth)', () => {
    for (const claims of [
      {},
      { email_verified: true },
      { xms_edov: false },
      { xms_edov: 0 },
      { xms_edov: 'no' },
    ]) {
      expect(microsoft(claims)).toMatchObject({ email: 'ada@example.com', isProved: false })
    }
  })

  test('names a person by tenant and object, never by the subject of one application', () => {
    expect(microsoft({}).subject).toBe(`${tid}.${oid}`)
    for (const claims of [{ tid: '' }, { oid: undefined }, { oid: 'any' }]) {
      expect(() => microsoft(claims)).toThrow('subject_missing')
    }
  })

  test.each([
    ['organizations', tid, true],
    ['organizations', consumers, false],
    ['consumers', consumers, true],
    ['consumers', tid, false],
    ['common', consumers, true],
    [tid, tid, true],
    [oid, tid, false],
  ])('takes for the tenant %s a person of %s: %s', (tenant, own, isTaken) => {
    const read = () => microsoft({ tid: own }, tenant).subject
    const outcome = () => {
      try {
        return read()
      } catch (err) {
        return String(err)
      }
    }
    expect(outcome()).toContain(isTaken ? oid : 'token_invalid')
  })
})

describe('Apple', () => {
  test.each([[true], ['true']])('proves an address, of its relay too: %j', (verified) => {
    const claims = { email: 'x1@privaterelay.appleid.com', email_verified: verified }
    expect(person('apple', claims).isProved).toBe(true)
    expect(person('apple', { email_verified: 'false' }).isProved).toBe(false)
  })

  test('posts a name, which gives a nickname and never an address', () => {
    const user = { name: { firstName: 'Ada', lastName: 'Lovelace' }, email: 'victim@example.com' }
    expect(postedNameOf(JSON.stringify(user))).toBe('Ada Lovelace')
    for (const text of [null, 'no JSON', '[]', '{"name":1}', '{"name":{"firstName":{}}}']) {
      expect(postedNameOf(text)).toBe('')
    }
  })
})

describe('another provider of OpenID Connect', () => {
  test('proves an address only if it is trusted and has verified the address', () => {
    const trusted = { trusts_email: true }
    expect(person('oidc', { email_verified: true }, trusted).isProved).toBe(true)
    expect(person('oidc', { email_verified: true }).isProved).toBe(false)
    expect(person('oidc', { email_verified: 'true' }, trusted).isProved).toBe(false)
    expect(person('oidc', {}, trusted).isProved).toBe(false)
  })

  test('is refused without a subject, or with one that no database stores', () => {
    for (const sub of ['', 7, 'a\u0000b', 'a'.repeat(256), '\ud800']) {
      expect(() => person('oidc', { sub })).toThrow('subject_missing')
    }
  })
})

describe('GitHub', () => {
  const user = { id: 583_231, login: 'octocat', name: 'Mona', email: 'public@example.com' }

  test('names a person by the numeric id, and the primary address counts as typed', () => {
    const emails = [
      { email: 'second@example.com', primary: false, verified: true },
      { email: 'first@example.com', primary: true, verified: true },
    ]
    expect(personOfGitHub(user, emails)).toEqual({
      subject: '583231',
      email: 'first@example.com',
      isProved: false,
      name: 'Mona',
      label: 'first@example.com',
    })
  })

  test('can name no address: the login is the label, and the public address does not count', () => {
    for (const emails of [[], null, {}, [null], [{ email: null, primary: true }]]) {
      expect(personOfGitHub(user, emails)).toMatchObject({ email: '', label: 'octocat' })
    }
  })

  test('is refused without a numeric id', () => {
    for (const id of [undefined, '583231', 0, -1, 1.5, Number.MAX_VALUE]) {
      expect(() => personOfGitHub({ ...user, id }, [])).toThrow('subject_missing')
    }
  })
})
