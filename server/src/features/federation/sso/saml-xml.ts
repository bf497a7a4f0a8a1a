/**
 * Reads XML that strangers wrote, in one pass within bounds. It takes plain XML alone: without DOCTYPE, entities of its
 * own, processing instructions and CDATA, each ID once.
 */
import { SamlRefused } from './saml-refusal.ts'

interface Name {
  /** As it is written. */
  qualified: string
  /** "" for none. */
  prefix: string
  localName: string
}

export interface XmlAttribute extends Name {
  namespace: string
  value: string
}

export interface XmlElement extends Name {
  /** "" for none. */
  namespace: string
  /** All but the declarations of namespaces. */
  attributes: XmlAttribute[]
  /** The namespaces that it declares, by prefix; "" is that of names without one. */
  declared: ReadonlyMap<string, string>
  depth: number
  parent: XmlElement | undefined
  children: (XmlElement | string)[]
}

/** Of a document or its canonical form. The metadata of ADFS has 70 KiB. */
export const xmlBytesMax = 256 * 1024
/** ADFS has 600 elements in 9 levels; an answer of Okta with 1,000 groups has 1,050, and 3,100 attributes. */
const elementsMax = 2500
const attributesMax = 5000
const attributesInTagMax = 32
const referencesMax = 10_000
const depthMax = 32

const part = String.raw`[A-Za-z_][\w.-]*`
const name = String.raw`((?:(${part}):)?(${part}))`
const beginning = new RegExp(`<${name}`, 'y')
const attribute = new RegExp(String.raw`[ \t\n]+${name}[ \t\n]*=[ \t\n]*(?:"([^"<]*)"|'([^'<]*)')`, 'y')
const closing = /[ \t\n]*(\/?)>/y
const ending = new RegExp(String.raw`</${name}[ \t\n]*>`, 'y')
const plainText = /[^<]*/y
const comments = /<!--(?:-?[^-])*-->/g
/** A comment divides no text: that before and after it is one value. */
const commentedText = new RegExp(`(?:[^<]+|${comments.source})*`, 'y')

const declaration =
  /^<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>/i
const reference = /&(?:(?:#x([\dA-Fa-f]{1,6})|#(\d{1,7})|(lt|gt|amp|quot|apos));)?/g
const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

const malformed = (): never => {
  throw new SamlRefused('malformed')
}

const entities: Record<string, string> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" }

const characterOf = (code: number): string => {
  const character = code > 0x10_ff_ff ? '\0' : String.fromCodePoint(code)
  return forbiddenCharacter.test(character) ? malformed() : character
}

const meaningOf = (_: string, hex?: string, decimal?: string, entity = ''): string =>
  hex || decimal
    ? characterOf(hex ? Number.parseInt(hex, 16) : Number(decimal))
    : (entities[entity] ?? malformed())

const decoded = (raw: string): string => (raw.includes('&') ? raw.replaceAll(reference, meaningOf) : raw)

const isSpace = (character = ''): boolean => character !== '' && ' \t\r\n'.includes(character)

/** Without the white space of XML around it. */
const trimmed = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isSpace(text[start])) start += 1
  while (end > start && isSpace(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** A pass through a text. */
interface Reading {
  source: string
  at: number
  text: RegExp
  elements: number
  attributes: number
  ids: Set<string>
}

const take = (reading: Reading, pattern: RegExp): RegExpExecArray | null => {
  pattern.lastIndex = reading.at
  const found = pattern.exec(reading.source)
  if (found) reading.at = pattern.lastIndex
  return found
}

const nameOf = (found: RegExpExecArray): Name => ({
  qualified: found[1] ?? '',
  prefix: found[2] ?? '',
  localName: found[3] ?? '',
})

/** Each ID occurs once in a document, whatever its prefix and letters. */
const noteId = ({ ids }: Reading, id: string): void => {
  if (ids.has(id)) malformed()
  ids.add(id)
}

/** Everything in a tag that has a value, each name once. */
const takeAttributes = (reading: Reading): XmlAttribute[] => {
  const all: XmlAttribute[] = []
  for (let found = take(reading, attribute); found; found = take(reading, attribute)) {
    const value = decoded((found[4] ?? found[5] ?? '').replaceAll(/[\t\n]/g, ' '))
    const one = { ...nameOf(found), namespace: '', value }
    if (all.some(({ qualified }) => qualified === one.qualified)) malformed()
    if (one.localName.toLowerCase() === 'id') noteId(reading, trimmed(value))
    all.push(one)
    reading.attributes += 1
    if (all.length > attributesInTagMax || reading.attributes > attributesMax) malformed()
  }
  return all
}

const xmlNamespace = 'http://www.w3.org/XML/1998/namespace'
const isDeclaration = ({ qualified, prefix }: Name): boolean => qualified === 'xmlns' || prefix === 'xmlns'

/** Only `xml` has its namespace, and `xmlns` none; a prefix cannot be taken back. */
const isMisused = (prefix: string, namespace: string): boolean =>
  (prefix === 'xml') !== (namespace === xmlNamespace) ||
  prefix === 'xmlns' ||
  namespace === 'http://www.w3.org/2000/xmlns/' ||
  (prefix !== '' && namespace === '')

const declaredIn = (written: XmlAttribute[]): XmlElement['declared'] => {
  const declared = new Map<string, string>()
  for (const { prefix, localName, value } of written.filter(isDeclaration)) {
    const declares = prefix && localName
    if (isMisused(declares, value)) malformed()
    declared.set(declares, value)
  }
  return declared
}

/** The namespace of a prefix within an element; undefined where nothing declares it. */
export const namespaceAt = (element: XmlElement | undefined, prefix: string): string | undefined => {
  if (prefix === 'xml') return xmlNamespace
  for (let at = element; at; at = at.parent) {
    const namespace = at.declared.get(prefix)
    if (namespace !== undefined) return namespace
  }
  return prefix === '' ? '' : undefined
}

/** Finds the namespaces of all names. Two prefixes can mean the same one, in which a name occurs once. */
const resolve = (element: XmlElement): void => {
  const { attributes, prefix } = element
  element.namespace = namespaceAt(element, prefix) ?? malformed()
  const prefixed = attributes.filter((one) => one.prefix !== '')
  for (const one of prefixed) one.namespace = namespaceAt(element, one.prefix) ?? malformed()
  const isTwice = (one: XmlAttribute, at: number) =>
    prefixed.findIndex((other) => other.localName === one.localName && other.namespace === one.namespace) < at
  if (prefixed.some(isTwice)) malformed()
}

/** An element, and whether its end is read. */
interface Taken {
  element: XmlElement
  isWhole: boolean
}

const takeBeginning = (reading: Reading, begun: RegExpExecArray, parent: XmlElement | undefined): Taken => {
  const depth = (parent?.depth ?? 0) + 1
  reading.elements += 1
  if (depth > depthMax || reading.elements > elementsMax) malformed()
  const written = takeAttributes(reading)
  const [, slash] = take(reading, closing) ?? malformed()
  const attributes = written.filter((one) => !isDeclaration(one))
  const rest = { namespace: '', attributes, declared: declaredIn(written), depth, parent, children: [] }
  const element: XmlElement = { ...nameOf(begun), ...rest }
  resolve(element)
  parent?.children.push(element)
  return { element, isWhole: slash !== '' }
}

const takeEnd = (reading: Reading, open: XmlElement | undefined): Taken => {
  const [, qualified] = take(reading, ending) ?? malformed()
  return open && open.qualified === qualified ? { element: open, isWhole: true } : malformed()
}

const takeText = (reading: Reading): string =>
  decoded((take(reading, reading.text)?.[0] ?? '').replaceAll(comments, ''))

const takeRoot = (reading: Reading): XmlElement => {
  let open: XmlElement | undefined
  for (;;) {
    const begun = take(reading, beginning)
    const { element, isWhole } = begun ? takeBeginning(reading, begun, open) : takeEnd(reading, open)
    open = isWhole ? element.parent : element
    if (!open) return element
    const text = takeText(reading)
    if (text !== '') open.children.push(text)
  }
}

/** Takes what may stand before and after the root. */
const takeNothing = (reading: Reading): void => {
  if (trimmed(takeText(reading)) !== '') malformed()
}

const read = (document: string, text: RegExp): XmlElement => {
  if (Buffer.byteLength(document) > xmlBytesMax) malformed()
  const source = document
    .replace(/^\uFEFF/, '')
    .replace(declaration, '')
    .replaceAll(/\r\n?/g, '\n')
  if (forbiddenCharacter.test(source) || source.split('&').length > referencesMax) malformed()
  const reading = { source, at: 0, text, elements: 0, attributes: 0, ids: new Set<string>() }
  takeNothing(reading)
  const root = takeRoot(reading)
  takeNothing(reading)
  return reading.at === source.length ? root : malformed()
}

/** The root of a document of plain XML. Throws SamlRefused (`malformed`) for all else. A declaration of UTF-8 is taken. */
export const parseXml = (document: string): XmlElement => read(document, plainText)

/** The same with comments, which count for nothing. */
export const parseCommentedXml = (document: string): XmlElement => read(document, commentedText)

export const elementsOf = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== 'string')

export const childrenOf = (parent: XmlElement, namespace: string, localName: string): XmlElement[] =>
  elementsOf(parent).filter((child) => child.namespace === namespace && child.localName === localName)

/** The one child of a name; undefined without one. Throws SamlRefused for several. */
export const childOf = (parent: XmlElement, namespace: string, localName: string): XmlElement | undefined => {
  const [child, ...others] = childrenOf(parent, namespace, localName)
  return others.length > 0 ? malformed() : child
}

/** How many elements below one have a local name, in whichever namespace. */
export const countBelow = (parent: XmlElement, localName: string): number =>
  elementsOf(parent).reduce(
    (count, child) => count + (child.localName === localName ? 1 : 0) + countBelow(child, localName),
    0,
  )

/** The text of an element, without white space around it; undefined where it has elements inside. */
export const textOf = ({ children }: XmlElement): string | undefined =>
  children.every((child) => typeof child === 'string') ? trimmed(children.join('')) : undefined

/** The value of an attribute, without white space around it. */
export const attributeOf = ({ attributes }: XmlElement, key: string): string | undefined => {
  const found = attributes.find(({ qualified }) => qualified === key)
  return found && trimmed(found.value)
}
