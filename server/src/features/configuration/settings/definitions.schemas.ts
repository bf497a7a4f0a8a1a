import type { Static } from 'typebox'
import { Type } from '../../../values/type.ts'
import { Name, OneOf, pageFields } from '../../../http/schemas.ts'

export const Scope = OneOf('global', 'tenant', 'user')
export type Scope = Static<typeof Scope>

const Scopes = Type.Array(Scope, { minItems: 1, maxItems: 3, uniqueItems: true, examples: [['tenant']] })
const Label = Name({ maxLength: 64 }, 'Sender of e-mails')
const Description = Type.String({ maxLength: 1000, examples: ['The address that customers answer to'] })
const Group = Name({ maxLength: 64 }, 'E-mail')
const Schema = Type.Unknown({
  description: 'JSON Schema 2020-12, in the subset that docs/declared-settings.md lists.',
  examples: [{ type: 'string', format: 'email' }],
})

export const Definition = Type.Object(
  {
    key: Type.String({ examples: ['mail.sender'] }),
    schema: Schema,
    default: Type.Unknown({ description: 'Null for none.', examples: ['no-reply@example.com'] }),
    scopes: Scopes,
    secret: Type.Boolean({ examples: [false] }),
    public: Type.Boolean({
      description: 'Every signed-in user of the tenant reads the effective value.',
      examples: [false],
    }),
    label: Label,
    description: Description,
    group: Group,
    is_builtin: Type.Boolean({ description: 'Tenantry declares it.', examples: [false] }),
    is_locked: Type.Boolean({ description: 'Tenants and users cannot set it.', examples: [false] }),
    invalid: Type.Integer({ description: 'Stored values that the schema refuses.', examples: [0] }),
    updated_at: Type.String({
      description: '"" for a built-in setting.',
      examples: ['2026-01-31T09:30:00.000Z'],
    }),
  },
  { title: 'SettingDefinition' },
)
export type Definition = Static<typeof Definition>

export const PutDefinition = Type.Object(
  {
    schema: Schema,
    default: Type.Optional(
      Type.Unknown({ description: 'Null for none.', examples: ['no-reply@example.com'] }),
    ),
    scopes: Scopes,
    secret: Type.Optional(Type.Boolean({ examples: [false] })),
    public: Type.Optional(Type.Boolean({ examples: [false] })),
    label: Type.Optional(Label),
    description: Type.Optional(Description),
    group: Type.Optional(Group),
    force: Type.Optional(
      Type.Boolean({
        description: 'Marks stored values that the schema refuses, instead of 400.',
        examples: [false],
      }),
    ),
  },
  { title: 'PutSettingDefinition' },
)
export type PutDefinition = Static<typeof PutDefinition>

export const Prefix = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: '^[A-Za-z0-9._:-]+$',
  description: 'Only keys with this beginning.',
  examples: ['mail.'],
})

export const DefinitionQuery = Type.Object({ ...pageFields, prefix: Type.Optional(Prefix) })
export type DefinitionQuery = Static<typeof DefinitionQuery>
