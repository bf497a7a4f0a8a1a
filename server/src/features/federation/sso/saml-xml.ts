/**
 * Reads XML from strangers, in one pass and within limits. Accepts only plain XML: no DOCTYPE, declared entities,
 * processing instructions or CDATA. Each ID must be unique.
 */
import { SamlRefused } from './saml-refusal.ts'

interface Name {
  /** The name with its prefix. */
  qualified: string
  /** The prefix; "" for none. */
  prefix: string
  localName: string
}

export interface XmlAttribute extends Name {
  namespace: string
  value: string
}

export interface XmlElement extends Name {
  /** The namespace; "" for none. */
  namespace: string
  /** All attributes except namespace declarations. */
  attributes: XmlAttribute[]
  /** The namespaces that the element declares, by prefix; "" is the default namespace. */
  declared: ReadonlyMap<string, string>
  depth: number
  parent: XmlElement | undefined
  children: (XmlElement | string)[]
}

/** The limit of a document and of its canonical form. The metadata of ADFS has 70 KiB. */
export const xmlBytesMax = 256 * 1024
/**
 * The metadata of ADFS has 600 elements in 9 levels. An Okta answer with 1,000 groups has 1,050 elements and 3,100
 * attributes.
 */
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
/** A comment does not split a text: the text before and after it is one value. */
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

/** Removes XML white space at both ends. */
const trimmed = (text: string): string => {
  let [start, end] = [0, text.length]
  while (isSpace(text[start])) start += 1
  while (end > start && isSpace(text[end - 1])) end -= 1
  return text.slice(start, end)
}

/** The state of one pass through a text. */
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

/** Throws SamlRefused for a repeated ID. Prefix and case of the attribute do not matter. */
const noteId = ({ ids }: Reading, id: string): void => {
  if (ids.has(id)) malformed()
  ids.add(id)
}

/** The attributes and namespace declarations of a tag. Throws SamlRefused for a repeated name. */
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

/** Whether a declaration redefines `xml` or `xmlns`, or removes a prefix. */
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

/** The namespace of a prefix at an element. Undefined for an undeclared prefix. */
export const namespaceAt = (element: XmlElement | undefined, prefix: string): string | undefined => {
  if (prefix === 'xml') return xmlNamespace
  for (let at = element; at; at = at.parent) {
    const namespace = at.declared.get(prefix)
    if (namespace !== undefined) return namespace
  }
  return prefix === '' ? '' : undefined
}

/**
 * Resolves the namespaces of all names. Throws SamlRefused if two attributes have the same name in the same namespace.
 */
const resolve = (element: XmlElement): void => {
  const { attributes, prefix } = element
  element.namespace = namespaceAt(element, prefix) ?? malformed()
  const prefixed = attributes.filter((one) => one.prefix !== '')
  for (const one of prefixed) one.namespace = namespaceAt(element, one.prefix) ?? malformed()
  const isTwice = (one: XmlAttribute, at: number) =>
    prefixed.findIndex((other) => other.localName === one.localName && other.namespace === one.namespace) < at
  if (prefixed.some(isTwice)) malformed()
}

/** An element, and whether its end tag was read. */
interface ParsedElement {
  element: XmlElement
  isWhole: boolean
}

const takeBeginning = (
  reading: Reading,
  begun: RegExpExecArray,
  parent: XmlElement | undefined,
): ParsedElement => {
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

const takeEnd = (reading: Reading, open: XmlElement | undefined): ParsedElement => {
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

/** Reads the only content allowed before and after the root: white space. */
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

/**
 * The root of a document of plain XML. Throws SamlRefused (`malformed`) for anything else. Accepts a declaration of
 * UTF-8.
 */
export const parseXml = (document: string): XmlElement => read(document, plainText)

/** Like `parseXml`, but allows and ignores comments. */
export const parseCommentedXml = (document: string): XmlElement => read(document, commentedText)

export const elementsOf = ({ children }: XmlElement): XmlElement[] =>
  children.filter((child) => typeof child !== 'string')

export const childrenOf = (parent: XmlElement, namespace: string, localName: string): XmlElement[] =>
  elementsOf(parent).filter((child) => child.namespace === namespace && child.localName === localName)

/** The only child with a name. Undefined if there is none. Throws SamlRefused for several. */
export const childOf = (parent: XmlElement, namespace: string, localName: string): XmlElement | undefined => {
  const [child, ...others] = childrenOf(parent, namespace, localName)
  return others.length > 0 ? malformed() : child
}

/** The number of descendants with a local name, in any namespace. */
export const countBelow = (parent: XmlElement, localName: string): number =>
  elementsOf(parent).reduce(
    (count, child) => count + (child.localName === localName ? 1 : 0) + countBelow(child, localName),
    0,
  )

/** The text of an element, trimmed. Undefined if it has nested elements. */
export const textOf = ({ children }: XmlElement): string | undefined =>
  children.every((child) => typeof child === 'string') ? trimmed(children.join('')) : undefined

export const attributeOf = ({ attributes }: XmlElement, key: string): string | undefined => {
  const found = attributes.find(({ qualified }) => qualified === key)
  return found && trimmed(found.value)
}
