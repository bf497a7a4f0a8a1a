/** Exclusive XML Canonicalization 1.0: examples of its rules, and documents that a library signed. */
import { createRequire } from 'node:module'
import { expect, test } from 'vitest'
import { honestParts, posted, responseXml, rsaKey, signXml } from '../../../../../lab/saml.ts'
import { readPosted } from '../../../../test/saml.ts'
import { canonical } from './saml-canonical.ts'
import { elementsOf, parseXml } from './saml-xml.ts'

const canonicalOf = (xml: string, ...inclusive: string[]) => canonical(parseXml(xml), { inclusive })
const ofFirstChild = (xml: string, ...inclusive: string[]) => {
  const [child] = elementsOf(parseXml(xml))
  if (!child) throw new Error('no child')
  return canonical(child, { inclusive })
}

test('tags have an end, attributes their order, and characters their references', () => {
  const xml = `<a z='1'\tb = "&lt;&gt;&amp;&quot;&apos;&#9;&#10;&#13;\n" xmlns:y="urn:1" xmlns:x="urn:2" x:c="" y:d=""><b/>\r\n&lt;&gt;&amp;"&#13;\r</a>`
  expect(canonicalOf(xml)).toBe(
    `<a xmlns:x="urn:2" xmlns:y="urn:1" b="&lt;>&amp;&quot;'&#x9;&#xA;&#xD; " z="1" y:d="" x:c=""><b></b>\n&lt;&gt;&amp;"&#xD;\n</a>`,
  )
})

test('a namespace is declared where a name uses it, and no tag around has declared it', () => {
  const xml =
    '<a xmlns="urn:0" xmlns:p="urn:1" xmlns:q="urn:2"><p:b><p:c q:d=""/><e xmlns=""><f xmlns="urn:0"/></e></p:b><q:g xml:lang="en"/></a>'
  expect(canonicalOf(xml)).toBe(
    '<a xmlns="urn:0"><p:b xmlns:p="urn:1"><p:c xmlns:q="urn:2" q:d=""></p:c><e xmlns=""><f xmlns="urn:0"></f></e></p:b>' +
      '<q:g xmlns:q="urn:2" xml:lang="en"></q:g></a>',
  )
  expect(ofFirstChild('<p:a xmlns:p="urn:1" xmlns="urn:0"><p:b/></p:a>')).toBe('<p:b xmlns:p="urn:1"></p:b>')
  expect(ofFirstChild('<a xmlns="urn:0"><b xmlns=""/></a>')).toBe('<b></b>')
})

test('a listed prefix is declared wherever it stands, and at the first tag', () => {
  const xml = '<a xmlns="urn:0" xmlns:p="urn:1"><q:b xmlns:q="urn:2"><q:c xmlns:p="urn:3"/></q:b></a>'
  expect(ofFirstChild(xml, 'p', '#default')).toBe(
    '<q:b xmlns="urn:0" xmlns:p="urn:1" xmlns:q="urn:2"><q:c xmlns:p="urn:3"></q:c></q:b>',
  )
  expect(ofFirstChild(xml, 'none')).toBe('<q:b xmlns:q="urn:2"><q:c></q:c></q:b>')
})

const require = createRequire(import.meta.url)
const { DOMParser } = require('@xmldom/xmldom')
const { ExclusiveCanonicalization } = require('xml-crypto')

/** Random numbers from a seed, so that a failing run can be repeated. */
const numbersFrom = (seed: number) => {
  let last = seed
  return (below: number) => {
    last = (last * 1_103_515_245 + 12_345) % 2_147_483_648
    return Math.floor((last / 2_147_483_648) * below)
  }
}

/** A random element with prefixes p, q and r, which nested elements may redeclare. */
const someElement = (pick: (below: number) => number, depth: number): string => {
  const one = <T>(all: T[]): T => all[pick(all.length)] as T
  const tag = one(['a', 'p:a', 'q:b', 'r:c'])
  const declarations = ['', 'p', 'q', 'r'].map((prefix) =>
    pick(3) === 0 ? ` xmlns${prefix && ':'}${prefix}="urn:${pick(3)}"` : '',
  )
  const attributes = [` x="${one(['', '&lt;&#10;', 'é😀', "'"])}"`, ` p:y="&#x9;"`, ' z="\t"'].filter(() =>
    pick(2),
  )
  const content = Array.from({ length: depth > 0 ? pick(4) : 0 }, () =>
    pick(2) ? someElement(pick, depth - 1) : one(['text', '\r\n', '&amp;&gt;', '😀']),
  )
  return `<${tag}${one([declarations.join(''), ''])}${attributes.join('')}>${content.join('')}</${tag}>`
}

test('the library writes the same for 300 documents', () => {
  for (let seed = 1; seed <= 300; seed += 1) {
    const xml = `<o xmlns="urn:0" xmlns:p="urn:1" xmlns:q="urn:2" xmlns:r="urn:0">${someElement(numbersFrom(seed), 5)}</o>`
    const { documentElement } = new DOMParser().parseFromString(xml, 'text/xml')
    expect([seed, canonicalOf(xml)]).toEqual([seed, new ExclusiveCanonicalization().process(documentElement)])
  }
})

test('responses that the library signs with any prefixes and lists are read', () => {
  const key = rsaKey()
  const expected = {
    entityId: honestParts.audience,
    acsUrl: honestParts.acsUrl,
    issuer: honestParts.issuer,
    certificates: [key.certificate],
    subject: 'name_id',
    requestId: honestParts.requestId,
    now: new Date('2026-11-27T12:00:30Z'),
  }
  for (let seed = 1; seed <= 30; seed += 1) {
    const attributes = `<x xmlns:p="urn:1" xmlns:q="urn:2" xmlns:r="urn:0">${someElement(numbersFrom(seed), 4)}</x>`
    const of = seed % 2 ? 'Assertion' : 'Response'
    const inclusive = seed % 3 ? ['saml', 'p'] : []
    const signed = signXml(responseXml({ attributes }), { key, of, inclusive })
    expect([seed, readPosted(posted(signed), expected)]).toMatchObject([
      seed,
      { subject: 'ada@acme.example' },
    ])
  }
})
