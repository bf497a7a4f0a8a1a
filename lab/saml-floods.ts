/** The costliest SAML responses within 256 KiB, by strangers and by a provider. */
import { createHash, sign } from 'node:crypto'
import {
  assertionXml,
  enveloped,
  exclusive,
  honestParts,
  type Parts,
  responseAround,
  rsaSha256,
  sha256,
  signatureNamespace,
  type SamlKey,
} from './saml.ts'

const times = (count: number, part: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => part(at)).join('')

/** The canonical form of tags whose attributes have no prefixes. */
const canonical = (xml: string): string =>
  xml.replaceAll(/<([\w:]+)((?: [\w:]+="[^"]*")*)(\/?)>/g, (_, name: string, rest: string, slash: string) => {
    const [namespaces, others] = [/ xmlns[^"]*"[^"]*"/g, / (?!xmlns)[^"]*"[^"]*"/g].map((one) =>
      [...rest.matchAll(one)].map(([text]) => text).toSorted(),
    )
    return `<${name}${[...(namespaces ?? []), ...(others ?? [])].join('')}>${slash && `</${name}>`}`
  })

/** A signature over a canonical text, with the longest list of prefixes. Making it takes no canonicalization. */
const signatureOf = (text: string, id: string, key: SamlKey): string => {
  const list = `<InclusiveNamespaces xmlns="${exclusive}" PrefixList="${times(32, (at) => `x${at} `)}"/>`
  const digest = createHash('sha256').update(text).digest('base64')
  const info = canonical(
    `<ds:SignedInfo><ds:CanonicalizationMethod Algorithm="${exclusive}">${list}</ds:CanonicalizationMethod>` +
      `<ds:SignatureMethod Algorithm="${rsaSha256}"/><ds:Reference URI="#${id}"><ds:Transforms>` +
      `<ds:Transform Algorithm="${enveloped}"/><ds:Transform Algorithm="${exclusive}">${list}</ds:Transform></ds:Transforms>` +
      `<ds:DigestMethod Algorithm="${sha256}"/><ds:DigestValue>${digest}</ds:DigestValue></ds:Reference></ds:SignedInfo>`,
  )
  const alone = info.replace('<ds:SignedInfo', `$& xmlns:ds="${signatureNamespace}"`)
  const value = sign('sha256', Buffer.from(alone), key.privateKey).toString('base64')
  return `<ds:Signature xmlns:ds="${signatureNamespace}">${info}<ds:SignatureValue>${value}</ds:SignatureValue></ds:Signature>`
}

const signed = (xml: string, id: string, key: SamlKey): string => {
  const text = canonical(xml)
  return text.replace('</saml:Issuer>', (end) => end + signatureOf(text, id, key))
}

/** A response with any content in its assertion, in canonical form. Response and assertion are signed. */
const signedTwice = (honest: Parts, content: string, key: SamlKey): string => {
  const parts = { ...honest, attributes: content }
  const assertion = signed(assertionXml(parts), parts.assertionId, key)
  return signed(responseAround(parts, assertion), parts.responseId, key)
}

const kib = 1024
/** Room for contents beside the rest of a response. If both signatures cover a content, it is half of a document. */
const room = 240 * kib

const attributesOf = (count: number, form: (at: number) => string): string =>
  times(count, (at) => ` ${form(at)}`)

/** Repeats a part up to the room and `count`. */
const filled = (part: string, count = Infinity): string =>
  part.repeat(Math.min(count, Math.floor(room / part.length)))

const two = (at: number): string => String(at).padStart(2, '0')
const wide = attributesOf(30, (at) => `a${two(at)}=""`)
const declared = attributesOf(15, (at) => `xmlns:p${two(at)}="urn:x"`)
const used = attributesOf(15, (at) => `p${two(at)}:a=""`)
const deep = (tag: string, content: string) => `${`<a${tag}>`.repeat(24)}${content}${'</a>'.repeat(24)}`
const attribute = (name: string) =>
  `<saml:Attribute Name="${name}"><saml:AttributeValue>x</saml:AttributeValue></saml:Attribute>`
const confirmation =
  '<saml:SubjectConfirmation Method="urn:oasis:names:tc:SAML:2.0:cm:bearer"><saml:SubjectConfirmationData></saml:SubjectConfirmationData></saml:SubjectConfirmation>'

/** Contents in canonical form. */
const contents: Record<string, string> = {
  elements: filled('<b></b>', 2450),
  'elements beyond the bound': filled('<b></b>'),
  'elements in elements': deep('', filled('<b></b>', 2400)),
  'elements with attributes': filled('<b a="" b=""></b>', 2450),
  'attributes of few elements': filled(`<b${wide}></b>`, 155),
  'attributes beyond the bound': filled(`<b${wide}></b>`),
  'texts between elements': filled('<b>x</b>y', 2450),
  'namespaces that are used': filled(`<p:b xmlns:p="urn:x" p:a=""></p:b>`, 2450),
  'one long text': 'x'.repeat(room),
  'text beyond ASCII': '\u{1F600}'.repeat(room / 4),
  'escaped text': filled('&amp;', 9900),
  'attributes of one name': filled(attribute('x'), 1200),
}

/** Contents in other forms. A reader processes only their beginning. */
const strange: Record<string, string> = {
  'empty elements beyond the bound': filled('<b/>'),
  'attributes of one tag': `<b${attributesOf(22_000, (at) => `a${at}=""`)}/>`,
  declarations: filled(`<b${declared}/>`),
  'declarations that are used': filled(`<b${declared}${used}/>`),
  'prefixes far from their declarations': deep(declared, filled(`<b${used}/>`, 600)),
  'one long namespace': `<a xmlns:p="urn:${'x'.repeat(100 * kib)}">${filled('<p:b/>', 2450)}</a>`,
  'references by number': filled('&#65;', 9900),
  'references beyond the bound': filled('&#65;'),
  'references by name': filled('&lt;'),
  'references in attributes': filled(`<b a="${'&#65;'.repeat(99)}"/>`, 100),
  'lines of Windows': filled('\r\n'),
  'white space in a tag': `<b${filled(' ')}/>`,
  identifiers: times(2450, (at) => `<b ID="i${at}"/>`),
  prefixes: times(2450, (at) => `<p${at}:b xmlns:p${at}="urn:x"/>`),
  'depth beyond the bound': filled('<a>'),
  signatures: filled('<Signature/>', 2450),
  confirmations: filled(confirmation, 1200),
}

/** Texts that begin like XML and are none. */
const broken: Record<string, string> = {
  'a tag without an end': `<a ${filled('x')}`,
  'a tag of white space': `<a${filled(' ')}`,
  'a value without an end': `<a x="${filled("'")}`,
  'an attribute again and again': `<a${filled(' a="b"')}`,
  'brackets alone': filled('<'),
  'ampersands alone': `<a>${filled('&')}</a>`,
  'a comment without an end': `<!--${filled('-x')}`,
  'white space before nothing': `${filled(' ')}<`,
}

/**
 * Responses that cost a reader much, by name. In some, a stranger signed an honest response's content beside a flood.
 * In the others the provider signed everything twice, so that a reader verifies and reads all of it.
 */
export const samlFloods = (
  key: SamlKey,
  stranger: SamlKey,
  parts: Parts = honestParts,
): Map<string, string> => {
  const forged = signedTwice(parts, '', stranger)
  const beside = (content: string) =>
    forged.replace('</samlp:Status>', (end) => `${end}<samlp:Extensions>${content}</samlp:Extensions>`)
  const named = (all: Record<string, string>, by: string, form: (content: string) => string) =>
    Object.entries(all).map(([what, content]) => [`${what}, ${by}`, form(content)] as const)
  return new Map([
    ...named({ ...contents, ...strange }, 'signed by a stranger', beside),
    ...named(contents, 'signed by the provider', (content) => signedTwice(parts, content, key)),
    ...named(broken, 'which is no XML', (text) => text),
  ])
}

/**
 * Processor time of some work in milliseconds, in the best of several runs, because others may use the machine as
 * well.
 */
export const costOf = (work: () => unknown, runs = 3): number => {
  const costs = Array.from({ length: runs }, () => {
    const before = process.cpuUsage()
    work()
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000
  })
  return Math.min(...costs)
}
