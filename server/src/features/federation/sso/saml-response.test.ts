/** Decision 0265: accepted responses, and the refusals of each check. */
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import {
  assertionXml,
  curveKey,
  honestParts,
  type Parts,
  pemOf,
  posted,
  responseAround,
  responseXml,
  rsaKey,
  signers,
  signXml,
} from '../../../../../lab/saml.ts'
import { readPosted, requestKey } from '../../../../test/saml.ts'
import { samlifyProvider } from '../../../../test/samlify.ts'
import { readMetadata } from './saml-metadata.ts'
import { ourMetadata, samlRequestTo } from './saml-request.ts'
import { type Expectations, openResponse } from './saml-response.ts'

const require = createRequire(import.meta.url)
const { SAML } = require('@node-saml/node-saml')

const key = rsaKey()
const ourKey = { key: requestKey.privateKey, signsRequests: false }
const more = 'http://www.w3.org/2001/04/xmldsig-more#'
const newer = 'http://www.w3.org/2007/05/xmldsig-more#'

const expected: Expectations = {
  entityId: honestParts.audience,
  acsUrl: honestParts.acsUrl,
  issuer: honestParts.issuer,
  certificates: [key.certificate],
  subject: 'name_id',
  requestId: honestParts.requestId,
  now: new Date('2026-11-27T12:00:30Z'),
}

const readSigned = (changed: Partial<Parts> = {}, other: Partial<Expectations> = {}) =>
  readPosted(posted(signXml(responseXml(changed), { key })), { ...expected, ...other })

/** Reads the same response with a widely used library, for comparison. */
const askLibrary = async (response: string, at: Expectations): Promise<string> => {
  const library = new SAML({
    callbackUrl: at.acsUrl,
    issuer: at.entityId,
    audience: at.entityId,
    idpIssuer: at.issuer,
    idpCert: at.certificates.map((certificate) => pemOf({ ...key, certificate })),
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
  })
  const { profile } = await library.validatePostResponseAsync({ SAMLResponse: response })
  return profile.nameID
}

describe('honest responses', () => {
  test('an answer has subject, attributes, and the end that the provider gives the session', () => {
    expect(readSigned()).toEqual({
      subject: 'ada@acme.example',
      attributes: new Map([['email', ['ada@acme.example']]]),
      sessionNotOnOrAfter: new Date('2026-11-27T20:00:00Z'),
    })
  })

  test.each(['response', 'assertion', 'both'] as const)(
    'samlify reads our request and metadata, and its response is read with the %s signed',
    async (signs) => {
      const now = new Date()
      const provider = samlifyProvider({
        entityId: expected.issuer,
        ssoUrl: 'https://provider.example/sign-in?tenant=7',
        key,
        ours: ourMetadata(expected, ourKey),
        signs,
      })
      const read = readMetadata(provider.metadata)
      if ('refused' in read) throw new Error(read.refused)
      expect(read).toMatchObject({ entityId: expected.issuer, certificates: [key.certificate] })
      const { address } = samlRequestTo({ ...read, key: undefined }, expected, { id: '_a1', now })
      expect(address).toContain('?tenant=7&SAMLRequest=')
      const requestId = await provider.readRequest(address)
      const response = await provider.respond(requestId, 'ada@acme.example')
      const fresh = { ...expected, requestId: '_a1', now }
      expect(readPosted(response, fresh)).toMatchObject({ subject: 'ada@acme.example' })
      expect(await askLibrary(response, fresh)).toBe('ada@acme.example')
    },
  )

  test('our metadata is refused as that of a provider', () => {
    expect(readMetadata(ourMetadata(expected, ourKey))).toEqual({ refused: 'provider' })
  })

  test.each(['sha256', 'sha384', 'sha512'])('RSA, RSA-PSS and ECDSA are taken with %s', (hash) => {
    const digest = hash === 'sha384' ? `${more}sha384` : `http://www.w3.org/2001/04/xmlenc#${hash}`
    const curve = curveKey(hash === 'sha512' ? 'secp521r1' : hash === 'sha384' ? 'secp384r1' : 'prime256v1')
    const kinds = [
      { key, method: `${more}rsa-${hash}`, signer: signers.rsa(hash) },
      { key, method: `${newer}${hash}-rsa-MGF1`, signer: signers.pss(hash) },
      { key: curve, method: `${more}ecdsa-${hash}`, signer: signers.curve(hash) },
    ]
    for (const kind of kinds) {
      const signed = signXml(responseXml(), { ...kind, hash, digest })
      const certificates = [rsaKey().certificate, kind.key.certificate]
      expect(readPosted(posted(signed), { ...expected, certificates })).toMatchObject({
        subject: 'ada@acme.example',
      })
    }
  })

  test('prefixes that are canonicalised inclusively are taken', () => {
    const xsi =
      'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    const typed = responseXml({
      attributes:
        '<saml:Attribute Name="email"><saml:AttributeValue xsi:type="xs:string">a@b.c</saml:AttributeValue></saml:Attribute>',
    }).replace('<samlp:Response ', `<samlp:Response ${xsi} `)
    const signed = signXml(typed, { key, inclusive: ['xs', 'xsi'] })
    expect(signed).toContain('PrefixList="xs xsi"')
    expect(readPosted(posted(signed), expected)).toMatchObject({
      attributes: new Map([['email', ['a@b.c']]]),
    })
  })

  test('names without prefixes are read, as Entra ID writes them', () => {
    const bare = responseXml()
      .replaceAll(/(<\/?)saml:/g, '$1')
      .replaceAll('xmlns:saml=', 'xmlns=')
    for (const of of ['Assertion', 'Response'] as const) {
      const xml = signXml(bare, { key, of, prefix: '' })
      expect(xml).toContain('<Signature xmlns=')
      expect(readPosted(posted(xml), expected)).toMatchObject({ subject: 'ada@acme.example' })
    }
  })

  test('a declaration, lines, spaces, KeyInfo and base64 in lines do not hinder', () => {
    const spaced = responseXml().replaceAll('><', '>\r\n  <')
    const keyInfo = `<ds:X509Data><ds:X509Certificate>${key.certificate}</ds:X509Certificate></ds:X509Data>`
    const signed = signXml(spaced, { key, of: 'Response', keyInfo })
    const declared = `<?xml version="1.0" encoding="UTF-8"?>\n${signed}\n`
    const lines = posted(declared).replaceAll(/.{76}/g, '$&\r\n')
    expect(readPosted(lines, expected)).toMatchObject({ subject: 'ada@acme.example' })
  })

  test('white space around a value does not count: who pretty-prints names the same person', () => {
    const around = (text: string) => `\n\t  ${text} \r\n`
    const { issuer, audience, nameId, destination, format, acsUrl } = honestParts
    const attributes = `<saml:Attribute Name="${around('email')}"><saml:AttributeValue>${around('ada@acme.example')}</saml:AttributeValue></saml:Attribute>`
    const spaced = {
      issuer: around(issuer),
      responseIssuer: around(issuer),
      audience: around(audience),
      nameId: around(nameId),
      destination: around(destination),
      format: around(format),
      acsUrl: around(acsUrl),
      attributes,
    }
    for (const of of ['Assertion', 'Response'] as const) {
      const signed = signXml(responseXml(spaced), { key, of })
      expect(readPosted(posted(signed), expected)).toEqual(readSigned())
    }
    expect(readSigned(spaced, { subject: 'email' })).toMatchObject({ subject: nameId })
    expect(readSigned({ nameId: '\u00A0ada b\u00A0' })).toMatchObject({ subject: '\u00A0ada b\u00A0' })
  })

  test('escaped text is read as it was meant', () => {
    expect(readSigned({ nameId: 'Ada &amp; &lt;Bob&gt; &#233;&#x1F600;' })).toMatchObject({
      subject: 'Ada & <Bob> é😀',
    })
  })

  test('attributes have all values of a name, and one with elements inside is left out', () => {
    const attributes =
      '<saml:Attribute Name="groups"><saml:AttributeValue>a</saml:AttributeValue><saml:AttributeValue>b</saml:AttributeValue></saml:Attribute>' +
      '<saml:Attribute Name="groups"><saml:AttributeValue/></saml:Attribute><saml:Attribute Name="none"/>' +
      '<saml:Attribute Name="nested"><saml:AttributeValue>x<saml:NameID>y</saml:NameID></saml:AttributeValue></saml:Attribute>' +
      '<saml:Attribute Name="__proto__"><saml:AttributeValue>z</saml:AttributeValue></saml:Attribute>'
    expect(readSigned({ attributes })).toMatchObject({
      attributes: new Map([
        ['groups', ['a', 'b', '']],
        ['none', []],
        ['__proto__', ['z']],
      ]),
    })
  })

  test('an attribute can name the subject, with exactly one value', () => {
    expect(readSigned({}, { subject: 'email' })).toMatchObject({ subject: 'ada@acme.example' })
    expect(readSigned({}, { subject: 'oid' })).toEqual({ refused: 'subject' })
    const value = '<saml:AttributeValue>1</saml:AttributeValue>'
    const twice = `<saml:Attribute Name="oid">${value}${value}</saml:Attribute>`
    expect(readSigned({ attributes: twice }, { subject: 'oid' })).toEqual({ refused: 'subject' })
    const format = 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient'
    expect(readSigned({ format }, { subject: 'email' })).toMatchObject({ subject: 'ada@acme.example' })
  })

  test('500 groups are read', () => {
    const values = '<saml:AttributeValue>0f3c2b1a-0000-4000-8000-000000000000</saml:AttributeValue>'.repeat(
      500,
    )
    const read = readSigned({ attributes: `<saml:Attribute Name="groups">${values}</saml:Attribute>` })
    expect('attributes' in read && read.attributes.get('groups')?.length).toBe(500)
  })
})

describe('the request that a response claims to answer', () => {
  test('is found before anything is verified, and is missing in an unsolicited response', () => {
    expect(openResponse(posted(responseXml()))).toMatchObject({ requestId: '_request' })
    const unsolicited = responseXml().replaceAll(' InResponseTo="_request"', '')
    expect(openResponse(posted(unsolicited))).toMatchObject({ requestId: undefined })
    expect(openResponse('%%%')).toEqual({ refused: 'malformed' })
  })
})

describe('a signed response is refused', () => {
  const cases: [string, Partial<Parts>, string][] = [
    ['of another issuer', { issuer: 'https://other.example' }, 'issuer'],
    ['for another audience', { audience: 'https://tenantry.example/sso/saml/2/metadata' }, 'audience'],
    ['for another recipient', { acsUrl: 'https://tenantry.example/sso/saml/2/acs' }, 'recipient'],
    ['sent elsewhere', { destination: 'https://tenantry.example/sso/saml/2/acs' }, 'destination'],
    ['that answers another request', { requestId: '_earlier' }, 'in_response_to'],
    ['without a bearer', { method: 'urn:oasis:names:tc:SAML:2.0:cm:holder-of-key' }, 'confirmation'],
    ['that is no success', { status: 'urn:oasis:names:tc:SAML:2.0:status:Responder' }, 'status'],
    ['with a transient name', { format: 'urn:oasis:names:tc:SAML:2.0:nameid-format:transient' }, 'transient'],
    ['with an empty name', { nameId: ' ' }, 'subject'],
    ['with a name of 256 characters', { nameId: 'x'.repeat(256) }, 'subject'],
    ['with a name of elements', { nameId: 'ada<b/>@acme.example' }, 'subject'],
    ['that is over', { notOnOrAfter: '2026-11-27T11:59:30Z' }, 'expired'],
    ['that is not confirmed any more', { confirmedUntil: '2026-11-27T11:59:30Z' }, 'expired'],
    ['that is not valid yet', { notBefore: '2026-11-27T12:01:31Z' }, 'too_early'],
    ['of a session that is over', { sessionEnd: '2026-11-27T11:59:30Z' }, 'expired'],
    ['with a time that is none', { sessionEnd: 'tomorrow' }, 'malformed'],
    ['with a time of no zone', { notBefore: '2026-11-27T11:59:00' }, 'malformed'],
    ['with a condition that nobody knows', { conditions: '<saml:Condition/>' }, 'condition'],
    [
      'with a second audience restriction that leaves us out',
      { conditions: '<saml:AudienceRestriction><saml:Audience>x</saml:Audience></saml:AudienceRestriction>' },
      'audience',
    ],
  ]
  test.each(cases)('%s', (_, changed, refused) => {
    expect(readSigned(changed)).toEqual({ refused })
  })

  const removals: [string, RegExp | string, string][] = [
    ['its Issuer', /(<saml:Assertion[^>]*>)<saml:Issuer>.*?<\/saml:Issuer>/, 'issuer'],
    ['Conditions', /<saml:Conditions.*<\/saml:Conditions>/, 'condition'],
    ['NotOnOrAfter', /(<saml:Conditions[^>]*) NotOnOrAfter="[^"]*"/, 'condition'],
    ['AudienceRestriction', /<saml:AudienceRestriction>.*<\/saml:AudienceRestriction>/, 'audience'],
    ['Subject', /<saml:Subject>.*<\/saml:Subject>/, 'subject'],
    ['NameID', /<saml:NameID.*<\/saml:NameID>/, 'subject'],
    ['SubjectConfirmation', /<saml:SubjectConfirmation .*<\/saml:SubjectConfirmation>/, 'confirmation'],
    ['SubjectConfirmationData', /<saml:SubjectConfirmationData[^>]*>/, 'confirmation'],
    ['the end of the confirmation', /(Recipient="[^"]*") NotOnOrAfter="[^"]*"/, 'confirmation'],
    ['Recipient', /Recipient="[^"]*"/, 'recipient'],
    ['InResponseTo', /(SubjectConfirmationData) InResponseTo="[^"]*"/, 'in_response_to'],
    ['Status', /<samlp:Status>.*<\/samlp:Status>/, 'status'],
    ['the version', /(_assertion") Version="2.0"/, 'malformed'],
  ]
  test.each(removals)('a response needs %s', (_, part, refused) => {
    const without = responseXml().replace(part, (__, kept) => (typeof kept === 'string' ? kept : ''))
    expect(without).not.toBe(responseXml())
    const signed = signXml(without, { key, of: 'Response' })
    expect(readPosted(posted(signed), expected)).toEqual({ refused })
  })

  test('whose Response names another issuer than its Assertion', () => {
    const xml = responseXml({ responseIssuer: 'https://other.example' })
    expect(readPosted(posted(signXml(xml, { key, of: 'Response' })), expected)).toEqual({
      refused: 'issuer',
    })
  })

  test('NotBefore of the confirmation must not be in the future', () => {
    const xml = responseXml().replace('Recipient=', 'NotBefore="2026-11-27T13:00:00Z" Recipient=')
    expect(readPosted(posted(signXml(xml, { key })), expected)).toEqual({ refused: 'too_early' })
  })
})

describe('clocks', () => {
  test('may differ by 60 seconds, and no more', () => {
    const at = (now: string) => readSigned({}, { now: new Date(now) })
    expect(at('2026-11-27T11:58:00.000Z')).toHaveProperty('subject')
    expect(at('2026-11-27T11:57:59.999Z')).toEqual({ refused: 'too_early' })
    expect(at('2026-11-27T12:05:59.999Z')).toHaveProperty('subject')
    expect(at('2026-11-27T12:06:00.000Z')).toEqual({ refused: 'expired' })
  })

  test('times with an offset are taken', () => {
    expect(readSigned({ notBefore: '2026-11-27T12:59:00.123456789+01:00' })).toHaveProperty('subject')
  })
})

describe('several confirmations and conditions', () => {
  test('one bearer confirmation that holds is enough', () => {
    const other =
      '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData' +
      ' InResponseTo="_x" Recipient="x" NotOnOrAfter="2026-11-27T12:05:00Z"/></saml:SubjectConfirmation>'
    const xml = responseXml().replace('</saml:NameID>', `</saml:NameID>${other}`)
    expect(readPosted(posted(signXml(xml, { key })), expected)).toHaveProperty('subject')
  })

  test('OneTimeUse and further audiences are taken', () => {
    const conditions = '<saml:OneTimeUse/>'
    const xml = responseXml({ conditions }).replace(
      '<saml:Audience>',
      '<saml:Audience>x</saml:Audience><saml:Audience>',
    )
    expect(readPosted(posted(signXml(xml, { key })), expected)).toHaveProperty('subject')
  })

  test('conditions without NotBefore, which is optional, are taken', () => {
    const xml = responseXml().replace(/ NotBefore="[^"]*"/, '')
    expect(readPosted(posted(signXml(xml, { key })), expected)).toHaveProperty('subject')
  })

  test('a response without Destination, whose Assertion is signed, is read', () => {
    const xml = responseXml().replace(/ Destination="[^"]*"/, '')
    expect(readPosted(posted(signXml(xml, { key })), expected)).toHaveProperty('subject')
  })

  test('a response with two assertions is refused, even if all is signed', () => {
    const parts = { ...honestParts, assertionId: '_second' }
    const xml = responseAround(honestParts, assertionXml(honestParts) + assertionXml(parts))
    expect(readPosted(posted(signXml(xml, { key, of: 'Response' })), expected)).toEqual({
      refused: 'assertions',
    })
  })
})
