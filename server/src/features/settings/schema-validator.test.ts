import { Ajv2020 } from 'ajv/dist/2020.js'
import { fullFormats } from 'ajv-formats/dist/formats.js'
import { describe, expect, test } from 'vitest'
import { faultsOfSchema, type SettingSchema } from './schema-subset.ts'
import { faultsOf, stepsMax } from './schema-validator.ts'

/** A generator of numbers below 1, the same in each run. */
const random = (seed: number) => {
  let state = seed
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 4_294_967_296
  }
}

const generatorOf = (seed: number) => {
  const next = random(seed)
  const below = (max: number) => Math.floor(next() * max)
  const oneOf = <T>(...values: T[]): T => values[below(values.length)] as T
  const listOf = <T>(max: number, make: () => T): T[] => Array.from({ length: below(max + 1) }, make)
  const name = () => oneOf('a', 'b', 'c', 'constructor', 'x/y', '~')
  const leaf = (): unknown =>
    oneOf<unknown>(
      null,
      true,
      false,
      0,
      1,
      -1,
      1.5,
      2,
      1e300,
      '',
      'a',
      'ab',
      'é',
      '👍',
      '2026-02-30',
      'a@b.de',
    )
  const value = (depth: number): unknown => {
    const kind = depth === 0 ? 0 : below(4)
    if (kind < 2) return leaf()
    if (kind === 2) return listOf(4, () => value(depth - 1))
    return Object.fromEntries(listOf(3, () => [name(), value(depth - 1)]))
  }
  const keywords: ((depth: number) => object)[] = [
    () => ({ type: oneOf('null', 'boolean', 'object', 'array', 'number', 'integer', 'string') }),
    () => ({ type: ['string', 'integer'] }),
    () => ({ enum: [value(1), value(1), leaf()] }),
    () => ({ const: value(1) }),
    (depth) => ({ properties: Object.fromEntries(listOf(3, () => [name(), schema(depth - 1)])) }),
    () => ({ required: [...new Set(listOf(2, name))] }),
    (depth) => ({ additionalProperties: schema(depth - 1) }),
    (depth) => ({ items: schema(depth - 1) }),
    () => ({ minItems: below(3) }),
    () => ({ maxItems: below(4), uniqueItems: oneOf(true, false) }),
    () => ({ minLength: below(3) }),
    () => ({ maxLength: below(3) }),
    () => ({ pattern: oneOf('^a', 'b$', '[ab]{2}', '^.?$', '\\d') }),
    () => ({ minimum: below(3) - 1 }),
    () => ({ exclusiveMaximum: below(3) }),
    (depth) => ({ anyOf: [schema(depth - 1), schema(depth - 1)] }),
    (depth) => ({ oneOf: [schema(depth - 1), schema(depth - 1), schema(depth - 1)] }),
    () => ({ format: oneOf('email', 'uri', 'date', 'date-time', 'uuid') }),
  ]
  const schema = (depth: number): SettingSchema => {
    if (depth <= 0) return oneOf<SettingSchema>(true, false, {}, { type: 'string' })
    return Object.assign({}, ...listOf(3, () => oneOf(...keywords)(depth))) as SettingSchema
  }
  return { schema, value }
}

test('the validator and ajv agree on generated schemas and values', () => {
  const ajv = new Ajv2020({ strict: false, formats: { ...fullFormats }, ownProperties: true })
  const { schema, value } = generatorOf(7)
  const counts = { valid: 0, refused: 0 }
  for (let round = 0; round < 400; round += 1) {
    const declared = schema(2)
    if (typeof declared === 'boolean' || faultsOfSchema(declared).length > 0) continue
    const validate = ajv.compile(declared)
    for (let tried = 0; tried < 20; tried += 1) {
      const given = value(3)
      const isValid = faultsOf(declared, given).length === 0
      expect([declared, given, isValid]).toEqual([declared, given, validate(given)])
      counts[isValid ? 'valid' : 'refused'] += 1
    }
  }
  expect(counts.valid).toBeGreaterThan(500)
  expect(counts.refused).toBeGreaterThan(500)
})

describe('a schema outside the subset is refused, and the keyword named:', () => {
  test.each<[string, unknown, string]>([
    ['a reference', { $ref: '#' }, 'schema/$ref'],
    ['a keyword of another draft', { properties: { a: { not: {} } } }, 'schema/properties/a/not'],
    ['a back reference', { pattern: '(a)\\1' }, 'schema/pattern'],
    ['a look-around', { pattern: '(?=a)b' }, 'schema/pattern'],
    ['a pattern that repeats too often', { pattern: '[a-z]{900}[a-z]{900}' }, 'schema/pattern'],
    ['a long pattern', { pattern: 'a'.repeat(257) }, 'schema/pattern'],
    ['uniqueItems without a small maxItems', { uniqueItems: true, maxItems: 201 }, 'schema/uniqueItems'],
    ['an unknown type', { type: 'text' }, 'schema/type'],
    ['an unknown format', { format: 'ipv4' }, 'schema/format'],
    ['no object', [], 'schema'],
    ['more than 16 KiB', { description: 'x'.repeat(16_384) }, 'schema'],
    [
      'depth 17',
      Array.from({ length: 17 }).reduce<object>((inner) => ({ items: inner }), { type: 'string' }),
      `schema${'/items'.repeat(16)}`,
    ],
  ])('%s', (_name, schema, field) => {
    expect(faultsOfSchema(schema)[0]?.field).toBe(field)
  })
})

test('an own field named __proto__ is validated as any other', () => {
  const value = JSON.parse('{"__proto__":1}') as unknown
  expect(faultsOf({ additionalProperties: { type: 'string' } }, value)).toEqual([
    { field: 'value/__proto__', message: 'must be of the type string' },
  ])
  expect(faultsOf({ required: ['toString'] }, {})).toHaveLength(1)
})

describe('validation ends after 200,000 steps, within moments:', () => {
  const wide = Array.from({ length: 800 }, () => ({ const: 1 }))
  test.each<[string, SettingSchema, unknown]>([
    [
      'alternatives at each of many places',
      { items: { anyOf: wide } },
      Array.from({ length: 16_000 }).fill(0),
    ],
    [
      'patterns over a long text',
      { anyOf: Array.from({ length: 500 }, () => ({ pattern: '[a-c]d$' })) },
      'abc'.repeat(20_000),
    ],
    ['a pattern that repeats', { pattern: '(?:[a-z]{1,400}){2}!' }, 'a'.repeat(65_000)],
    [
      'nested alternatives',
      Array.from({ length: 14 }).reduce<object>((inner) => ({ anyOf: [inner, inner] }), {
        const: 1,
      }),
      { a: [0] },
    ],
  ])('%s', (_name, schema, value) => {
    const startedAt = performance.now()
    const faults = faultsOf(schema, value)
    expect(performance.now() - startedAt).toBeLessThan(10_000)
    expect(faults).toHaveLength(1)
  })

  test('the answer names the bound', () => {
    const [fault] = faultsOf({ items: { anyOf: wide } }, Array.from({ length: 16_000 }).fill(0))
    expect(fault).toEqual({ field: 'value', message: `takes more than ${stepsMax} steps to validate` })
  })
})
