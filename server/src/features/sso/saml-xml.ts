/**
 * Reads XML that strangers wrote. A gate of our own lets only plain XML through to the parser: without DOCTYPE, entities,
 * comments, processing instructions and CDATA, within bounds, each ID once. Two parsers could disagree on the rest.
 */
import { createRequire } from 'node:module'
import { SamlRefused } from './saml-refusal.ts'

/** The part of the DOM that we read. */
export interface XmlElement {
  nodeType: number
  namespaceURI: string | null
  localName: string
  textContent: string | null
  parentNode: XmlElement
  childNodes: ArrayLike<XmlElement>
  getAttributeNode: (key: string) => { value: string } | null
  getElementsByTagNameNS: (namespace: string, localName: string) => ArrayLike<XmlElement>
}

interface Parser {
  parseFromString: (text: string, type: string) => { documentElement: XmlElement }
}

/** Required, because the types of the package bring those of a browser into the whole service. */
const require = createRequire(import.meta.url)
const { DOMParser } = require('@xmldom/xmldom') as {
  DOMParser: new (options: { errorHandler: () => never }) => Parser
}

const xmlBytesMax = 256 * 1024
const depthMax = 32
const elementsMax = 5000
const attributesMax = 32

const space = String.raw`[ \t\r\n]`
const name = String.raw`[A-Za-z_][\w.-]*(?::[A-Za-z_][\w.-]*)?`
const attribute = String.raw`${space}+${name}${space}*=${space}*(?:"[^"<]*"|'[^'<]*')`
const tag = new RegExp(String.raw`<(?:/${name}${space}*|(${name})((?:${attribute})*)${space}*(/?))>`, 'y')
const attributes = new RegExp(String.raw`(${name})${space}*=${space}*(?:"([^"]*)"|'([^']*)')`, 'g')
const declaration =
  /^<\?xml\s+version=["']1\.0["'](?:\s+encoding=["']utf-8["'])?(?:\s+standalone=["'](?:yes|no)["'])?\s*\?>/i
const foreignReference = /&(?!(?:lt|gt|amp|quot|apos|#\d{1,7}|#x[\dA-Fa-f]{1,6});)/
const forbiddenCharacter = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

const malformed = (): never => {
  throw new SamlRefused('malformed')
}

const isCharacter = (code: number): boolean =>
  code <= 0x10_ff_ff && !forbiddenCharacter.test(String.fromCodePoint(code))

const checkCharacters = (text: string): void => {
  if (forbiddenCharacter.test(text) || foreignReference.test(text)) malformed()
  for (const [, hex, decimal] of text.matchAll(/&#(?:x([\dA-Fa-f]+)|(\d+));/g)) {
    if (!isCharacter(hex ? Number.parseInt(hex, 16) : Number(decimal))) malformed()
  }
}

interface Tag {
  /** The change of the depth: one, nothing for an empty element, minus one at an end. */
  step: number
  /** Those of a tag that begins an element; undefined at an end. */
  attributes: string | undefined
  end: number
}

/** All tags in order, from the first character on. The parser refuses those that do not match each other. */
const tagsOf = function* (text: string): Generator<Tag> {
  let at = 0
  while (at >= 0) {
    tag.lastIndex = at
    const [, begins, rest, slash] = tag.exec(text) ?? malformed()
    const end = tag.lastIndex
    yield { step: begins ? (slash ? 0 : 1) : -1, attributes: rest, end }
    at = text.indexOf('<', end)
  }
}

const noteId = (ids: Set<string>, id: string): void => {
  if (ids.has(id)) malformed()
  ids.add(id)
}

/** No ID that the document had before. The parser refuses a name that occurs twice. */
const checkAttributes = (text: string, ids: Set<string>): void => {
  const all = [...text.matchAll(attributes)]
  if (all.length > attributesMax) malformed()
  for (const [, key = '', quoted, apostrophed] of all) {
    if (/^(?:[^:]*:)?id$/i.test(key)) noteId(ids, quoted ?? apostrophed ?? '')
  }
}

/** Walks through all tags once: they are in one root, and within the bounds. */
const checkTags = (text: string): void => {
  const ids = new Set<string>()
  let depth = 0
  let elements = 0
  for (const { step, attributes: some, end } of tagsOf(text)) {
    depth += step
    if (some !== undefined) elements += 1
    if (depth > depthMax || elements > elementsMax) malformed()
    if (depth <= 0 && end < text.length) malformed()
    checkAttributes(some ?? '', ids)
  }
}

/** A checked document: the text that was parsed, and its root. */
export interface Xml {
  text: string
  root: XmlElement
}

/** Throws SamlRefused (`malformed`) for anything but plain XML. A declaration of UTF-8 is taken. */
export const parseXml = (source: string): Xml => {
  if (Buffer.byteLength(source) > xmlBytesMax) malformed()
  const text = source
    .replace(/^\uFEFF/, '')
    .replace(declaration, '')
    .trim()
  checkCharacters(text)
  checkTags(text)
  const parser = new DOMParser({ errorHandler: malformed })
  return { text, root: parser.parseFromString(text, 'text/xml').documentElement }
}

export const elementsOf = (parent: XmlElement): XmlElement[] =>
  Array.from(parent.childNodes).filter((node) => node.nodeType === 1)

const isNamed = (element: XmlElement, namespace: string, localName: string): boolean =>
  element.namespaceURI === namespace && element.localName === localName

export const childrenOf = (parent: XmlElement, namespace: string, localName: string): XmlElement[] =>
  elementsOf(parent).filter((child) => isNamed(child, namespace, localName))

/** The one child of a name; undefined without one. Throws SamlRefused for several. */
export const childOf = (parent: XmlElement, namespace: string, localName: string): XmlElement | undefined => {
  const [child, ...others] = childrenOf(parent, namespace, localName)
  return others.length > 0 ? malformed() : child
}

/** The text of an element; undefined where it has elements inside. */
export const textOf = (element: XmlElement): string | undefined =>
  elementsOf(element).length > 0 ? undefined : (element.textContent ?? '')

export const attributeOf = (element: XmlElement, key: string): string | undefined =>
  element.getAttributeNode(key)?.value
