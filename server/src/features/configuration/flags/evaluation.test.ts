import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { bucketCount, bucketOf } from './buckets.ts'
import { contextOf } from './conditions.ts'
import { readyFlag, type FlagState } from './evaluation.ts'
import type { Condition, Rule } from './flags.schemas.ts'

const ruleOf = (fields: Partial<Rule>): Rule => ({
  id: 'first',
  description: '',
  conditions: [],
  serve: fields.split ? null : 'on',
  split: null,
  bucket_by: 'targetingKey',
  ...fields,
})

const flagOf = (fields: Partial<FlagState> = {}): FlagState => ({
  key: 'checkout',
  variants: { on: true, off: false, other: true },
  enabled: true,
  off_variant: 'off',
  default_variant: 'off',
  rules: [],
  client_side: false,
  version: 1,
  salt: 'salt',
  overrides: {},
  ...fields,
})

const choose = (fields: Partial<FlagState>, context: object = {}, tenantId?: string) =>
  readyFlag(flagOf(fields)).choose(contextOf(context), tenantId)

const holds = (condition: Condition, context: object): boolean =>
  'ruleId' in choose({ rules: [ruleOf({ conditions: [condition] })] }, context)

describe('a bucket', () => {
  interface Pair {
    key: string
    salt: string
    value: string | number
    bucket: number
  }
  const pairs: Pair[] = JSON.parse(
    readFileSync(new URL('../../../../../docs/flag-buckets.json', import.meta.url), 'utf8'),
  )

  test('is that of each of the 200 published pairs', () => {
    expect(pairs).toHaveLength(200)
    for (const { key, salt, value, bucket } of pairs) {
      expect([key, salt, value, bucketOf(key, salt, value)]).toEqual([key, salt, value, bucket])
    }
  })

  test('spreads 100,000 keys by the weights, within half a point', () => {
    const weights = { a: 50_000, b: 30_000, c: 19_000, d: 1000, e: 0 }
    const split = Object.entries(weights).map(([variant, weight]) => ({ variant, weight }))
    const flag = readyFlag(flagOf({ rules: [ruleOf({ split })] }))
    const counts: Record<string, number> = {}
    for (let user = 0; user < 100_000; user += 1) {
      const chosen = flag.choose(contextOf({ targetingKey: `user-${user}` }), undefined)
      const name = 'variant' in chosen ? chosen.variant : ''
      counts[name] = (counts[name] ?? 0) + 1
    }
    for (const [name, weight] of Object.entries(weights)) {
      expect(Math.abs((counts[name] ?? 0) - weight)).toBeLessThan(bucketCount * 0.005)
    }
    expect(counts['e']).toBeUndefined()
  })

  test('keeps everybody in a variant if only its weight is raised', () => {
    const shares = (on: number, off: number) => [
      { variant: 'other', weight: 100_000 - on - off },
      { variant: 'on', weight: on },
      { variant: 'off', weight: off },
    ]
    const before = readyFlag(flagOf({ rules: [ruleOf({ split: shares(20_000, 50_000) })] }))
    const after = readyFlag(flagOf({ rules: [ruleOf({ split: shares(45_000, 35_000) })] }))
    const contexts = Array.from({ length: 2000 }, (_, user) => ({ targetingKey: String(user) }))
    const isOn = (flag: typeof before) => (context: object) => {
      const chosen = flag.choose(contextOf(context), undefined)
      return 'variant' in chosen && chosen.variant === 'on'
    }
    const on = contexts.filter(isOn(before))
    expect(on.length).toBeGreaterThan(300)
    expect(on.filter(isOn(after))).toEqual(on)
  })

  test('takes a number as JSON, so that the text of it has the same', () => {
    expect(bucketOf('k', 's', 1.5)).toBe(bucketOf('k', 's', '1.5'))
    expect(bucketOf('k', 's', 7)).not.toBe(bucketOf('k', 't', 7))
  })
})

describe('a flag', () => {
  const rules = [ruleOf({ conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }] })]
  const overrides = { t1: 'other' }

  test('gives its off variant while it is disabled, before everything else', () => {
    expect(choose({ enabled: false, rules, overrides }, { plan: 'gold' }, 't1')).toEqual({
      variant: 'off',
      reason: 'DISABLED',
    })
  })

  test('gives a tenant its own variant before all rules, and only that tenant', () => {
    const own = { variant: 'other', reason: 'TARGETING_MATCH' }
    expect(choose({ rules, overrides }, { plan: 'gold' }, 't1')).toEqual(own)
    expect(choose({ rules, overrides }, { plan: 'gold' }, 't2')).toMatchObject({ ruleId: 'first' })
    expect(choose({ rules, overrides }, {}, '__proto__')).toMatchObject({ reason: 'DEFAULT' })
  })

  test('gives the variant of the first rule that holds, else the default one', () => {
    const both = [...rules, ruleOf({ id: 'second', serve: 'other' })]
    expect(choose({ rules: both }, { plan: 'gold' })).toEqual({
      variant: 'on',
      reason: 'TARGETING_MATCH',
      ruleId: 'first',
    })
    expect(choose({ rules: both }, { plan: 'silver' })).toMatchObject({ variant: 'other', ruleId: 'second' })
    expect(choose({ rules }, { plan: 'silver' })).toEqual({ variant: 'off', reason: 'DEFAULT' })
    expect(choose({}, { plan: 'gold' })).toEqual({ variant: 'off', reason: 'STATIC' })
  })

  test('asks for a targeting key only where a rule that holds splits by it', () => {
    const split = [
      { variant: 'on', weight: 50_000 },
      { variant: 'off', weight: 50_000 },
    ]
    const conditions: Condition[] = [{ attribute: 'plan', op: 'in', values: ['gold'] }]
    const missing = { missing: 'targetingKey', ruleId: 'first' }
    expect(choose({ rules: [ruleOf({ split })] }, {})).toEqual(missing)
    expect(choose({ rules: [ruleOf({ split })] }, { targetingKey: '' })).toEqual(missing)
    expect(choose({ rules: [ruleOf({ split, conditions })] }, {})).toMatchObject({ reason: 'DEFAULT' })
    const byTenant = [ruleOf({ split, bucket_by: 'tenant' })]
    expect(choose({ rules: byTenant }, { targetingKey: 'ada' })).toMatchObject({ reason: 'DEFAULT' })
    expect(choose({ rules: byTenant }, { tenant: true })).toMatchObject({ reason: 'DEFAULT' })
    expect(choose({ rules: byTenant }, { tenant: 7 })).toEqual({
      variant: expect.stringMatching(/^(?:on|off)$/),
      reason: 'SPLIT',
      ruleId: 'first',
      bucket: bucketOf('checkout', 'salt', 7),
    })
  })
})

describe('a condition', () => {
  const cases: [Condition['op'], Condition['values'], unknown[], unknown[]][] = [
    ['in', ['a', 1, true], ['a', 1, true], ['A', '1', 0, false, 'true', null, ['a'], {}]],
    ['not_in', ['a', 1], ['A', '1', null, ['a'], true], ['a', 1]],
    ['starts_with', ['ab', 'x'], ['abc', 'xy'], ['cab', 'AB', 1, null, ['ab']]],
    ['ends_with', ['bc'], ['abc'], ['bcd', 5, null]],
    ['contains', ['b', '1'], ['abc', '21', 'b'.repeat(1024)], ['ac', 1, ['b'], null, 'b'.repeat(1025)]],
    ['gt', [5, 10], [6, 11], [5, '6', null, true]],
    ['gte', [5], [5, 6], [4, '5']],
    ['lt', [5], [4, -1], [5, '4']],
    ['lte', [5], [5], [6, '5', null]],
    [
      'semver_gte',
      ['2.0.0'],
      ['2.0.0', '2.0.1', '10.0.0', '2', '2.0', 'v3'],
      ['2.0.0-rc.1', '1.9.9', '1', '1.9', 2, 'x', null, '2.', '2.x', '2.0.0.0', '2-1'],
    ],
    ['semver_gte', ['1.2'], ['1.2', '1.2.0', '1.10', '2'], ['1.2.0-rc.1', '1.1.9', '1']],
    ['semver_lt', ['2.0.0'], ['1.99.0', '2.0.0-rc.1', '1', '1.99'], ['2.0.0', '2', 1, '', '1.2-rc.1', '01']],
    ['semver_lt', ['2'], ['1.99.9', '2.0.0-rc.1'], ['2.0.0', '2']],
    ['exists', [], ['', 0, false, null, {}], []],
  ]

  test.each(cases)('%s %j converts nothing', (op, values, fulfilling, others) => {
    for (const value of fulfilling) {
      expect([value, holds({ attribute: 'a', op, values }, { a: value })]).toEqual([value, true])
    }
    for (const value of others) {
      expect([value, holds({ attribute: 'a', op, values }, { a: value })]).toEqual([value, false])
    }
  })

  test('a condition on a missing attribute holds only for not_in and not_exists', () => {
    for (const [op, values] of cases) {
      expect([op, holds({ attribute: 'a', op, values }, { b: 1 })]).toEqual([op, op === 'not_in'])
    }
    expect(holds({ attribute: 'a', op: 'not_exists', values: [] }, {})).toBe(true)
    expect(holds({ attribute: 'a', op: 'not_exists', values: [] }, { a: null })).toBe(false)
  })

  test.each(['__proto__', 'constructor', 'toString'])(
    'finds no attribute in a prototype: %s',
    (attribute) => {
      expect(holds({ attribute, op: 'exists', values: [] }, {})).toBe(false)
      const own = JSON.parse(`{ "${attribute}": "x" }`) as object
      expect(holds({ attribute, op: 'in', values: ['x'] }, own)).toBe(true)
      expect(choose({ rules: [ruleOf({ bucket_by: attribute, split: [] })] }, {})).toMatchObject({
        reason: 'DEFAULT',
      })
    },
  )
})
