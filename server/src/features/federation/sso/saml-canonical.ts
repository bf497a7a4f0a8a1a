/** Writes elements by Exclusive XML Canonicalization 1.0, without comments (https://www.w3.org/TR/xml-exc-c14n/). */
import { SamlRefused } from './saml-refusal.ts'
import { namespaceAt, type XmlAttribute, xmlBytesMax, type XmlElement } from './saml-xml.ts'

/** Escapes of Canonical XML 1.0, 2.3. */
const references: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\t': '&#x9;',
  '\n': '&#xA;',
  '\r': '&#xD;',
}
const refer = (character: string): string => references[character] ?? character
const textOf = (text: string): string => text.replaceAll(/[&<>\r]/g, refer)
const attributeOf = (name: string, value: string): string =>
  ` ${name}="${value.replaceAll(/[&<"\t\n\r]/g, refer)}"`

const compare = (one: string, other: string): number => (one < other ? -1 : Number(one > other))

/** Attributes without a namespace come first. */
const inOrder = (one: XmlAttribute, other: XmlAttribute): number =>
  compare(one.namespace, other.namespace) || compare(one.localName, other.localName)

export interface CanonicalForm {
  /** Prefixes whose declarations are always written. `#default` means the default namespace. */
  inclusive: string[]
  without?: XmlElement
}

interface Writing {
  apex: XmlElement
  inclusive: string[]
  without: XmlElement | undefined
  /** The namespaces that the enclosing tags have declared in the output, by prefix. */
  shown: Map<string, string>
  parts: string[]
  length: number
}

/** Throws SamlRefused beyond 256 KiB: many tags can each repeat a long namespace. */
const write = (writing: Writing, part: string): void => {
  writing.length += part.length
  if (writing.length > xmlBytesMax) throw new SamlRefused('malformed')
  writing.parts.push(part)
}

/**
 * The namespaces that a tag must declare: those of its names, and those of listed prefixes that the tag itself
 * declares.
 */
const namespacesOf = (element: XmlElement, { apex, inclusive }: Writing): Map<string, string> => {
  const namespaces = new Map([[element.prefix, element.namespace]])
  for (const { prefix, namespace } of element.attributes) if (prefix !== '') namespaces.set(prefix, namespace)
  for (const [prefix, namespace] of element.declared) {
    if (inclusive.includes(prefix)) namespaces.set(prefix, namespace)
  }
  for (const prefix of element === apex ? inclusive : []) {
    const namespace = namespaceAt(element, prefix)
    if (namespace !== undefined) namespaces.set(prefix, namespace)
  }
  namespaces.delete('xml')
  return namespaces
}

const writeElement = (writing: Writing, element: XmlElement): void => {
  const { shown, without } = writing
  const added = [...namespacesOf(element, writing)]
    .filter(([prefix, namespace]) => namespace !== (shown.get(prefix) ?? ''))
    .toSorted(([one], [other]) => compare(one, other))
  const hidden = added.map(([prefix]) => [prefix, shown.get(prefix) ?? ''] as const)
  write(writing, `<${element.qualified}`)
  for (const [prefix, namespace] of added) {
    shown.set(prefix, namespace)
    write(writing, attributeOf(prefix === '' ? 'xmlns' : `xmlns:${prefix}`, namespace))
  }
  for (const { qualified, value } of element.attributes.toSorted(inOrder)) {
    write(writing, attributeOf(qualified, value))
  }
  write(writing, '>')
  for (const child of element.children) {
    if (typeof child === 'string') write(writing, textOf(child))
    else if (child !== without) writeElement(writing, child)
  }
  write(writing, `</${element.qualified}>`)
  for (const [prefix, namespace] of hidden) shown.set(prefix, namespace)
}

/** The canonical form of an element. Throws SamlRefused if it exceeds the limit of a document. */
export const canonical = (apex: XmlElement, { inclusive, without }: CanonicalForm): string => {
  const prefixes = inclusive.map((one) => (one === '#default' ? '' : one))
  const writing: Writing = { apex, inclusive: prefixes, without, shown: new Map(), parts: [], length: 0 }
  writeElement(writing, apex)
  return writing.parts.join('')
}
