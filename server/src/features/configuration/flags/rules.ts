/** The rules of flags that the schema cannot express. */
import { randomBytes } from 'node:crypto'
import { invalid } from '../../../errors/app-error.ts'
import { versionOf } from './conditions.ts'
import { targetingKey } from './evaluation.ts'
import { flagBounds, type Condition, type Flag, type NewRule, type Rule } from './flags.schemas.ts'

type Variants = Flag['variants']

const variantBytesMax = 8192
/** The most bytes of a flag's rules, because an evaluation can read all rules. */
const rulesBytesMax = 131_072
/** The most text searches of a flag's rules. A search takes some microseconds. */
const searchesMax = 2000
const namePattern = /^[A-Za-z0-9._:-]{1,128}$/

const isOfType: Record<Flag['type'], (value: unknown) => boolean> = {
  boolean: (value) => typeof value === 'boolean',
  string: (value) => typeof value === 'string',
  number: (value) => typeof value === 'number',
  object: (value) => typeof value === 'object' && value !== null && !Array.isArray(value),
}

/** Throws 400 for invalid names, and for values of another type or beyond the size limit. */
const requireVariants = (type: Flag['type'], variants: Variants): void => {
  for (const [name, value] of Object.entries(variants)) {
    if (!namePattern.test(name)) {
      throw invalid('variants', 'must have names of 1 to 128 letters, digits and . _ - :')
    }
    if (!isOfType[type](value)) {
      throw invalid(`variants.${name}`, `must be ${type === 'object' ? 'an' : 'a'} ${type}`)
    }
  }
  if (Buffer.byteLength(JSON.stringify(variants)) > variantBytesMax) {
    throw invalid('variants', 'must have at most 8 KiB as JSON')
  }
}

/** Throws 400 unless the flag has the variant. */
export const requireVariant = (variants: Variants, field: string, name: string): void => {
  if (!Object.hasOwn(variants, name)) throw invalid(field, `must name a variant of the flag, not ${name}`)
}

type ValueTest = [isTaken: (value: unknown) => boolean, message: string]

const isText = (value: unknown): boolean => typeof value === 'string'
const texts: ValueTest = [isText, 'must be texts']
const numbers: ValueTest = [(value) => typeof value === 'number', 'must be numbers']
const versions: ValueTest = [(value) => versionOf(value) !== undefined, 'must be versions such as 2.1.0']

const valueTests: Partial<Record<Condition['op'], ValueTest>> = {
  starts_with: texts,
  ends_with: texts,
  contains: texts,
  gt: numbers,
  gte: numbers,
  lt: numbers,
  lte: numbers,
  semver_gte: versions,
  semver_lt: versions,
}

const requireValues = ({ op, values }: Condition, field: string): void => {
  if (op === 'exists' || op === 'not_exists') {
    if (values.length > 0) throw invalid(field, `must be empty: ${op} takes none`)
    return
  }
  const [isTaken, message] = valueTests[op] ?? []
  if (isTaken && !values.every(isTaken)) throw invalid(field, `${message} for ${op}`)
}

const requireSplit = (variants: Variants, split: NonNullable<Rule['split']>, field: string): void => {
  const names = split.map(({ variant }) => variant)
  if (new Set(names).size < names.length) throw invalid(field, 'must name each variant once')
  for (const [index, { variant }] of split.entries()) {
    requireVariant(variants, `${field}.${index}.variant`, variant)
  }
  const sum = split.reduce((all, { weight }) => all + weight, 0)
  if (sum !== flagBounds.weightSum) throw invalid(field, `must have weights that sum to 100000, not ${sum}`)
}

const requireRule = (variants: Variants, rule: Rule, field: string): void => {
  for (const [index, condition] of rule.conditions.entries()) {
    requireValues(condition, `${field}.conditions.${index}.values`)
  }
  const { serve, split } = rule
  if ((serve === null) === (split === null)) throw invalid(field, 'must have either serve or split')
  if (serve !== null) requireVariant(variants, `${field}.serve`, serve)
  if (split !== null) requireSplit(variants, split, `${field}.split`)
}

/** The rules with defaults for missing fields. */
export const completeRules = (rules: NewRule[]): Rule[] =>
  rules.map((rule) => ({
    id: rule.id ?? randomBytes(6).toString('hex'),
    description: rule.description ?? '',
    conditions: rule.conditions ?? [],
    serve: rule.serve ?? null,
    split: rule.split ?? null,
    bucket_by: rule.bucket_by ?? targetingKey,
  }))

/** Throws 400 for rules that are slow to evaluate. */
const requireQuick = (rules: Rule[]): void => {
  if (Buffer.byteLength(JSON.stringify(rules)) > rulesBytesMax) {
    throw invalid('rules', 'must have at most 128 KiB as JSON')
  }
  const searches = rules
    .flatMap(({ conditions }) => conditions)
    .reduce((sum, { op, values }) => (op === 'contains' ? sum + values.length : sum), 0)
  if (searches > searchesMax) throw invalid('rules', `must have at most ${searchesMax} values for contains`)
}

/** Throws 400 if the flag cannot be evaluated. */
export const requireSoundFlag = (
  flag: Pick<Flag, 'type' | 'variants' | 'off_variant' | 'default_variant' | 'rules'>,
): void => {
  const { type, variants, rules } = flag
  requireVariants(type, variants)
  requireVariant(variants, 'off_variant', flag.off_variant)
  requireVariant(variants, 'default_variant', flag.default_variant)
  requireQuick(rules)
  const ids = rules.map(({ id }) => id)
  if (new Set(ids).size < ids.length) throw invalid('rules', 'must have different ids')
  for (const [index, rule] of rules.entries()) requireRule(variants, rule, `rules.${index}`)
}
