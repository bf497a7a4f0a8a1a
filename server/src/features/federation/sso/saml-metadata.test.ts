/** Decision 0265: the service accepts metadata of providers, and refuses unsafe metadata. */
import { createPublicKey } from 'node:crypto'
import { expect, test } from 'vitest'
import { costOf } from '../../../../../lab/saml-floods.ts'
import { certify, curveKey, edwardsKey, rsaKey, type SamlKey } from '../../../../../lab/saml.ts'
import { readMetadata } from './saml-metadata.ts'

const key = rsaKey()
const longest = Buffer.alloc(256, 255).toString('base64url')
const slowKey = createPublicKey({ key: { kty: 'RSA', n: longest, e: longest }, format: 'jwk' })
const redirect = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-Redirect'
const post = 'urn:oasis:names:tc:SAML:2.0:bindings:HTTP-POST'

const descriptor = (certificate: string, use = ' use="signing"') =>
  `<KeyDescriptor${use}><ds:KeyInfo><ds:X509Data><ds:X509Certificate>${certificate}</ds:X509Certificate></ds:X509Data></ds:KeyInfo></KeyDescriptor>`

const keysOf = (...keys: SamlKey[]) => keys.map(({ certificate }) => descriptor(certificate)).join('')

const service = (binding: string, location: string) =>
  `<SingleSignOnService Binding="${binding}" Location="${location}"/>`

const services =
  service(post, 'https://idp.example/post') + service(redirect, 'https://idp.example/sso?a=1&amp;b=2')

const metadataOf = (keys: string, ...others: string[]) =>
  `<?xml version="1.0" encoding="UTF-8"?><EntityDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata"` +
  ` xmlns:ds="http://www.w3.org/2000/09/xmldsig#" entityID="https://idp.example/entity"><IDPSSODescriptor` +
  ` WantAuthnRequestsSigned="true" protocolSupportEnumeration="urn:oasis:names:tc:SAML:1.1:protocol urn:oasis:names:tc:SAML:2.0:protocol">` +
  `${keys}${others.join('') || services}</IDPSSODescriptor></EntityDescriptor>`

const honest = metadataOf(keysOf(key))

test('one entity is read: its id, its address for the Redirect binding, and its certificates', () => {
  expect(readMetadata(honest)).toEqual({
    entityId: 'https://idp.example/entity',
    ssoUrl: 'https://idp.example/sso?a=1&b=2',
    binding: 'redirect',
    wantsSignedRequests: true,
    certificates: [key.certificate],
    firstEnd: new Date('2050-01-01T00:00:00Z'),
  })
})

test('the metadata give up to three certificates, each once, whatever their dates', () => {
  const ended = rsaKey(2048, 2021)
  const curve = curveKey('prime256v1')
  const lines = `\n${key.certificate.replaceAll(/.{64}/g, '$&\n')}\n`
  expect(readMetadata(metadataOf(descriptor(lines, '') + keysOf(key, ended, curve)))).toMatchObject({
    certificates: [key.certificate, ended.certificate, curve.certificate],
    firstEnd: new Date('2021-01-01T00:00:00Z'),
  })
})

const honestEntity = honest.replace(/^<\?xml[^>]*>/, '')
const groupOf = (content: string) =>
  `<EntitiesDescriptor xmlns="urn:oasis:names:tc:SAML:2.0:metadata" Name="urn:any">${content}</EntitiesDescriptor>`

test('one entity in groups of entities is read like a single one', () => {
  expect(readMetadata(groupOf(honestEntity))).toEqual(readMetadata(honest))
  expect(readMetadata(groupOf(`\n${groupOf(honestEntity)}`))).toEqual(readMetadata(honest))
})

test('comments count for nothing, and divide no value', () => {
  const [half, rest] = [key.certificate.slice(0, 100), key.certificate.slice(100)]
  const commented = honest
    .replace('<EntityDescriptor', '\n<!-- by hand - of <us> & more -->\n<EntityDescriptor')
    .replace(key.certificate, `<!-- one -->${half}<!----><!-- two -->\n${rest}<!-- three -->`)
  expect(readMetadata(`${commented}\n<!-- end -->\n`)).toEqual(readMetadata(honest))
})

test('the POST binding counts where there is no other, and requests are signed where the provider asks for that', () => {
  const location = 'https://idp.example/post'
  const posting = metadataOf(keysOf(key), service(post, location)).replace(
    / WantAuthnRequestsSigned="[^"]*"/,
    '',
  )
  expect(readMetadata(posting)).toMatchObject({
    ssoUrl: location,
    binding: 'post',
    wantsSignedRequests: false,
  })
})

test('the first of several addresses with a binding counts', () => {
  const further = service(redirect, 'https://idp.example/further')
  expect(readMetadata(metadataOf(keysOf(key), services, further))).toEqual(readMetadata(honest))
})

test('a certificate for encryption is not pinned', () => {
  const other = descriptor(rsaKey().certificate, ' use="encryption"')
  expect(readMetadata(metadataOf(other + keysOf(key)))).toMatchObject({ certificates: [key.certificate] })
  expect(readMetadata(metadataOf(other))).toEqual({ refused: 'certificates' })
})

test.each<[string, string, string]>([
  ['text that is no XML', 'https://idp.example/metadata', 'malformed'],
  ['nothing', '', 'malformed'],
  ['a DOCTYPE', `<!DOCTYPE x>${honest}`, 'malformed'],
  ['a comment in a tag', honest.replace('<KeyDescriptor', '<KeyDescriptor<!-- x -->'), 'malformed'],
  ['a comment without an end', `${honest}<!-- x --`, 'malformed'],
  ['text behind the root', `${honest}<!-- x -->x`, 'malformed'],
  ['a DOCTYPE between comments', `<!-- x --><!DOCTYPE x><!-- x -->${honest}`, 'malformed'],
  ['an entity bomb', honest.replace('entityID="', 'entityID="&a;'), 'malformed'],
  ['more than 256 KiB', honest + ' '.repeat(256 * 1024), 'malformed'],
  ['several entities', groupOf(honestEntity + honestEntity.replace('/entity"', '/other"')), 'entity'],
  ['no entity', groupOf(''), 'entity'],
  ['an entity of another namespace', honest.replace('SAML:2.0:metadata', 'SAML:2.0:x'), 'entity'],
  ['an entity without an id', honest.replace(/ entityID="[^"]*"/, ''), 'entity'],
  ['an id of 1,025 characters', honest.replace('entityID="', `entityID="${'x'.repeat(1025)}`), 'entity'],
  ['a service without a provider', honest.replaceAll('IDPSSODescriptor', 'SPSSODescriptor'), 'provider'],
  ['a provider of SAML 1.1 alone', honest.replace('urn:oasis:names:tc:SAML:2.0:protocol"', '"'), 'provider'],
  ['two providers', honest.replace(/<IDPSSODescriptor.*<\/IDPSSODescriptor>/, '$&$&'), 'provider'],
  ['another binding alone', metadataOf(keysOf(key), service('urn:x', 'https://idp.example')), 'ssoUrl'],
  ['a script for an address to post to', metadataOf(keysOf(key), service(post, 'javascript:x')), 'ssoUrl'],
  ['a script for an address', metadataOf(keysOf(key), service(redirect, 'javascript:alert(1)')), 'ssoUrl'],
  ['a file for an address', metadataOf(keysOf(key), service(redirect, 'file:///etc/passwd')), 'ssoUrl'],
  ['a path for an address', metadataOf(keysOf(key), service(redirect, '/sso')), 'ssoUrl'],
  [
    'a password in the address',
    metadataOf(keysOf(key), service(redirect, 'https://a:b@idp.example')),
    'ssoUrl',
  ],
  [
    'a fragment in the address',
    metadataOf(keysOf(key), service(redirect, 'https://idp.example/#x')),
    'ssoUrl',
  ],
  [
    'a long address',
    metadataOf(keysOf(key), service(redirect, `https://idp.example/${'x'.repeat(2048)}`)),
    'ssoUrl',
  ],
  ['no certificate', metadataOf(''), 'certificates'],
  ['four certificates', metadataOf(keysOf(key, rsaKey(), rsaKey(), rsaKey())), 'certificates'],
  ['a certificate that is none', metadataOf(descriptor('aGVsbG8=')), 'certificates'],
  ['RSA of 1,024 bits', metadataOf(keysOf(key, rsaKey(1024))), 'weak'],
  ['RSA whose exponent is as long as its modulus', metadataOf(descriptor(certify(slowKey, 2050))), 'weak'],
  ['a curve besides those of NIST', metadataOf(keysOf(curveKey('secp256k1'))), 'weak'],
  ['a key that signs no SAML', metadataOf(keysOf(edwardsKey())), 'weak'],
])('metadata with this are refused: %s', (_, metadata, refused) => {
  expect(readMetadata(metadata)).toEqual({ refused })
})

test('the costliest metadata of 256 KiB stays below 20 ms of a processor', () => {
  for (const flood of [
    '<!---->',
    '<!-- x -->y',
    '&#65;',
    '<a b=""/>',
    '<ds:a><!-- x --></ds:a>',
    '<!-- ',
    'x',
    ' ',
  ]) {
    for (const content of [
      flood.repeat(240_000 / flood.length),
      flood.repeat(2400),
      `<!--${'x'.repeat(240_000)}-->`,
    ]) {
      const metadata = honest.replace('<KeyDescriptor', (tag) => content + tag)
      expect(costOf(() => readMetadata(metadata))).toBeLessThan(100)
    }
  }
})
