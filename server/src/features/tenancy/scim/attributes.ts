/** The attributes that the service stores (RFC 7643). Schemas, filters and changes derive from them. */
import { divideUrn } from './grammar.ts'

export const userSchema = 'urn:ietf:params:scim:schemas:core:2.0:User'
export const groupSchema = 'urn:ietf:params:scim:schemas:core:2.0:Group'
export const enterpriseSchema = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

export interface Attribute {
  name: string
  type: 'string' | 'boolean' | 'dateTime' | 'reference' | 'complex'
  description: string
  multiValued: boolean
  required: boolean
  caseExact: boolean
  mutability: 'readOnly' | 'readWrite' | 'immutable'
  returned: 'always' | 'default'
  uniqueness: 'none' | 'server'
  subAttributes?: Attribute[]
  /** True if every value is read as it is. A later step leaves out those that do not fit. */
  isLenient?: true
  referenceTypes?: string[]
}

const text = (name: string, description: string, more: Partial<Attribute> = {}): Attribute => ({
  name,
  type: 'string',
  description,
  multiValued: false,
  required: false,
  caseExact: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...more,
})

/** A text that a resource has only for the attribute that it fills. */
export const textAttribute = (name: string): Attribute =>
  text(name, 'A text that fills an attribute.', { isLenient: true })

const complex = (
  name: string,
  description: string,
  subAttributes: Attribute[],
  more: Partial<Attribute> = {},
): Attribute => text(name, description, { type: 'complex', subAttributes, ...more })

const readOnly = { mutability: 'readOnly' } as const
const many = { multiValued: true } as const
const exact = { caseExact: true } as const

const reference = (...referenceTypes: string[]) =>
  text('$ref', 'The address of the resource.', {
    type: 'reference',
    ...exact,
    ...readOnly,
    referenceTypes,
  })

const nameParts = complex('name', 'The parts of the person’s name.', [
  text('formatted', 'The whole name.'),
  text('familyName', 'The family name.'),
  text('givenName', 'The given name.'),
  text('middleName', 'The middle names.'),
  text('honorificPrefix', 'A title before the name.'),
  text('honorificSuffix', 'A suffix behind the name.'),
])

const emails = complex(
  'emails',
  'E-mail addresses. The primary one, else the first, is the address of the account.',
  [
    text('value', 'The address.'),
    text('display', 'The address as it is shown.'),
    text('type', 'A label, such as work.'),
    text('primary', 'Whether this is the preferred address.', { type: 'boolean' }),
  ],
  many,
)

const groups = complex(
  'groups',
  'The groups of the user.',
  [
    text('value', 'The id of the group.', { ...exact, ...readOnly }),
    reference('Group'),
    text('display', 'The name of the group.', readOnly),
  ],
  { ...many, ...readOnly },
)

const members = complex(
  'members',
  'The users of the group.',
  [
    text('value', 'The id of the user.', { ...exact, mutability: 'immutable' }),
    reference('User'),
    text('display', 'The name of the user.', readOnly),
    text('type', 'Always User.', { mutability: 'immutable' }),
  ],
  many,
)

const manager = complex('manager', 'The manager of the user.', [
  text('value', 'The id of the manager.', exact),
  text('displayName', 'The name of the manager.'),
])

/** Attributes that every resource has, besides those of its schema. */
const common: Attribute[] = [
  text('id', 'The id of the resource.', { ...exact, ...readOnly, returned: 'always', uniqueness: 'server' }),
  text('externalId', 'The id that the provider gave.', exact),
  complex(
    'meta',
    'Facts about the resource.',
    [
      text('created', 'When it was created.', { type: 'dateTime', ...readOnly }),
      text('lastModified', 'When it was changed last.', { type: 'dateTime', ...readOnly }),
    ],
    readOnly,
  ),
]

export interface SchemaOfResource {
  id: string
  name: string
  description: string
  attributes: Attribute[]
}

const enterprise: SchemaOfResource = {
  id: enterpriseSchema,
  name: 'EnterpriseUser',
  description: 'Facts about the person at work.',
  attributes: [
    text('employeeNumber', 'The number of the employee.'),
    text('department', 'The department.'),
    manager,
  ],
}

/** A resource type (RFC 7643, 6). */
export interface ResourceType {
  schema: SchemaOfResource
  extension: SchemaOfResource | undefined
}

export const userKind: ResourceType = {
  schema: {
    id: userSchema,
    name: 'User',
    description: 'A user of the directory.',
    attributes: [
      text('userName', 'The name by which the provider knows the user.', {
        required: true,
        uniqueness: 'server',
      }),
      nameParts,
      text('displayName', 'The name that is shown.'),
      emails,
      text('active', 'Whether the directory lets the user in.', { type: 'boolean' }),
      groups,
    ],
  },
  extension: enterprise,
}

export const groupKind: ResourceType = {
  schema: {
    id: groupSchema,
    name: 'Group',
    description: 'A group of the directory.',
    attributes: [text('displayName', 'The name of the group.', { required: true }), members],
  },
  extension: undefined,
}

export const schemas: SchemaOfResource[] = [userKind.schema, groupKind.schema, enterprise]

const sameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase()

/** The attribute of that name, ignoring case. */
export const attributeNamed = (attributes: Attribute[] = [], wanted: string): Attribute | undefined =>
  attributes.find((attribute) => sameName(attribute.name, wanted))

/** An attribute, and whether it belongs to the extension. */
export interface FoundAttribute {
  attribute: Attribute
  isExtension: boolean
}

/** Finds an attribute of a resource type by its name, optionally with the URN of its schema. */
export const findAttribute = (
  { schema, extension }: ResourceType,
  urn: string | undefined,
  wanted: string,
): FoundAttribute | undefined => {
  if (urn === undefined || sameName(urn, schema.id)) {
    const attribute = attributeNamed([...common, ...schema.attributes], wanted)
    if (attribute) return { attribute, isExtension: false }
  }
  const isNamed = urn === undefined || sameName(urn, enterpriseSchema)
  const attribute = isNamed ? attributeNamed(extension?.attributes, wanted) : undefined
  return attribute && { attribute, isExtension: true }
}

/** An attribute, optionally with a sub-attribute, such as name.familyName. */
export interface AttributePath extends FoundAttribute {
  sub: Attribute | undefined
}

/** The attribute that a dotted name means, with or without the URN of a schema. Undefined for an unknown name. */
export const findAttributePath = (kind: ResourceType, dotted: string): AttributePath | undefined => {
  const { schema, rest } = divideUrn(dotted)
  const [name = '', part, ...more] = rest.split('.')
  const found = findAttribute(kind, schema, name)
  if (!found || more.length > 0) return undefined
  if (part === undefined) return { ...found, sub: undefined }
  const sub = attributeNamed(found.attribute.subAttributes, part)
  return sub && { ...found, sub }
}

export const isExtensionUrn = ({ extension }: ResourceType, urn: string): boolean =>
  extension !== undefined && sameName(urn, extension.id)

export const isSchemaUrn = ({ schema }: ResourceType, urn: string): boolean => sameName(urn, schema.id)
