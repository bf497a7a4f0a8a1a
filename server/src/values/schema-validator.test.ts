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
  const text = (length: number, characters: string) =>
    Array.from({ length }, () => characters[below(characters.length)]).join('')
  return { schema, value, text }
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

describe('a schema outside the subset', () => {
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
  ])('a schema outside the subset is refused, and its keyword named: %s', (_name, schema, field) => {
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

/**
 * Processor time of a piece of work. The least of three runs counts, because other work of this process also uses the
 * processor.
 */
const cpuMsOf = (work: () => void): number =>
  Math.min(
    ...Array.from({ length: 3 }, () => {
      const before = process.cpuUsage()
      work()
      const { user, system } = process.cpuUsage(before)
      return (user + system) / 1000
    }),
  )

const boundMs = 50

const times = <T>(count: number, make: (at: number) => T): T[] =>
  Array.from({ length: count }, (_, at) => make(at))

/** A value of 64 KiB that repeats the item as often as possible. */
const listOf = (item: unknown): unknown[] => {
  const { length } = JSON.stringify([item])
  return times(Math.floor(65_000 / (length - 1)), () => item)
}

describe('the worst values within all limits', () => {
  const names = times(420, (at) => `name-number-${at}`)
  const wide = (one: SettingSchema, count: number) => ({ items: { anyOf: times(count, () => one) } })
  const big = Object.fromEntries(times(1000, (at) => [`k${at}`, at]))
  const textOf = generatorOf(3).text

  test.each<[string, SettingSchema, unknown, string]>([
    ['one of many names', { items: { enum: names } }, listOf('name-number-419'), 'fits'],
    ['none of many names', { items: { enum: names } }, listOf('none of them'), 'must be one of'],
    ['none of many numbers', { items: { enum: times(3000, (at) => at) } }, listOf(0.5), 'must be one of'],
    ['none of many objects', { items: { enum: times(4000, () => ({})) } }, listOf({ a: 1 }), 'steps'],
    [
      'objects of the same names',
      { items: { enum: times(1200, (a) => ({ a })) } },
      listOf({ a: 0.5 }),
      'steps',
    ],
    ['not the one object', { items: { const: big } }, listOf({ a: 1 }), 'steps'],
    ['required names', { items: { required: times(2000, (at) => `n${at}`) } }, listOf({}), 'steps'],
    ['alternatives', wide({ type: 'null' }, 800), listOf(0), 'steps'],
    ['bounds', wide({ minimum: 1, maximum: 0, exclusiveMinimum: 1 }, 200), listOf(0), 'steps'],
    ['lengths', { anyOf: times(700, () => ({ maxLength: 1 })) }, '👍'.repeat(16_000), 'steps'],
    ['e-mail addresses', wide({ format: 'email' }, 700), listOf(`a@${'a'.repeat(252)}`), 'steps'],
    ['addresses', wide({ format: 'uri' }, 700), listOf(`a:${'/a'.repeat(1000)} `), 'steps'],
    ['a pattern with many states', { pattern: '.*a.{32}$' }, textOf(13_000, 'ab'), 'must fit'],
    ['a pattern of many instructions', { pattern: '.*a.{900}$' }, textOf(650, 'ab'), 'must fit'],
    [
      'patterns over a long text',
      { anyOf: times(500, () => ({ pattern: '[a-c]d$' })) },
      'abc'.repeat(5000),
      'steps',
    ],
    [
      'items twice',
      { uniqueItems: true, maxItems: 200 },
      times(200, (b) => ({ a: times(100, () => 1), b })),
      'steps',
    ],
    [
      'nested alternatives',
      times(9, () => 0).reduce<object>((one) => ({ anyOf: [one, one] }), { const: 1 }),
      0,
      'must fit one of',
    ],
  ])('the worst value takes at most 50 ms to validate: %s', (_name, schema, value, message) => {
    expect(faultsOfSchema(schema)).toEqual([])
    expect(faultsOf(schema, value)[0]?.message ?? 'fits').toContain(message)
    expect(cpuMsOf(() => faultsOf(schema, value))).toBeLessThan(boundMs)
  })

  test('the answer names the bound', () => {
    expect(faultsOf(wide({ const: 1 }, 800), listOf(0))).toEqual([
      { field: 'value', message: `takes more than ${stepsMax} steps to validate` },
    ])
  })
})

describe('the worst schemas', () => {
  const patterns = (pattern: string, count: number) => ({
    anyOf: times(count, (at) => ({ pattern: `${pattern}${at}` })),
  })

  test.each<[string, object, string]>([
    [
      'ranges whose case is ignored',
      patterns(`(?i)${'[\\x{80}-\\x{10FFFE}]'.repeat(10)}`, 60),
      'must not ignore',
    ],
    ['classes', patterns('\\pL|'.repeat(40), 70), 'is too large'],
    ['large programs', patterns('\\p{L}{900}', 500), 'makes the patterns of this schema too large'],
    ['patterns that fail late', patterns(`${'\\pL'.repeat(9)}(`, 200), 'must be a pattern of RE2'],
  ])('the worst schema takes at most 50 ms to check: %s', (_name, schema, message) => {
    expect(faultsOfSchema(schema).at(-1)?.message).toContain(message)
    expect(cpuMsOf(() => faultsOfSchema(schema))).toBeLessThan(boundMs)
  })
})
