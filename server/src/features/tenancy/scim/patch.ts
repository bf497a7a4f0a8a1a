/** Changes of a resource (RFC 7644, 3.5.2), in the variants that providers send. */
import { isDeepStrictEqual } from 'node:util'
import { invalidPath, invalidValue, ScimError } from '../../../errors/scim-error.ts'
import {
  attributeNamed,
  enterpriseSchema,
  findAttribute,
  isSchemaUrn,
  type Attribute,
  type ResourceType,
} from './attributes.ts'
import { readPath, type Filter, type ScimPath } from './grammar.ts'
import { changeMembers, type MemberChange } from './members.ts'
import { effectOf } from './paths.ts'
import { fitting, readList, readValue, sameText, wantedBy, type Raw } from './values.ts'

const ops = ['add', 'replace', 'remove'] as const
type Op = (typeof ops)[number]

interface Operation {
  op: Op
  path: string | undefined
  value: unknown
}

const operationsMax = 100
/** The most fields of an operation. The standard has three; providers add a few. */
const fieldsMax = 20
/** The most attributes of a body. Profiles of providers have up to some hundred. */
const attributesMax = 1000

const invalidSyntax = (message: string) => new ScimError(400, message, 'invalidSyntax')

const isObject = (value: unknown): value is Raw =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A field of an object, ignoring the case of its name. */
const fieldOf = (object: Raw, name: string): unknown =>
  object[name] ?? object[Object.keys(object).find((key) => key.toLowerCase() === name.toLowerCase()) ?? '']

const pathOf = (path: unknown): string | undefined => {
  if (path === undefined || path === null) return undefined
  if (typeof path !== 'string') throw invalidPath('A path is a text')
  return path.trim() || undefined
}

const readOperation = (given: unknown): Operation => {
  if (!isObject(given) || Object.keys(given).length > fieldsMax) {
    throw invalidSyntax(`Each operation is an object of at most ${fieldsMax} fields`)
  }
  const [op, path, value] = ['op', 'path', 'value'].map((name) => fieldOf(given, name))
  const known = ops.find((one) => typeof op === 'string' && op.toLowerCase() === one)
  if (!known) throw invalidSyntax('The op of an operation is add, replace or remove')
  return { op: known, path: pathOf(path), value }
}

/** The operations of a body. Throws 400 `invalidSyntax`. */
export const readOperations = (body: unknown): Operation[] => {
  const operations = isObject(body) ? fieldOf(body, 'Operations') : undefined
  if (!Array.isArray(operations) || operations.length === 0) {
    throw invalidSyntax('The body needs Operations, a list with at least one operation')
  }
  if (operations.length > operationsMax) {
    throw invalidSyntax(`A request has at most ${operationsMax} operations`)
  }
  return operations.map(readOperation)
}

const readOnly = (name: string) => new ScimError(400, `${name} cannot be changed`, 'mutability')

/** Sets a part of a resource, or deletes it if `value` is undefined. */
const setOrDelete = (parts: Raw, name: string, value: unknown): void => {
  if (value === undefined) delete parts[name]
  else parts[name] = value
}

/** Only one value can be primary: the last value that the operations mark. */
const keepOnePrimary = (values: Raw[], primary: Raw | undefined): void => {
  if (primary?.['primary'] !== true) return
  for (const one of values) if (one !== primary && one['primary'] === true) one['primary'] = false
}

const addTo = (attribute: Attribute, values: Raw[], added: Raw[]): void => {
  for (const one of added) {
    if (!values.some((known) => isDeepStrictEqual(known, one))) values.push(one)
    keepOnePrimary(values, one)
  }
  // The limit of a list applies to all operations together.
  readList(attribute, values)
}

const noTarget = ({ name }: Attribute) =>
  new ScimError(400, `No value of ${name} fits the filter`, 'noTarget')

/**
 * The elements that a path's filter selects. If there are none, a filter that has only `eq` creates a matching element
 * for the list's main part.
 */
const selectedElements = (
  attribute: Attribute,
  values: Raw[],
  { filter, sub = 'value' }: ScimPath,
): Raw[] => {
  if (!filter) return values
  const chosen = values.filter(fitting(attribute, filter))
  if (chosen.length > 0) return chosen
  const made = sub.toLowerCase() === 'value' ? wantedBy(attribute, filter) : undefined
  if (!made) throw noTarget(attribute)
  values.push(made)
  return [made]
}

const subOf = (attribute: Attribute, name: string): Attribute => {
  const sub = attributeNamed(attribute.subAttributes, name)
  if (!sub) throw invalidPath(`${attribute.name} has no ${name}`)
  if (sub.mutability === 'readOnly') throw readOnly(`${attribute.name}.${name}`)
  return sub
}

interface PatchChange {
  op: Op
  path: ScimPath
  value: unknown
}

const writeElement = (attribute: Attribute, one: Raw, { op, path, value }: PatchChange): void => {
  if (path.sub === undefined) {
    const [parts = {}] = readList(attribute, value)
    if (op === 'replace') for (const key of Object.keys(one)) delete one[key]
    Object.assign(one, parts)
    if (one['value'] === undefined) throw invalidValue(`Each of ${attribute.name} needs a value`)
    return
  }
  const sub = subOf(attribute, path.sub)
  setOrDelete(one, sub.name, readValue(sub, value))
}

const writeList = (attribute: Attribute, values: Raw[], change: PatchChange): void => {
  const { op, path, value } = change
  if (!path.filter && path.sub === undefined) {
    if (op === 'replace') values.length = 0
    return addTo(attribute, values, value === null ? [] : readList(attribute, value))
  }
  for (const one of selectedElements(attribute, values, path)) {
    writeElement(attribute, one, change)
    keepOnePrimary(values, one)
  }
  readList(attribute, values)
}

/** The condition of a removal: its filter, its value, or none, which removes all elements. */
const removalFilter = (
  attribute: Attribute,
  { path: { filter }, value }: PatchChange,
): ((one: Raw) => boolean) => {
  if (filter) return fitting(attribute, filter)
  if (value === undefined || value === null) return () => true
  const named = readList(attribute, value)
  return (one) => named.some(({ value: wanted }) => sameText(wanted, one['value']))
}

const removeFromList = (attribute: Attribute, values: Raw[], change: PatchChange): void => {
  const isChosen = removalFilter(attribute, change)
  const sub = change.path.sub === undefined ? undefined : subOf(attribute, change.path.sub)
  const kept = values.filter((one) => {
    if (!isChosen(one)) return true
    if (sub) delete one[sub.name]
    return sub !== undefined
  })
  values.splice(0, values.length, ...kept)
}

const changeList = (parts: Raw, attribute: Attribute, change: PatchChange): void => {
  const values = [...((parts[attribute.name] as Raw[] | undefined) ?? [])]
  if (change.op === 'remove') removeFromList(attribute, values, change)
  else writeList(attribute, values, change)
  // An element without its main part is dropped.
  const kept = values.filter(({ value }) => value !== undefined)
  setOrDelete(parts, attribute.name, kept.length > 0 ? kept : undefined)
}

const changePart = (parts: Raw, attribute: Attribute, { op, path, value }: PatchChange): void => {
  const sub = subOf(attribute, path.sub ?? '')
  const inner = { ...(parts[attribute.name] as Raw | undefined) }
  setOrDelete(inner, sub.name, op === 'remove' ? undefined : readValue(sub, value))
  setOrDelete(parts, attribute.name, Object.keys(inner).length > 0 ? inner : undefined)
}

/** Changes a complex value. Keeps the parts that the operation does not name. */
const changeSingle = (parts: Raw, attribute: Attribute, { op, value }: PatchChange): void => {
  if (op === 'remove') {
    if (attribute.required) throw readOnly(`${attribute.name} is required, and`)
    delete parts[attribute.name]
    return
  }
  const read = readValue(attribute, value)
  const isMerged = attribute.type === 'complex' && read !== undefined
  setOrDelete(
    parts,
    attribute.name,
    isMerged ? { ...(parts[attribute.name] as Raw | undefined), ...(read as Raw) } : read,
  )
}

/**
 * Applies an operation whose filter selects a single value, as Entra ID selects a manager. A removal that does not
 * match changes nothing.
 */
const changeChosen = (parts: Raw, attribute: Attribute, filter: Filter, change: PatchChange): void => {
  if (attribute.type !== 'complex') throw invalidPath(`${attribute.name} takes no filter`)
  const value = parts[attribute.name] as Raw | undefined
  if (value !== undefined && fitting(attribute, filter)(value)) {
    return changeAttribute(parts, attribute, { ...change, path: { ...change.path, filter: undefined } })
  }
  if (change.op !== 'remove') throw noTarget(attribute)
}

const changeAttribute = (parts: Raw, attribute: Attribute, change: PatchChange): void => {
  if (attribute.name === 'members') {
    return changeMembers(parts['members'] as MemberChange, change.op, change.path, change.value)
  }
  if (attribute.multiValued) return changeList(parts, attribute, change)
  if (change.path.filter) return changeChosen(parts, attribute, change.path.filter, change)
  if (change.path.sub !== undefined) return changePart(parts, attribute, change)
  return changeSingle(parts, attribute, change)
}

/** Accepts an unchanged id, because providers repeat it. A new resource has no id yet. */
const requireWritable = (resource: Raw, attribute: Attribute, { op, value }: PatchChange): void => {
  const known = resource['id'] ?? value
  const isSameId = attribute.name === 'id' && op !== 'remove' && value === known
  if (!isSameId) throw readOnly(attribute.name)
}

const inExtension = (resource: Raw, change: (parts: Raw) => void): void => {
  const parts = { ...(resource[enterpriseSchema] as Raw | undefined) }
  change(parts)
  setOrDelete(resource, enterpriseSchema, Object.keys(parts).length > 0 ? parts : undefined)
}

interface PatchedResource {
  kind: ResourceType
  resource: Raw
  /** The number of attributes that the body has named without a path. */
  attributes: number
}

const changeAt = ({ kind, resource }: PatchedResource, change: PatchChange): void => {
  const { schema, attribute: name } = change.path
  const found = findAttribute(kind, schema, name)
  if (!found) throw invalidPath(`There is no attribute ${name.slice(0, 100)}`)
  const { attribute, isExtension } = found
  if (attribute.mutability === 'readOnly') return requireWritable(resource, attribute, change)
  if (isExtension) inExtension(resource, (parts) => changeAttribute(parts, attribute, change))
  else changeAttribute(resource, attribute, change)
}

const isReadOnly = (kind: ResourceType, { schema, attribute }: ScimPath): boolean => {
  const found = findAttribute(kind, schema, attribute)
  return found?.attribute.mutability === 'readOnly' && found.attribute.name !== 'id'
}

const isLenient = (kind: ResourceType, { schema, attribute }: ScimPath): boolean =>
  findAttribute(kind, schema, attribute)?.attribute.isLenient === true

/** Throws 400 for a body with too many attributes, before it reads any. */
const requireFew = (patched: PatchedResource, names: string[]): void => {
  patched.attributes += names.length
  if (patched.attributes > attributesMax) {
    throw invalidSyntax(`A body has at most ${attributesMax} attributes`)
  }
}

/** Applies each field of a value as its own operation. Ignores read-only fields, as the creation of a resource does. */
const changeByFields = (patched: PatchedResource, op: Op, value: unknown, schema?: string): void => {
  if (!isObject(value)) throw invalidValue('Without a path the value is an object')
  const names = Object.keys(value)
  requireFew(patched, names)
  for (const name of names) {
    const text = schema === undefined || /^urn:/i.test(name) ? name : `${schema}:${name}`
    if (effectOf(patched.kind, text) !== 'kept') continue
    const path = readPath(text)
    if (!isReadOnly(patched.kind, path)) applyOne(patched, { op, path, value: value[name] })
  }
}

const changeWholeSchema = (
  patched: PatchedResource,
  { op, path: { schema = '' }, value }: PatchChange,
): void => {
  const { kind, resource } = patched
  if (isSchemaUrn(kind, schema)) return changeByFields(patched, op, value)
  if (op === 'remove') delete resource[enterpriseSchema]
  else changeByFields(patched, op, value ?? {}, schema)
}

const applyOne = (patched: PatchedResource, change: PatchChange): void =>
  change.path.attribute === '' ? changeWholeSchema(patched, change) : changeAt(patched, change)

const applyAt = (patched: PatchedResource, { op, value }: Operation, text: string): void => {
  const effect = effectOf(patched.kind, text)
  if (effect === 'ignored') return
  if (effect === 'invalidPath') throw invalidPath(`There is no attribute ${text.slice(0, 100)}`)
  const path = readPath(text)
  if (op !== 'remove' && value === undefined) {
    if (isLenient(patched.kind, path)) return
    throw invalidValue(`An operation ${op} needs a value`)
  }
  applyOne(patched, { op, path, value })
}

const applyOperation = (patched: PatchedResource, operation: Operation): void => {
  const { op, path, value } = operation
  if (path !== undefined) return applyAt(patched, operation, path)
  if (op === 'remove') throw new ScimError(400, 'A removal needs a path', 'noTarget')
  changeByFields(patched, op, value)
}

/** Applies operations to a copy of a resource: all of them, or none. Throws 400 as RFC 7644 specifies. */
export const applyOperations = (kind: ResourceType, resource: Raw, operations: Operation[]): Raw => {
  const patched = { kind, resource: { ...structuredClone(resource) }, attributes: 0 }
  for (const operation of operations) applyOperation(patched, operation)
  return patched.resource
}

/** Reads a resource from a body into `start`. Throws 400 `invalidSyntax` and `invalidValue`. */
export const readResource = (kind: ResourceType, body: unknown, start: Raw = {}): Raw => {
  if (!isObject(body)) throw invalidSyntax('The body is a resource as JSON')
  const patched = { kind, resource: start, attributes: 0 }
  changeByFields(patched, 'replace', body)
  return patched.resource
}
