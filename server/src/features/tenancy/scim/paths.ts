/** The names in the paths of operations, and the effect of an operation on each name. */
import {
  attributeNamed,
  findAttribute,
  groupSchema,
  isExtensionUrn,
  isSchemaUrn,
  userSchema,
} from './attributes.ts'
import type { ResourceType } from './attributes.ts'
import { divideUrn, pathLengthMax } from './grammar.ts'

/** The names of a path, without its filter. */
interface Names {
  kind: ResourceType
  text: string
  schema: string | undefined
  /** The part after the URN of a schema. */
  rest: string
  name: string
  sub: string | undefined
}

const isForeign = ({ kind, text, schema = '' }: Names): boolean =>
  /^urn:/i.test(text) && !isSchemaUrn(kind, schema) && !isExtensionUrn(kind, schema)

const isKept = ({ kind, schema, rest, name, sub }: Names): boolean => {
  const { attribute } = findAttribute(kind, schema, name) ?? {}
  if (attribute?.isLenient) return rest === name
  return attribute !== undefined && (sub === undefined || !!attributeNamed(attribute.subAttributes, sub))
}

const listed = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

/** Names of the standard that the service does not store, in lower case. */
const standard: Record<string, ReadonlySet<string>> = {
  [userSchema]:
    listed(`schemas nickname profileurl title usertype preferredlanguage locale timezone password phonenumbers
    ims photos addresses entitlements roles x509certificates costcenter organization division manager.$ref`),
  [groupSchema]: listed('schemas'),
}

const isStandard = ({ kind, name, sub }: Names): boolean => {
  const names = standard[kind.schema.id]
  return !!names?.has(name.toLowerCase()) || !!names?.has(`${name}.${sub}`.toLowerCase())
}

type Effect = 'kept' | 'ignored' | 'invalidPath'

/** The first matching row decides. Any other path is invalid. Inside a value, an unsupported name is ignored. */
const effects: [Effect, (names: Names) => boolean][] = [
  ['invalidPath', ({ text }) => text.length > pathLengthMax],
  // Without this row a mistyped core schema would hide `active`.
  ['invalidPath', (names) => isForeign(names) && /^urn:ietf:params:scim:schemas:core:/i.test(names.text)],
  ['ignored', isForeign],
  ['kept', ({ schema, rest }) => schema !== undefined && rest === ''],
  ['kept', isKept],
  ['ignored', ({ kind, schema = '' }) => isExtensionUrn(kind, schema)],
  ['ignored', isStandard],
]

/** The effect of an operation on a path, or on a name inside a value. Never throws. */
export const effectOf = (kind: ResourceType, text: string): Effect => {
  const { schema, rest } = text.length > pathLengthMax ? { schema: undefined, rest: '' } : divideUrn(text)
  const [name = ''] = /^[A-Za-z$][\w$-]*/.exec(rest) ?? []
  const [, sub] = /\.([A-Za-z$][\w$-]*)$/.exec(rest) ?? []
  const names: Names = { kind, text, schema, rest, name, sub }
  return effects.find(([, fits]) => fits(names))?.[0] ?? 'invalidPath'
}
