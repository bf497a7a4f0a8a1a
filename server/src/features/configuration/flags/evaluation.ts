/** Selects the variant of a flag for a context, without request or store. */
import { bucketOf } from './buckets.ts'
import { fulfilsAll, readyCondition, type Context, type ReadyCondition } from './conditions.ts'
import type { Flag, Reason, Rule } from './flags.schemas.ts'

/** The fields that decide a flag's evaluation, as stored. */
export interface FlagState extends Pick<
  Flag,
  'key' | 'variants' | 'enabled' | 'off_variant' | 'default_variant' | 'rules' | 'client_side' | 'version'
> {
  salt: string
  /** The variants of tenants, by the tenant's id. */
  overrides: Readonly<Record<string, string>>
}

export interface Choice {
  variant: string
  reason: Reason
  /** The rule that applied; undefined if no rule applied. */
  ruleId?: string
  /** The bucket, if a split decided. */
  bucket?: number
}

/** A split of the rule `ruleId` needs the `targetingKey`, which the context lacks. */
export interface KeyMissing {
  missing: 'targetingKey'
  ruleId: string
}

export interface ReadyFlag {
  key: string
  version: number
  salt: string
  isClientSide: boolean
  variants: Flag['variants']
  /** `tenantId` is the tenant whose override applies, if any. */
  choose: (context: Context, tenantId: string | undefined) => Choice | KeyMissing
}

export const targetingKey = 'targetingKey'

/** Only texts and numbers have buckets; an empty text counts as missing. */
const bucketable = (value: unknown): string | number | undefined =>
  (typeof value === 'string' && value !== '') || typeof value === 'number' ? value : undefined

type Split = NonNullable<Rule['split']>

const shareAt = (split: Split, bucket: number): string => {
  let sum = 0
  for (const { variant, weight } of split) {
    sum += weight
    if (sum > bucket) return variant
  }
  throw new Error('the weights of a split sum to less than 100,000')
}

interface ReadyRule {
  id: string
  conditions: ReadyCondition[]
  /** The outcome of a rule without a split. */
  choice: Choice
  split: Split | null
  attribute: string
}

const readyRule = ({ id, conditions, serve, split, bucket_by: attribute }: Rule): ReadyRule => ({
  id,
  conditions: conditions.map(readyCondition),
  choice: { variant: serve ?? '', reason: 'TARGETING_MATCH', ruleId: id },
  split,
  attribute,
})

/** The outcome of a split; undefined if its attribute is missing. */
const splitFor = (
  { key, salt }: FlagState,
  { id: ruleId, attribute }: ReadyRule,
  split: Split,
  context: Context,
): Choice | KeyMissing | undefined => {
  const value = bucketable(context.get(attribute))
  if (value === undefined) return attribute === targetingKey ? { missing: targetingKey, ruleId } : undefined
  const bucket = bucketOf(key, salt, value)
  return { variant: shareAt(split, bucket), reason: 'SPLIT', ruleId, bucket }
}

/** The outcome of the first matching rule; undefined if no rule matches. */
const chooseByRules = (flag: FlagState, rules: readonly ReadyRule[], context: Context) => {
  for (const rule of rules) {
    if (!fulfilsAll(context, rule.conditions)) continue
    const { split, choice } = rule
    const chosen = split ? splitFor(flag, rule, split, context) : choice
    if (chosen) return chosen
  }
  return undefined
}

/**
 * Prepares a flag. The evaluation asks in this order: is the flag disabled, the tenant's override, the rules, the
 * default.
 */
export const readyFlag = (flag: FlagState): ReadyFlag => {
  const { key, version, salt, variants, client_side: isClientSide } = flag
  const overrides = new Map(Object.entries(flag.overrides))
  const rules = flag.rules.map(readyRule)
  const off: Choice = { variant: flag.off_variant, reason: 'DISABLED' }
  const last: Choice = { variant: flag.default_variant, reason: rules.length === 0 ? 'STATIC' : 'DEFAULT' }
  return {
    key,
    version,
    salt,
    isClientSide,
    variants,
    choose: (context, tenantId) => {
      if (!flag.enabled) return off
      const own = tenantId === undefined ? undefined : overrides.get(tenantId)
      if (own !== undefined) return { variant: own, reason: 'TARGETING_MATCH' }
      return chooseByRules(flag, rules, context) ?? last
    },
  }
}
