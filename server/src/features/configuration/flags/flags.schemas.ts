import type { Static, TSchema } from 'typebox'
import { Type } from '../../../values/type.ts'
import { OneOf, pageFields, Time, Uuid } from '../../../http/schemas.ts'

/** Keys of flags, and names of variants and rules, in the form of setting keys. */
const namePattern = '^[A-Za-z0-9._:-]+$'

const key = Type.String({
  minLength: 1,
  maxLength: 128,
  pattern: namePattern,
  description: 'Key of the flag: letters, digits and `.` `_` `-` `:`.',
  examples: ['checkout.new'],
})
const example = { on: true, off: false }

/** The bounds of docs/contract.md, "Feature flags". */
export const flagBounds = { rules: 50, conditions: 10, values: 1000, variants: 20, weightSum: 100_000 }

const VariantName = (description: string) =>
  Type.String({
    minLength: 1,
    maxLength: 128,
    pattern: namePattern,
    description,
    examples: ['on'],
  })

const Attribute = (description: string) =>
  Type.String({ minLength: 1, maxLength: 64, description, examples: ['plan'] })

export const operators = [
  'in',
  'not_in',
  'starts_with',
  'ends_with',
  'contains',
  'gt',
  'gte',
  'lt',
  'lte',
  'semver_gte',
  'semver_lt',
  'exists',
  'not_exists',
] as const
export type Operator = (typeof operators)[number]

const Condition = Type.Object(
  {
    attribute: Attribute('A name at the top of the context.'),
    op: OneOf(...operators),
    values: Type.Array(Type.Union([Type.String({ maxLength: 1024 }), Type.Number(), Type.Boolean()]), {
      maxItems: flagBounds.values,
      description:
        'One match is enough. Texts for texts and versions, numbers for `gt` to `lte`, no value for `exists`.',
      examples: [['gold']],
    }),
  },
  { title: 'FlagCondition' },
)
export type Condition = Static<typeof Condition>

const Share = Type.Object(
  {
    variant: VariantName('The variant of this share.'),
    weight: Type.Integer({ minimum: 0, maximum: flagBounds.weightSum, examples: [50_000] }),
  },
  { title: 'FlagShare' },
)

const orNull = <T extends TSchema>(schema: T, description: string) =>
  Type.Union([schema, Type.Null()], { description })

const ruleFields = {
  description: Type.String({ maxLength: 255, description: 'A note for people.', examples: ['Beta testers'] }),
  conditions: Type.Array(Condition, {
    maxItems: flagBounds.conditions,
    description: 'All of them must hold.',
  }),
  serve: orNull(VariantName('The variant.'), 'The variant; null for a split.'),
  split: orNull(
    Type.Array(Share, { minItems: 2, maxItems: flagBounds.variants }),
    'Shares whose weights sum to 100,000; null where one variant is served.',
  ),
  bucket_by: Attribute('The attribute that a split distributes; `targetingKey` by default.'),
}
const ruleId = Type.String({
  minLength: 1,
  maxLength: 64,
  pattern: namePattern,
  description: 'Its name in the flag. Made where it is left out.',
  examples: ['beta'],
})

export const Rule = Type.Object(
  { id: ruleId, ...ruleFields },
  {
    title: 'FlagRule',
    examples: [
      {
        id: 'beta',
        description: 'Beta testers',
        conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }],
        serve: 'on',
        split: null,
        bucket_by: 'targetingKey',
      },
    ],
  },
)
export type Rule = Static<typeof Rule>

export const NewRule = Type.Object(
  {
    id: Type.Optional(ruleId),
    description: Type.Optional(ruleFields.description),
    conditions: Type.Optional(ruleFields.conditions),
    serve: Type.Optional(ruleFields.serve),
    split: Type.Optional(ruleFields.split),
    bucket_by: Type.Optional(ruleFields.bucket_by),
  },
  { title: 'NewFlagRule' },
)
export type NewRule = Static<typeof NewRule>

const flagTypes = ['boolean', 'string', 'number', 'object'] as const

const variants = Type.Record(Type.String(), Type.Unknown(), {
  minProperties: 1,
  maxProperties: flagBounds.variants,
  description: 'Each variant by its name, with a value of the type; 8 KiB in all.',
  examples: [example],
})

const fields = {
  description: Type.String({ maxLength: 1000, examples: ['The new checkout'] }),
  type: { ...OneOf(...flagTypes), description: 'Never changes.' },
  variants,
  enabled: Type.Boolean({ examples: [true] }),
  off_variant: VariantName('The variant while the flag is disabled.'),
  default_variant: VariantName('The variant where no rule holds.'),
  client_side: Type.Boolean({
    description: 'Whether users’ own programs may evaluate it, with a user’s token.',
    examples: [false],
  }),
}

export const Flag = Type.Object(
  {
    key,
    ...fields,
    rules: Type.Array(Rule, { description: 'In order: the first rule that holds counts.' }),
    tenants: Type.Integer({
      description: 'The number of tenants with a variant of their own.',
      examples: [0],
    }),
    version: Type.Integer({
      description: 'Counts the changes of the flag. It is the `ETag`.',
      examples: [1],
    }),
    created_at: Time,
    updated_at: Time,
  },
  { title: 'Flag' },
)
export type Flag = Static<typeof Flag>

const rules = Type.Optional(
  Type.Array(NewRule, {
    maxItems: flagBounds.rules,
    description: 'In order: the first rule that holds counts.',
    examples: [[{ conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' }]],
  }),
)

export const CreateFlag = Type.Object(
  {
    key,
    ...fields,
    description: Type.Optional(fields.description),
    client_side: Type.Optional(fields.client_side),
    rules,
  },
  { title: 'CreateFlag' },
)
export type CreateFlag = Static<typeof CreateFlag>

const { type, ...changeable } = fields

export const UpdateFlag = Type.Object(
  {
    ...Type.Partial(Type.Object(changeable)).properties,
    type: Type.Optional(type),
    rules,
    new_salt: Type.Optional(
      Type.Boolean({ description: '`true` distributes all splits anew.', examples: [false] }),
    ),
  },
  { title: 'UpdateFlag' },
)
export type UpdateFlag = Static<typeof UpdateFlag>

export const FlagParams = Type.Object({ key })
export const OverrideParams = Type.Object({ key, tenantId: Uuid })

export const FlagQuery = Type.Object({
  ...pageFields,
  search: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 128,
      description: 'Only flags with this text in the key or the description, without case.',
      examples: ['checkout'],
    }),
  ),
})
export type FlagQuery = Static<typeof FlagQuery>

/** The `If-Match` of a change. Without it the change applies to any version of the flag. */
export const MatchHeaders = Type.Object({
  'if-match': Type.Optional(
    Type.String({
      maxLength: 256,
      description: 'The `ETag` of the flag as it was read. A flag that has changed since is 412.',
      examples: ['"3"'],
    }),
  ),
})

export const Override = Type.Object(
  { tenant_id: Uuid, variant: VariantName('The variant of the tenant, before all rules.') },
  { title: 'FlagOverride' },
)
export type Override = Static<typeof Override>

export const PutOverride = Type.Pick(Override, ['variant'], { title: 'PutFlagOverride' })
export type PutOverride = Static<typeof PutOverride>

export const ExplainFlag = Type.Object(
  {
    context: Type.Record(Type.String(), Type.Unknown(), {
      description: 'As a product sends it: up to 200 attributes and 16 KiB.',
      examples: [{ targetingKey: 'user-7', plan: 'gold' }],
    }),
  },
  { title: 'ExplainFlag' },
)
export type ExplainFlag = Static<typeof ExplainFlag>

export const reasons = ['STATIC', 'DEFAULT', 'TARGETING_MATCH', 'SPLIT', 'DISABLED'] as const
export type Reason = (typeof reasons)[number]

export const FlagExplanation = Type.Object(
  {
    variant: VariantName('The variant that the context gets.'),
    value: Type.Unknown({ description: 'Its value.', examples: [true] }),
    reason: OneOf(...reasons),
    rule_id: Type.String({ description: 'The rule that holds; "" for none.', examples: ['beta'] }),
    bucket: Type.Union([Type.Integer({ minimum: 0, maximum: flagBounds.weightSum - 1 }), Type.Null()], {
      description: 'The place of the context in the split, from 0 to 99,999; null without a split.',
      examples: [4711],
    }),
    salt: Type.String({ description: 'The salt of the flag’s buckets.', examples: ['6f1c0a93d2b84e57'] }),
  },
  { title: 'FlagExplanation' },
)
export type FlagExplanation = Static<typeof FlagExplanation>
