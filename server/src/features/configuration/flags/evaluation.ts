/** Which variant of a flag a context gets. Knows no request and no store. */
import { bucketOf } from './buckets.ts'
import { fulfilsAll, readyCondition, type Context, type ReadyCondition } from './conditions.ts'
import type { Flag, Reason, Rule } from './flags.schemas.ts'

/** All that decides about a flag, as the store has it. */
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
  /** The rule that holds; undefined for none. */
  ruleId?: string
  /** The place in a split. */
  bucket?: number
}

/** A split by `targetingKey` that has none; `ruleId` names its rule. */
export interface KeyMissing {
  missing: 'targetingKey'
  ruleId: string
}

/** A flag made ready to be evaluated often. */
export interface ReadyFlag {
  key: string
  version: number
  salt: string
  isClientSide: boolean
  variants: Flag['variants']
  /** `tenantId` names the tenant whose override counts; undefined for none. */
  choose: (context: Context, tenantId: string | undefined) => Choice | KeyMissing
}

export const targetingKey = 'targetingKey'

/** Texts and numbers can be put into buckets; an empty text is as good as none. */
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

/** A rule made ready to be asked often. */
interface ReadyRule {
  id: string
  conditions: ReadyCondition[]
  /** The outcome without a split. */
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

/** The outcome of a split; undefined where its attribute is missing. */
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

/** The outcome of the first rule that holds; undefined for none. */
const chooseByRules = (flag: FlagState, rules: readonly ReadyRule[], context: Context) => {
  for (const rule of rules) {
    if (!fulfilsAll(context, rule.conditions)) continue
    const { split, choice } = rule
    const chosen = split ? splitFor(flag, rule, split, context) : choice
    if (chosen) return chosen
  }
  return undefined
}

/** Makes a flag ready: disabled, then the tenant's override, then the rules in order, then the default. */
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
