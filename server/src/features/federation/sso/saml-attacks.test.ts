/**
 * The service refuses each attack on SAML responses. The attacker has one honest response, or is another customer's
 * provider. The attacker can change anything, but has no key that the connection pins.
 */
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import {
  assertionXml,
  curveKey,
  edwardsKey,
  enveloped,
  exclusive,
  honestParts,
  pemOf,
  posted,
  responseAround,
  responseXml,
  rsaKey,
  type SigningOptions,
  signers,
  signXml,
} from '../../../../../lab/saml.ts'
import { costOf, samlFloods } from '../../../../../lab/saml-floods.ts'
import { readPosted } from '../../../../test/saml.ts'
import type { Expectations } from './saml-response.ts'

const require = createRequire(import.meta.url)
const { SAML } = require('@node-saml/node-saml')

const key = rsaKey()
const strange = rsaKey()

const expected: Expectations = {
  entityId: honestParts.audience,
  acsUrl: honestParts.acsUrl,
  issuer: honestParts.issuer,
  certificates: [key.certificate],
  subject: 'name_id',
  requestId: honestParts.requestId,
  now: new Date('2026-11-27T12:00:30Z'),
}

const read = (xml: string, other: Partial<Expectations> = {}) =>
  readPosted(posted(xml), { ...expected, ...other })

const signed = signXml(responseXml(), { key })
const signedResponse = signXml(responseXml(), { key, of: 'Response' })
const evilParts = {
  ...honestParts,
  nameId: 'admin@acme.example',
  assertionId: '_evil',
  responseId: '_mallory',
}
const evil = assertionXml(evilParts)

const part = (xml: string, pattern: RegExp): string => {
  const [found] = pattern.exec(xml) ?? []
  if (found === undefined) throw new Error(`no ${pattern.source}`)
  return found
}

const signature = part(signed, /<ds:Signature .*<\/ds:Signature>/)
const bareAssertion = part(signed, /<saml:Assertion .*<\/saml:Assertion>/).replace(signature, '')
const responseSignature = part(signedResponse, /<ds:Signature .*<\/ds:Signature>/)
const bareResponse = signedResponse.replace(responseSignature, '')
const openTag = part(responseXml(), /<samlp:Response [^>]*>/).replace('_response', '_mallory')
const status = part(responseXml(), /<samlp:Status>.*<\/samlp:Status>/)
/** A response of the attacker around the given content. */
const around = (content: string) => responseAround(evilParts, content)
const inside = (assertion: string, content: string) =>
  assertion.replace('</saml:Issuer>', `</saml:Issuer>${content}`)
const object = (content: string) =>
  signature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)
const responseObject = (content: string) =>
  responseSignature.replace('</ds:Signature>', `<ds:Object>${content}</ds:Object></ds:Signature>`)
const extensions = (content: string) => `<samlp:Extensions>${content}</samlp:Extensions>`

test('the responses that the attacks begin with are accepted', () => {
  for (const xml of [signed, signedResponse]) expect(read(xml)).toMatchObject({ subject: 'ada@acme.example' })
})

/** Somorovsky et al., "On Breaking SAML: Be Whoever You Want to Be", 2012. */
describe('signature wrapping', () => {
  const wrapped: [string, string, string][] = [
    [
      '1: the signed Response inside the signature of a new one',
      around(responseObject(bareResponse) + evil),
      'assertions',
    ],
    [
      '2: the signed Response beside its signature',
      around(bareResponse + responseSignature + evil),
      'assertions',
    ],
    [
      '3: the new Assertion before the signed one',
      signed.replace('<saml:Assertion', `${evil}<saml:Assertion`),
      'assertions',
    ],
    [
      '4: the signed Assertion inside the new one',
      around(inside(evil, part(signed, /<saml:Assertion .*<\/saml:Assertion>/))),
      'assertions',
    ],
    [
      '5: the signature in the new Assertion, the signed one behind it',
      around(inside(evil, signature) + bareAssertion),
      'assertions',
    ],
    [
      '6 and 8: the signed Assertion in an Object of the signature in the new one',
      around(inside(evil, object(bareAssertion))),
      'assertions',
    ],
    [
      '7: the new Assertion in Extensions',
      signed.replace(status, `${extensions(evil)}${status}`),
      'assertions',
    ],
  ]
  test.each(wrapped)('a wrapped signature is refused: %s', (_, xml, refused) => {
    expect(read(xml)).toEqual({ refused })
  })

  const hidden = (assertion: string) =>
    assertion.replace(/^<saml:Assertion/, '<saml:Advised').replace(/<\/saml:Assertion>$/, '</saml:Advised>')
  const further: [string, string, string][] = [
    [
      'the signed element under another name',
      around(inside(evil, object(hidden(bareAssertion)))),
      'signature_form',
    ],
    ['a signature that signs another element', around(inside(evil, signature)), 'signature_form'],
    [
      'a signature of the root that signs the Assertion',
      signedResponse.replace('ID="_response"', 'ID="_evil"').replace('"_assertion"', '"_response"'),
      'signature_form',
    ],
    [
      'a signature in a place of its own',
      signed.replace(signature, '').replace(status, `${signature}${status}`),
      'signature_form',
    ],
    [
      'a signature deep inside',
      signed.replace(signature, '').replace('</saml:NameID>', `</saml:NameID>${signature}`),
      'signature_form',
    ],
    [
      'a signature in another namespace',
      signed.replaceAll('http://www.w3.org/2000/09/xmldsig#"', 'urn:other"'),
      'signature_form',
    ],
    ['two signatures in one place', signed.replace(signature, signature + signature), 'signature_form'],
    [
      'an Assertion in another namespace beside',
      signed.replace('<saml:Assertion', '<x:Assertion xmlns:x="urn:x"/><saml:Assertion'),
      'assertions',
    ],
    ['no signature at all', responseXml(), 'unsigned'],
    [
      'an unsigned Assertion beside a signed Response',
      `${openTag}${status}${signedResponse}${evil}</samlp:Response>`,
      'assertions',
    ],
    [
      'an Assertion put into a signed Response',
      signXml(around(''), { key, of: 'Response' }).replace('</samlp:Response>', `${evil}</samlp:Response>`),
      'signature_invalid',
    ],
    [
      'a signed Response whose Assertion changed',
      signedResponse.replaceAll('ada@', 'admin@'),
      'signature_invalid',
    ],
    ['a signed Assertion whose name changed', signed.replaceAll('ada@', 'admin@'), 'signature_invalid'],
    [
      'a signed Assertion with an attribute more',
      signed.replace('</saml:AttributeStatement>', '<saml:Attribute Name="x"/></saml:AttributeStatement>'),
      'signature_invalid',
    ],
  ]
  test.each(further)('%s is refused', (_, xml, refused) => {
    expect(xml).not.toBe(signed)
    expect(read(xml)).toEqual({ refused })
  })

  test('unsigned parts of a Response are not read', () => {
    const other = signed
      .replace('InResponseTo="_request"', 'InResponseTo="_other"')
      .replace(/(<saml:Issuer xmlns:saml="[^"]*">)[^<]*/, '$1https://other.example')
    expect(read(other)).toMatchObject({ subject: 'ada@acme.example' })
  })
})

describe('two signatures', () => {
  const both = signXml(signed, { key, of: 'Response' })

  test('are both verified', () => {
    expect(read(both)).toMatchObject({ subject: 'ada@acme.example' })
    const wrong = signXml(signXml(responseXml(), { key: strange }), { key, of: 'Response' })
    expect(read(wrong)).toEqual({ refused: 'signature_invalid' })
    const outer = signXml(signed, { key: strange, of: 'Response' })
    expect(read(outer)).toEqual({ refused: 'signature_invalid' })
  })

  test('signatures of both pinned certificates are accepted, as during a replacement', () => {
    const mixed = signXml(signXml(responseXml(), { key: strange }), { key, of: 'Response' })
    const certificates = [key.certificate, strange.certificate]
    expect(read(mixed, { certificates })).toMatchObject({ subject: 'ada@acme.example' })
  })
})

describe('malformed documents', () => {
  /** Puts unsigned content beside the signed Assertion. The service must not read it. */
  const beside = (content: string) => signed.replace(status, status + extensions(content))
  const attributesOf = (count: number) =>
    `<a${Array.from({ length: count }, (_, at) => ` a${at}=""`).join('')}/>`
  const names = '<!DOCTYPE x [<!ENTITY a "ada"><!ENTITY b "&a;&a;&a;&a;&a;&a;&a;&a;">]>'
  const documents: [string, string][] = [
    ['a DOCTYPE', `<!DOCTYPE x>${signed}`],
    ['an entity bomb', names + signed.replace('ada@', '&b;@')],
    ['an external entity', `<!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">]>${signed}`],
    ['an entity without a declaration', signed.replace('ada@', '&nbsp;@')],
    ['a comment in the name', signed.replace('ada@acme.example', 'ada@acme.example<!-- -->.evil.example')],
    ['a comment behind the root', `${signed}<!-- -->`],
    ['a processing instruction in the name', signed.replace('ada@', 'ada<?x y?>@')],
    ['a style sheet', `<?xml-stylesheet href="x"?>${signed}`],
    ['CDATA', signed.replace('ada@acme.example', '<![CDATA[ada@acme.example]]>')],
    ['another encoding', `<?xml version="1.0" encoding="UTF-16"?>${signed}`],
    ['XML 1.1', `<?xml version="1.1"?>${signed}`],
    ['two declarations', `<?xml version="1.0"?><?xml version="1.0"?>${signed}`],
    ['an ID that occurs twice', signed.replace('<samlp:Status>', '<samlp:Status ID="_assertion">')],
    [
      'an ID of other letters that occurs twice',
      signed.replace('<samlp:Status>', '<samlp:Status Id="_assertion">'),
    ],
    [
      'an ID with a prefix that occurs twice',
      signed.replace('<samlp:Status>', '<samlp:Status xml:id="_assertion">'),
    ],
    ['a reference of eight digits', signed.replace('ada@', 'ada&#00000065;@')],
    ['an attribute that occurs twice', signed.replace('ID="_response"', 'ID="_response" ID="_x"')],
    ['an attribute without quotes', signed.replace('ID="_response"', 'ID=_response')],
    ['tags that are not balanced', signed.replace('</samlp:Status>', '')],
    ['tags that cross', signed.replace('</samlp:Status>', '</samlp:Stat>')],
    ['an end tag in other letters', signed.replace('</samlp:Status>', '</samlp:status>')],
    ['a root without an end', signed.replace('</samlp:Response>', '')],
    ['an end tag with attributes', signed.replace('</samlp:Status>', '</samlp:Status x="y">')],
    ['text behind the root', `${signed} text>`],
    ['a second root', signed + signed.replaceAll(/ID="_/g, 'ID="_2')],
    ['text alone', 'response'],
    ['nothing', ''],
    ['a NUL', signed.replace('ada@', 'ada\0@')],
    ['a reference to NUL', signed.replace('ada@', 'ada&#0;@')],
    ['a reference to a surrogate', signed.replace('ada@', 'ada&#xD800;@')],
    ['a reference beyond Unicode', signed.replace('ada@', 'ada&#x110000;@')],
    ['a depth of 33', beside(`${'<a>'.repeat(32)}${'</a>'.repeat(32)}`)],
    ['2,501 elements', beside('<b/>'.repeat(2500))],
    ['33 attributes', beside(attributesOf(33))],
    ['5,001 attributes', beside(attributesOf(32).repeat(157))],
    ['10,000 references', beside('&#65;'.repeat(10_000))],
    ['a prefix that nothing declares', beside('<p:b/>')],
    ['an attribute with such a prefix', beside('<b p:a=""/>')],
    ['an attribute that occurs twice by two prefixes', beside('<b xmlns:p="u" xmlns:q="u" p:a="" q:a=""/>')],
    ['a prefix that is taken back', beside('<b xmlns:p=""/>')],
    ['another meaning of the prefix xml', beside('<b xmlns:xml="urn:x"/>')],
    [
      'another prefix for the namespace of xml',
      beside('<b xmlns:p="http://www.w3.org/XML/1998/namespace"/>'),
    ],
    ['more than 256 KiB', beside(`<a>${'x'.repeat(256 * 1024)}</a>`)],
    ['another root', signed.replaceAll('samlp:Response', 'samlp:ArtifactResponse')],
    ['a root in another namespace', signed.replace('urn:oasis:names:tc:SAML:2.0:protocol', 'urn:x')],
  ]
  test.each(documents)('a document with %s is malformed', (_, xml) => {
    expect(read(xml)).toEqual({ refused: 'malformed' })
  })

  test('the same within the bounds is accepted', () => {
    const deep = `${'<a>'.repeat(30)}${'</a>'.repeat(30)}`
    const content = deep + attributesOf(32).repeat(150) + '<b/>'.repeat(2200) + 'x'.repeat(160 * 1024)
    expect(read(beside(content))).toMatchObject({ subject: 'ada@acme.example' })
  })

  test('text that is no base64, no UTF-8, or too long is malformed', () => {
    for (const text of ['<a/>', '', '=', Buffer.from([0x3c, 0xff]).toString('base64'), 'A'.repeat(400_000)]) {
      expect(readPosted(text, expected)).toEqual({ refused: 'malformed' })
    }
    const encoded = posted(signed)
    expect(readPosted(`${encoded.slice(0, 40)}*${encoded.slice(40)}`, expected)).toEqual({
      refused: 'malformed',
    })
    const bytes = Buffer.from(beside('~'))
    bytes[bytes.indexOf('~')] = 0xff
    expect(readPosted(bytes.toString('base64'), expected)).toEqual({ refused: 'malformed' })
  })
})

describe('keys and algorithms', () => {
  const more = 'http://www.w3.org/2001/04/xmldsig-more#'
  const old = 'http://www.w3.org/2000/09/xmldsig#'
  const readWith = (options: Partial<SigningOptions>, certificates = [key.certificate]) =>
    read(signXml(responseXml(), { key, ...options }), { certificates })

  test('a key in the message does not count', () => {
    const keyInfo = `<ds:X509Data><ds:X509Certificate>${strange.certificate}</ds:X509Certificate></ds:X509Data>`
    expect(readWith({ key: strange, keyInfo })).toEqual({ refused: 'signature_invalid' })
  })

  test('nothing is valid without a pinned certificate', () => {
    expect(readWith({}, [])).toEqual({ refused: 'signature_invalid' })
    expect(readWith({}, ['no certificate'])).toEqual({ refused: 'signature_invalid' })
  })

  test('SHA-1 is refused in the signature and in the digest', () => {
    expect(readWith({ method: `${old}rsa-sha1`, signer: signers.rsa('sha1') })).toEqual({
      refused: 'signature_algorithm',
    })
    expect(readWith({ digest: `${old}sha1`, hash: 'sha1' })).toEqual({ refused: 'signature_algorithm' })
  })

  test('HMAC with the certificate for a key is refused', () => {
    for (const [method, hash] of [
      [`${old}hmac-sha1`, 'sha1'],
      [`${more}hmac-sha256`, 'sha256'],
    ] as const) {
      for (const secret of [pemOf(key), key.certificate]) {
        expect(readWith({ method, signer: signers.hmac(hash, secret) })).toEqual({
          refused: 'signature_algorithm',
        })
      }
    }
  })

  test('RSA below 2,048 bits is refused, even when it is pinned', () => {
    const weak = rsaKey(1024)
    expect(readWith({ key: weak }, [weak.certificate])).toEqual({ refused: 'signature_invalid' })
    const almost = rsaKey(2040)
    expect(readWith({ key: almost }, [almost.certificate])).toEqual({ refused: 'signature_invalid' })
  })

  test('curves besides those of NIST, and keys of another kind than the method, are refused', () => {
    const foreign = curveKey('secp256k1')
    const method = `${more}ecdsa-sha256`
    const signer = signers.curve('sha256')
    expect(readWith({ key: foreign, method, signer }, [foreign.certificate])).toEqual({
      refused: 'signature_invalid',
    })
    const curve = curveKey('prime256v1')
    expect(readWith({ key: curve, signer }, [curve.certificate])).toEqual({ refused: 'signature_invalid' })
    const edwards = edwardsKey()
    expect(readWith({}, [edwards.certificate])).toEqual({ refused: 'signature_invalid' })
  })

  test('transforms and canonicalisations besides the two are refused', () => {
    const inclusive = 'http://www.w3.org/TR/2001/REC-xml-c14n-20010315'
    const refused = { refused: 'signature_algorithm' }
    expect(readWith({ transforms: [enveloped, inclusive] })).toEqual(refused)
    expect(readWith({ transforms: [enveloped, `${exclusive}WithComments`] })).toEqual(refused)
    expect(readWith({ canonicalization: `${exclusive}WithComments` })).toEqual(refused)
    expect(readWith({ canonicalization: inclusive })).toEqual(refused)
    expect(readWith({ transforms: [exclusive, enveloped] })).toEqual(refused)
    const form = { refused: 'signature_form' }
    expect(readWith({ transforms: [enveloped] })).toEqual(form)
    expect(readWith({ transforms: [exclusive] })).toEqual(form)
    expect(readWith({ transforms: [enveloped, exclusive, exclusive] })).toEqual(form)
  })

  test.each([
    'http://www.w3.org/TR/1999/REC-xslt-19991116',
    'http://www.w3.org/TR/1999/REC-xpath-19991116',
    'http://www.w3.org/2002/06/xmldsig-filter2',
    'http://www.w3.org/2000/09/xmldsig#base64',
  ])('the transform %s is refused', (foreign) => {
    expect(read(signed.replace(enveloped, foreign))).toEqual({ refused: 'signature_algorithm' })
  })

  test('two References in a signature are refused', () => {
    expect(readWith({ more: ["//*[local-name(.)='Status']"] })).toEqual({ refused: 'signature_form' })
  })

  test('a Reference to the whole document, to nothing, or elsewhere is refused', () => {
    for (const uri of ['', '#', '#_response', 'https://evil.example/x', '#xpointer(/)', "#'or'"]) {
      const xml = signed.replace('URI="#_assertion"', `URI="${uri}"`)
      expect(read(xml)).toEqual({ refused: 'signature_form' })
    }
  })

  test('elements that the form of a signature does not have are refused', () => {
    const changes: [string, string][] = [
      ['</ds:SignedInfo>', '<ds:Reference/></ds:SignedInfo>'],
      ['</ds:Signature>', '<ds:Object/></ds:Signature>'],
      ['<ds:SignedInfo>', '<ds:SignedInfo/><ds:SignedInfo>'],
      ['</ds:DigestValue>', '</ds:DigestValue><ds:DigestValue>x</ds:DigestValue>'],
      ['<ds:DigestValue>', '<ds:DigestValue><ds:x/>'],
      ['<ds:SignatureValue>', '<ds:SignatureValue><ds:x/>'],
      ['</ds:Transforms>', '<ds:XPath/></ds:Transforms>'],
      ['<ds:Transforms>', '<ds:Transforms><x/>'],
      ['#rsa-sha256"/>', '#rsa-sha256"><ds:HMACOutputLength>1</ds:HMACOutputLength></ds:SignatureMethod>'],
      ['#sha256"/>', '#sha256"><ds:x/></ds:DigestMethod>'],
      ['<ds:DigestMethod ', '<x:DigestMethod xmlns:x="urn:x" '],
      [part(signed, /<ds:SignatureValue>.*<\/ds:SignatureValue>/), ''],
    ]
    for (const [from, to] of changes) {
      expect(read(signed.replace(from, to))).toEqual({ refused: 'signature_form' })
    }
    const listed = signXml(responseXml(), { key, inclusive: ['xs'] })
    const list = part(listed, /<InclusiveNamespaces [^>]*>/)
    for (const other of [
      list + list,
      list.replace('exc-c14n#', 'x'),
      list.replace('/>', '><x/></InclusiveNamespaces>'),
    ]) {
      expect(read(listed.replace(list, other))).toEqual({ refused: 'signature_form' })
    }
    for (const prefixes of ['a b', Array.from({ length: 40 }, (_, at) => `p${at}`).join(' ')]) {
      const refused = prefixes.length > 9 ? 'signature_form' : 'signature_invalid'
      expect(read(listed.replaceAll('PrefixList="xs"', `PrefixList="${prefixes}"`))).toEqual({ refused })
    }
  })

  test('an EncryptedAssertion is refused, also beside a signed one', () => {
    const encrypted = '<saml:EncryptedAssertion xmlns:saml="urn:oasis:names:tc:SAML:2.0:assertion"/>'
    expect(read(responseAround(honestParts, encrypted))).toEqual({ refused: 'encrypted' })
    expect(read(signed.replace('</samlp:Response>', `${encrypted}</samlp:Response>`))).toEqual({
      refused: 'encrypted',
    })
  })
})

describe('other connections', () => {
  test('a response for one tenant is refused by the connection of another with the same provider', () => {
    const other = {
      entityId: 'https://tenantry.example/sso/saml/2/metadata',
      acsUrl: 'https://tenantry.example/sso/saml/2/acs',
    }
    expect(read(signed, other)).toEqual({ refused: 'destination' })
    const without = signed.replace(/ Destination="[^"]*"/, '')
    expect(read(without, other)).toEqual({ refused: 'audience' })
    expect(read(without, { acsUrl: other.acsUrl })).toEqual({ refused: 'recipient' })
  })

  test('the provider of one tenant signs nothing for another', () => {
    expect(read(signXml(responseXml(), { key: strange }))).toEqual({ refused: 'signature_invalid' })
    const issuer = 'https://other.example'
    expect(read(signXml(responseXml({ issuer }), { key }))).toEqual({ refused: 'issuer' })
  })

  test('a replayed response answers no newer request', () => {
    expect(read(signed, { requestId: '_newer' })).toEqual({ refused: 'in_response_to' })
  })
})

describe('the cost of hostile documents', () => {
  const certificates = [strange, rsaKey(), key].map(({ certificate }) => certificate)

  test.each([...samlFloods(key, rsaKey())])(
    'a hostile document costs less than 20 ms of a processor: %s',
    (_, document) => {
      const body = posted(document)
      const cost = costOf(() => readPosted(body, { ...expected, certificates }))
      // The limit is ten times the usual time, because other work slows the processors.
      expect(cost).toBeLessThan(100)
    },
  )
})

describe('a second opinion', () => {
  const library = new SAML({
    callbackUrl: expected.acsUrl,
    issuer: expected.entityId,
    audience: expected.entityId,
    idpIssuer: expected.issuer,
    idpCert: pemOf(key),
    wantAssertionsSigned: false,
    wantAuthnResponseSigned: false,
    acceptedClockSkewMs: -1,
  })
  const ask = async (xml: string): Promise<string | undefined> => {
    try {
      const { profile } = await library.validatePostResponseAsync({ SAMLResponse: posted(xml) })
      return profile?.nameID
    } catch {
      return undefined
    }
  }

  test('both libraries read the signed name or none, whatever single character changes', async () => {
    for (let at = 0; at < signed.length; at += 23) {
      const xml = `${signed.slice(0, at)}${signed[at] === 'x' ? 'y' : 'x'}${signed.slice(at + 1)}`
      const answer = read(xml)
      if ('refused' in answer) continue
      expect(answer.subject).toBe('ada@acme.example')
      expect([await ask(xml), at]).toEqual(['ada@acme.example', at])
    }
  })
})
