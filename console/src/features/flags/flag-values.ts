/** Converts between flags and the texts of their forms. */
import type { Flag, FlagCondition, FlagRule, NewFlagRule } from '@tenantry/client'

export const types = ['boolean', 'string', 'number', 'object'] as const satisfies Flag['type'][]

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
] as const satisfies FlagCondition['op'][]

export const namePattern = /^[A-Za-z0-9._:-]{1,128}$/

export const takesValues = (op: FlagCondition['op']): boolean => op !== 'exists' && op !== 'not_exists'

type Value = FlagCondition['values'][number]

const takesNumbers = (op: FlagCondition['op']): boolean => ['gt', 'gte', 'lt', 'lte'].includes(op)
const takesAny = (op: FlagCondition['op']): boolean => op === 'in' || op === 'not_in'

/** True if the text needs quotes, because it would otherwise read as a number or boolean. */
const needsQuotes = (text: string): boolean =>
  text === 'true' || text === 'false' || text.startsWith('"') || isNumber(text)

const isNumber = (text: string): boolean => /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i.test(text)

const targetingKey = 'targetingKey'

/** The attributes that the service sets from a token. Their values are always texts, `"8"` for the user 8. */
export const tokenAttributes = [targetingKey, 'user_id', 'tenant_id', 'tenant_slug']

/** True if the values are ids of users. */
export const isOfUsers = ({ attribute, op }: Pick<FlagCondition, 'attribute' | 'op'>): boolean =>
  takesAny(op) && [targetingKey, 'user_id'].includes(attribute.trim())

/** True if the values can be numbers and booleans as well as texts. */
const isMixed = ({ attribute, op }: Pick<FlagCondition, 'attribute' | 'op'>): boolean =>
  takesAny(op) && !tokenAttributes.includes(attribute.trim())

export const typedOf = (of: Pick<FlagCondition, 'attribute' | 'op'>, value: Value): string =>
  typeof value === 'string' && isMixed(of) && needsQuotes(value) ? JSON.stringify(value) : String(value)

const unquoted = (text: string): string => {
  if (!/^".*"$/.test(text)) return text
  try {
    return String(JSON.parse(text))
  } catch {
    return text
  }
}

export const valueOf = (of: Pick<FlagCondition, 'attribute' | 'op'>, text: string): Value => {
  if (takesNumbers(of.op)) return isNumber(text) ? Number(text) : text
  if (!isMixed(of)) return takesAny(of.op) ? unquoted(text) : text
  if (text === 'true' || text === 'false') return text === 'true'
  return isNumber(text) ? Number(text) : unquoted(text)
}

export interface TypedCondition {
  attribute: string
  op: FlagCondition['op']
  values: string[]
}

export interface TypedRule {
  id: string | undefined
  description: string
  conditions: TypedCondition[]
  /** Serves one variant, or splits by weight. */
  kind: 'serve' | 'split'
  serve: string
  /** Weights in percent, by variant. */
  shares: Record<string, number>
  bucketBy: string
}

const perPercent = 1000

/** Gives all variants equal shares. The first variant gets the rest. */
const equalShares = (names: string[]): Record<string, number> => {
  const each = Math.floor((100 / names.length) * perPercent) / perPercent
  const shares = Object.fromEntries(names.map((name) => [name, each]))
  const [first] = names
  if (first !== undefined) shares[first] = round(100 - each * (names.length - 1))
  return shares
}

/** Removes floating-point errors. */
const round = (percent: number): number => Math.round(percent * perPercent) / perPercent

export const sumOf = (shares: Record<string, number>): number =>
  round(Object.values(shares).reduce((sum, one) => sum + one, 0))

export const typedRule = (rule: FlagRule, names: string[]): TypedRule => ({
  id: rule.id,
  description: rule.description,
  conditions: rule.conditions.map(({ attribute, op, values }) => ({
    attribute,
    op,
    values: values.map((value) => typedOf({ attribute, op }, value)),
  })),
  kind: rule.split ? 'split' : 'serve',
  serve: rule.serve ?? names[0] ?? '',
  shares: Object.fromEntries(
    names.map((name) => [
      name,
      (rule.split?.find(({ variant }) => variant === name)?.weight ?? 0) / perPercent,
    ]),
  ),
  bucketBy: rule.bucket_by,
})

export const newRule = (names: string[]): TypedRule => ({
  id: undefined,
  description: '',
  conditions: [],
  kind: 'serve',
  serve: names[0] ?? '',
  shares: equalShares(names),
  bucketBy: targetingKey,
})

const splitOf = (shares: Record<string, number>, before: FlagRule | undefined) => {
  // A variant with weight 0 keeps its position: buckets depend on the order.
  const order = before?.split?.map(({ variant }) => variant) ?? []
  const names = [
    ...order.filter((name) => name in shares),
    ...Object.keys(shares).filter((name) => !order.includes(name)),
  ]
  return names.map((variant) => ({ variant, weight: Math.round((shares[variant] ?? 0) * perPercent) }))
}

export const ruleOf = (rule: TypedRule, before: FlagRule | undefined): NewFlagRule => ({
  ...(rule.id !== undefined && { id: rule.id }),
  description: rule.description,
  conditions: rule.conditions.map(({ attribute, op, values }) => ({
    attribute: attribute.trim(),
    op,
    values: takesValues(op) ? values.map((text) => valueOf({ attribute, op }, text)) : [],
  })),
  ...(rule.kind === 'serve' ? { serve: rule.serve } : { split: splitOf(rule.shares, before) }),
  bucket_by: rule.bucketBy.trim() || targetingKey,
})

export interface TypedVariant {
  name: string
  /** JSON, or the text itself for a flag of type string. */
  value: string
}

export const typedVariants = ({ type, variants }: Pick<Flag, 'type' | 'variants'>): TypedVariant[] =>
  Object.entries(variants).map(([name, value]) => ({
    name,
    value: type === 'string' ? String(value) : JSON.stringify(value),
  }))

const startingValues: Record<Flag['type'], [TypedVariant, TypedVariant]> = {
  boolean: [
    { name: 'on', value: 'true' },
    { name: 'off', value: 'false' },
  ],
  string: [
    { name: 'a', value: '' },
    { name: 'b', value: '' },
  ],
  number: [
    { name: 'a', value: '1' },
    { name: 'b', value: '0' },
  ],
  object: [
    { name: 'a', value: '{}' },
    { name: 'b', value: '{}' },
  ],
}

export const startingVariants = (type: Flag['type']): TypedVariant[] => startingValues[type]

const parsed = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const isOfType: Record<Flag['type'], (value: unknown) => boolean> = {
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Undefined if the value does not have the flag's type. */
export const variantValue = (type: Flag['type'], text: string): unknown => {
  const value = type === 'string' ? text : parsed(text)
  return isOfType[type](value) ? value : undefined
}

export const variantsOf = (type: Flag['type'], typed: TypedVariant[]): Flag['variants'] =>
  Object.fromEntries(typed.map(({ name, value }) => [name, variantValue(type, value)]))
