/** Declared settings and feature flags: what one person declares, and others fill. */
import { ok, request, type Answer } from '../../lab/client.ts'
import { byAdmin, byRoot, filled, times, type Input } from './input.ts'

const valueBytes = 65_000

/** A value against a schema, both of the greatest size. */
const validated = (what: string, schema: object, value: unknown, status = 400): Input => {
  const key = `bounds.${what.replaceAll(/\W/g, '.')}`
  return {
    what: `a setting: ${what}`,
    bound: 'a schema of 16 KiB, a value of 64 KiB, 200,000 steps',
    status,
    prepare: async ({ root }) =>
      ok(await root.call('PUT', `/settings/definitions/${key}`, { schema, scopes: ['tenant'] })),
    send: byAdmin('PUT', `/settings/tenant/${key}`, { value }),
  }
}

const declared = (what: string, pattern: (at: number) => string, count: number): Input => ({
  what: `a declaration: ${what}`,
  bound: '16 KiB; patterns of 4000 instructions',
  status: 400,
  send: byRoot('PUT', '/settings/definitions/bounds.patterns', {
    schema: { anyOf: times(count, (at) => ({ pattern: pattern(at) })) },
    scopes: ['tenant'],
  }),
})

const each = (schema: object, count: number) => ({ items: { anyOf: times(count, () => schema) } })

/** Texts of two letters in no order, the same in each run. */
const mixed = (length: number): string => {
  let state = 1
  const letter = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return (state >>> 16) & 1 ? 'a' : 'b'
  }
  return times(length, letter).join('')
}

/** Adds entries until there is no more room. */
const fillUp = async (add: (at: number) => Promise<Answer>): Promise<void> => {
  for (let at = 0; (await add(at)).status === 200; at += 1);
}

const names = times(420, (at) => `n${at}`)

export const settingInputs: Input[] = [
  validated('a list of names that are declared', { items: { enum: names } }, filled('n419', valueBytes), 200),
  validated('a list of names that are not', { items: { enum: names } }, filled('none', valueBytes)),
  validated(
    'objects that are not declared',
    { items: { enum: times(4000, () => ({})) } },
    filled({ a: 1 }, valueBytes),
  ),
  validated('required names', { items: { required: times(2000, (at) => `n${at}`) } }, filled({}, valueBytes)),
  validated('bounds of numbers', each({ minimum: 1, maximum: 0 }, 300), filled(0, valueBytes)),
  validated('addresses', each({ format: 'email' }, 700), filled(`a@${'a'.repeat(252)}`, valueBytes)),
  validated('a pattern with many states', { pattern: '.*a.{32}$' }, mixed(13_000)),
  validated(
    'an item twice',
    { uniqueItems: true, maxItems: 200 },
    times(200, (b) => ({ a: times(100, () => 1), b })),
  ),
  declared(
    'patterns that ignore the case of all characters',
    (at) => `(?i)${'[\\x{80}-\\x{10FFFE}]'.repeat(10)}${at}`,
    60,
  ),
  declared('patterns of large classes', (at) => `${'\\pL'.repeat(9)}${at}`, 300),
  {
    what: 'all settings of a tenant',
    bound: '1000 and 4 MiB',
    status: 200,
    prepare: ({ admin }) =>
      fillUp((at) => admin.call('PUT', `/settings/tenant/fill.${at}`, { value: filled(0, valueBytes) })),
    send: byAdmin('GET', '/settings/tenant'),
  },
  {
    what: 'all settings that count',
    bound: '1000 and 4 MiB',
    status: 200,
    send: byAdmin('GET', '/settings/effective?prefix=fill.'),
  },
]

type Op = 'contains' | 'ends_with' | 'semver_gte'

/** Rules of 128 KiB whose values come from a function. */
const rulesOf = (op: Op, count: number, make: (at: number) => string) =>
  times(Math.ceil(count / 1000), (rule) => ({
    conditions: [
      { attribute: 'a', op, values: times(Math.min(1000, count - rule * 1000), (at) => make(at)) },
    ],
    serve: 'on',
  }))

const flagOf = (key: string, rules: object[]) => ({
  key,
  type: 'boolean',
  variants: { on: true, off: false },
  enabled: true,
  off_variant: 'off',
  default_variant: 'off',
  client_side: true,
  rules,
})

const versions = rulesOf('semver_gte', 12_500, (at) => `9.0.${at % 10}`)
const searched = rulesOf('contains', 2000, () => 'aaaaab')
const listed = rulesOf('ends_with', 20_000, () => 'ab')
const context = { a: 'a'.repeat(1024) }

export const flagInputs: Input[] = [
  {
    what: 'a flag with versions',
    bound: '128 KiB of rules',
    status: 200,
    send: ({ root }, round) => root.call('POST', '/flags', flagOf(`versions.${round}`, versions)),
  },
  {
    what: 'a flag beyond its bound',
    bound: '128 KiB of rules',
    status: 400,
    send: byRoot(
      'POST',
      '/flags',
      flagOf(
        'beyond',
        rulesOf('semver_gte', 50_000, (at) => `9.0.${at % 10}`),
      ),
    ),
  },
  {
    what: 'an evaluation of all flags',
    bound: '8 MiB of flags, a context of 16 KiB',
    status: 200,
    prepare: ({ root }) =>
      fillUp((at) => root.call('POST', '/flags', flagOf(`fill.${at}`, at === 0 ? searched : listed))),
    send: ({ url, root: { token } }) =>
      request(url, 'POST', '/ofrep/v1/evaluate/flags', { token, body: { context }, timeoutMs: 60_000 }),
  },
  {
    what: 'an evaluation explained',
    bound: '128 KiB of rules, 2000 searches, a context of 16 KiB',
    status: 200,
    send: byRoot('POST', '/flags/fill.0/explain', { context }),
  },
]
