/** The rules of a declaration that its wire format cannot express. */
import { AppError, invalid } from '../../../errors/app-error.ts'
import { scimPathOf } from '../../../protocols/scim/user-paths.ts'
import { faultsOfSchema, isObject, type SchemaObject } from '../../../values/schema-subset.ts'
import type { PutAttribute, Subject } from './attributes.schemas.ts'
import type { StoredAttribute } from './attributes.sql.ts'
import { isReservedClaim } from './reserved-claims.ts'

const scalarTypes = ['string', 'number', 'integer', 'boolean']

const isList = ({ type }: SchemaObject): boolean => type === 'array'

const hasKnownType = (schema: SchemaObject): boolean =>
  typeof schema.type === 'string' &&
  (scalarTypes.includes(schema.type) ||
    (isList(schema) && isObject(schema.items) && (schema.items as SchemaObject).type === 'string'))

const soundSchema = (schema: unknown): SchemaObject => {
  const fields = faultsOfSchema(schema)
  const [first] = fields
  if (first) throw new AppError('invalidInput', `${first.field}: ${first.message}`, { fields })
  if (!hasKnownType(schema as SchemaObject)) {
    throw invalid('schema', 'must have the type string, number, integer, boolean, or array of strings')
  }
  return schema as SchemaObject
}

type Rule = [field: keyof PutAttribute, message: string, isBroken: (attribute: StoredAttribute) => boolean]

const rules: Rule[] = [
  ['self', 'must be none, for tenants', ({ subject, self }) => subject === 'tenant' && self !== 'none'],
  ['scim', 'must be null, for tenants', ({ subject, scim }) => subject === 'tenant' && scim !== null],
  ['indexed', 'must be false, for an array', ({ indexed, schema }) => indexed && isList(schema)],
  ['sensitive', 'must be false, for an indexed attribute', ({ indexed, sensitive }) => indexed && sensitive],
  ['sensitive', 'must be false, with a claim', ({ sensitive, claim }) => sensitive && claim !== null],
  [
    'claim',
    'must be lower-case letters, digits and `_`, with a letter first: up to 64',
    ({ claim }) => claim !== null && !/^[a-z][a-z0-9_]{0,63}$/.test(claim),
  ],
  [
    'claim',
    'must be no claim of a standard or of Tenantry',
    ({ claim }) => claim !== null && isReservedClaim(claim),
  ],
  [
    'scim',
    'must be the path of a text of the core user or the enterprise extension, other than userName, emails, active, groups and password',
    ({ scim }) => scim !== null && scimPathOf(scim) === undefined,
  ],
  [
    'scim',
    'needs administrators with write: a directory is in their hands',
    ({ scim, administrators }) => scim !== null && administrators !== 'write',
  ],
]

/** Defaults of omitted fields. Nobody but callers with `tenant:enter` reads an attribute that says nothing else. */
export const omittedFields = {
  label: {},
  description: '',
  group: '',
  self: 'none',
  administrators: 'none',
  indexed: false,
  sensitive: false,
  claim: null,
  scim: null,
} as const

/** The attribute in a request. Throws 400 if it is invalid. */
export const attributeOf = (
  { subject, key }: { subject: Subject; key: string },
  input: Omit<PutAttribute, 'force'>,
): StoredAttribute => {
  const attribute = { ...omittedFields, ...input, subject, key, schema: soundSchema(input.schema) }
  const broken = rules.find(([, , isBroken]) => isBroken(attribute))
  if (broken) throw invalid(broken[0], broken[1])
  return { ...attribute, scim: attribute.scim === null ? null : (scimPathOf(attribute.scim) ?? null) }
}
