import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Name, OneOf } from '../../../http/schemas.ts'

export const Subject = OneOf('user', 'tenant')
export type Subject = Static<typeof Subject>

const Access = (description: string) => ({ ...OneOf('none', 'read', 'write'), description })

/** A key, and the name of a claim. */
const namePattern = '^[a-z][a-z0-9_]{0,63}$'
const AttributeKey = Type.String({
  pattern: namePattern,
  description: 'Lower-case letters, digits and `_`, with a letter first: up to 64.',
  examples: ['department'],
})

const Label = Type.Object(
  {
    en: Type.Optional(Name({ maxLength: 64 }, 'Department')),
    zh: Type.Optional(Name({ maxLength: 64 }, '部门')),
  },
  { description: 'By language.' },
)

const fields = {
  schema: Type.Unknown({
    description:
      'JSON Schema in the subset of docs/declared-settings.md, of the type string, number, integer, boolean, or array of strings.',
    examples: [{ type: 'string', maxLength: 64 }],
  }),
  label: Label,
  description: Type.String({ maxLength: 1000, examples: ['Where the person works'] }),
  group: Name({ maxLength: 64 }, 'Work'),
  self: Access('The access of people to the value of their own user; `none` for tenants.'),
  administrators: Access('The access of administrators of a tenant. Callers with `tenant:enter` have all.'),
  indexed: Type.Boolean({ description: 'Whether lists filter by it.', examples: [true] }),
  sensitive: Type.Boolean({
    description: 'Whether its values stay out of lists and records.',
    examples: [false],
  }),
  claim: Type.Union([Type.String({ maxLength: 64, examples: ['department'] }), Type.Null()], {
    description: 'Its claim in the ID tokens and userinfo of own applications, in the scope `profile`.',
    examples: ['department'],
  }),
  scim: Type.Union([Type.String({ maxLength: 128, examples: ['title'] }), Type.Null()], {
    description: 'The path by which a directory fills it: of the core user, or of the enterprise extension.',
    examples: [null],
  }),
}

export const Attribute = Type.Object(
  { subject: Subject, key: AttributeKey, ...fields },
  { title: 'Attribute' },
)
export type Attribute = Static<typeof Attribute>

const { schema, ...others } = fields

export const PutAttribute = Type.Object(
  {
    schema,
    ...Type.Partial(Type.Object(others)).properties,
    force: Type.Optional(
      Type.Boolean({
        description: 'Marks stored values that the schema refuses, instead of 400.',
        examples: [false],
      }),
    ),
  },
  { title: 'PutAttribute' },
)
export type PutAttribute = Static<typeof PutAttribute>

export const AttributeQuery = Type.Object({
  subject: Type.Optional({ ...Subject, description: 'Only attributes of users, or of tenants.' }),
})
export type AttributeQuery = Static<typeof AttributeQuery>

export const AttributeParams = Type.Object({
  subject: { ...Subject, description: 'Whose attribute it is.' },
  key: AttributeKey,
})

export const AttributeValues = Type.Record(Type.String(), Type.Unknown(), {
  description: 'Values by the keys of their attributes.',
  examples: [{ department: 'Sales' }],
})
export type AttributeValues = Static<typeof AttributeValues>

export const PatchAttributes = Type.Record(Type.String(), Type.Unknown(), {
  maxProperties: 100,
  description: 'Values by the keys of their attributes; null deletes one.',
  examples: [{ department: 'Sales' }],
})
