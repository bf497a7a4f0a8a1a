import fc from 'fast-check'
import type { Schema } from './operation.ts'

/**
 * Values as JSON text, which can also hold invalid JSON. Placeholders such as `<user:7>` and `<run>` stand for ids that
 * world.ts fills in, so the same seed makes the same requests at any service.
 */
export type Text = string

export const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

/** Encodes a value, but for its placeholders. */
export const encodeAround = (text: string): string =>
  text
    .split(/(<\w+(?::\d+)?>)/)
    .map((part, at) => (at % 2 === 1 ? part : encode(part)))
    .join('')

const quoted = (text: string): Text => JSON.stringify(text)

const characters = [
  'a',
  'Z',
  '0',
  ' ',
  'é',
  'ß',
  'İ',
  '漢',
  '😀',
  'e\u0301',
  '\u202E',
  '\u200B',
  '\uFEFF',
  '\\',
  '"',
  '%',
  "'",
]

/** Texts that break naive handling: storage, patterns, paths, shells, scripts, other languages. */
const oddTexts = [
  '',
  ' ',
  '\t\n',
  '\0',
  'a\0b',
  '\uD800',
  'a\uDC00b',
  '\uDC00\uD800',
  '\uFFFF',
  '__proto__',
  'constructor',
  'null',
  'undefined',
  'NaN',
  '-1',
  '1e3',
  "' or 1=1 --",
  "'; drop table users; --",
  '%_\\%',
  '$1',
  '${7*7}',
  '../../../etc/passwd',
  '<script>alert(1)</script>',
  'a@b',
  'ﬃ@example.com',
  'a"b@example.com',
  '١٢٣',
  '１２３４５６',
  '१२३४५६',
  '12345６',
  '123 456',
  '\u200B123456',
  'ＡＢＣＤ－ＥＦＧＨ',
  'ſK',
  'toString',
  'hasOwnProperty',
  '2026-02-30T25:61:00Z',
  '9999-12-31T23:59:59-01:00',
  '\u0130\u0131',
  '﷽'.repeat(64),
  'e' + '\u0301'.repeat(300),
]

const sizes = [63, 64, 65, 254, 255, 256, 1024, 4096, 65_535, 65_537, 300_000]

const units = fc.array(fc.integer({ min: 0, max: 0xffff }), { maxLength: 12 })

const codePoints = (min: number, max: number): fc.Arbitrary<string> =>
  fc.integer({ min, max }).map((code) => String.fromCodePoint(code))

const anyCodePoint = fc.oneof(codePoints(0, 0xd7ff), codePoints(0xe000, 0x10_ffff))

const visible = fc
  .oneof(
    codePoints(0x20, 0x7e),
    codePoints(0xa0, 0xd7ff),
    codePoints(0xf900, 0xfffd),
    codePoints(0x1_0000, 0x1_faff),
  )
  .filter((one) => /^[\p{L}\p{M}\p{N}\p{P}\p{S}\p{Zs}]$/u.test(one))

/** The strings of fast-check first make a table of a million characters: 1.3 s of processor time and 200 MB. */
const textOf = (unit: fc.Arbitrary<string>, maxLength: number, minLength = 0): fc.Arbitrary<string> =>
  fc.array(unit, { minLength, maxLength }).map((parts) => parts.join(''))

/** Any text, including invalid Unicode. */
export const anyText: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(...oddTexts),
  textOf(visible, 40),
  textOf(anyCodePoint, 40),
  units.map((codes) => String.fromCharCode(...codes)),
  fc.tuple(fc.constantFrom(...characters), fc.constantFrom(...sizes)).map(([one, size]) => one.repeat(size)),
)

const numbers = [
  '0',
  '-0',
  '-1',
  '1.5',
  '2147483647',
  '2147483648',
  '-2147483649',
  '9007199254740991',
  '9007199254740992',
  '9007199254740993',
  '9223372036854775807',
  '9223372036854775808',
  '1e308',
  '1e400',
  '-1e400',
  '1e-400',
  '0.1e1',
  '1' + '0'.repeat(400),
]

const nested = (depth: number): Text => '['.repeat(depth) + ']'.repeat(depth)

const nestedObjects = (depth: number): Text => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth)

const listOf = (item: Text, length: number): Text => `[${Array.from({ length }, () => item).join()}]`

/** Includes invalid JSON, which makes the body around it malformed. */
const oddShapes = [
  'null',
  'true',
  'false',
  '[]',
  '{}',
  '[null]',
  '{"":""}',
  '{"__proto__":{"isAdmin":true}}',
  '{"constructor":{"prototype":{}}}',
  '"\\ud800"',
  '"\\u0000"',
  '"\\uD83D\\uDE00"',
  'NaN',
  'Infinity',
  'undefined',
  '01',
  '+1',
  '.5',
  "'a'",
  '',
  nested(10),
  nested(62),
  nested(65),
  nested(20_000),
  nestedObjects(60),
  nestedObjects(20_000),
  listOf('1', 1001),
  listOf('{}', 20_000),
  listOf('9007199254740991', 1000),
]

/** Objects that hide the methods which every object has. */
const hiding = [
  '{"toString":"x"}',
  '{"toString":null,"valueOf":null}',
  '{"valueOf":"x","toString":"x"}',
  '[{"toString":"x"}]',
  '{"toJSON":"x"}',
  '{"then":"x"}',
  '{"length":4294967296}',
  '{"hasOwnProperty":1}',
]

export const hostile: fc.Arbitrary<Text> = fc.oneof(
  { weight: 4, arbitrary: anyText.map(quoted) },
  { weight: 2, arbitrary: fc.constantFrom(...numbers) },
  { weight: 2, arbitrary: fc.constantFrom(...oddShapes) },
  { weight: 2, arbitrary: fc.constantFrom(...hiding) },
  { weight: 1, arbitrary: fc.json({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.double().map(String) },
)

/** Texts of exactly the allowed length, one shorter and one longer, in code points of one, two and four bytes. */
const edges = ({ minLength = 0, maxLength = 64 }: Schema): fc.Arbitrary<Text> => {
  const lengths = [minLength - 1, minLength, maxLength - 1, maxLength, maxLength + 1].filter(
    (length) => length >= 0,
  )
  return fc
    .tuple(fc.constantFrom('x', 'é', '😀', ' '), fc.constantFrom(...lengths))
    .map(([one, length]) => quoted(one.repeat(length)))
}

const numbered = (make: (n: number) => string): fc.Arbitrary<Text> => fc.nat(300).map((n) => quoted(make(n)))

const id = (kind: string): fc.Arbitrary<Text> => fc.nat(1000).map((n) => `<${kind}:${n}>`)

const kindsOfChange = [
  'replace_permissions',
  'assign_role',
  'unassign_role',
  'delete_role',
  'set_user_status',
]

/** Moments at the ends of calendars, and those that only some parsers read. */
export const moments = [
  '2026-01-01T00:00:00Z',
  '2026-01-01T00:00:00.123456789Z',
  '2026-01-01t00:00:00z',
  '2026-01-01 00:00:00Z',
  '2026-01-01T00:00:00+23:59',
  '2099-12-31T23:59:59.999-23:59',
  '9999-12-31T23:59:59Z',
  '9999-12-31T23:59:59-01:00',
  '0001-01-01T00:00:00Z',
  '0001-01-01T00:00:00+01:00',
  '0000-01-01T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '2026-02-29T00:00:00Z',
  '+275760-09-13T00:00:00Z',
  '2026-01-01',
  '1767225600',
]

/** A change to preview, with the fields of all kinds. */
const change: fc.Arbitrary<Text> = fc
  .tuple(fc.constantFrom(...kindsOfChange), id('role'), id('user'), id('permission'), fc.nat(1))
  .map(
    ([kind, role, user, permission, status]) =>
      `{"kind":"${kind}","role_id":${role},"user_id":${user},"permission_ids":[${permission}],"status":${status}}`,
  )

/** Valid values for a field of this name. */
const byName: Record<string, fc.Arbitrary<Text>> = {
  email: fc.oneof(
    { weight: 3, arbitrary: numbered((n) => `fuzz${n}.<run>@example.com`) },
    { weight: 1, arbitrary: fc.constant(quoted('<email>')) },
  ),
  username: numbered((n) => `fuzz${n}-<run>`),
  slug: numbered((n) => `fuzz${n}-<run>`),
  password: fc.constantFrom(quoted('<password>'), quoted('a proof of Tenantry')),
  old_password: fc.constant(quoted('<password>')),
  new_password: fc.constant(quoted('a proof of Tenantry')),
  refresh_token: fc.constant(quoted('<refresh>')),
  user_id: fc.oneof(id('user'), fc.constant('<self>')),
  role_id: id('role'),
  permissions: fc
    .array(fc.constantFrom('user:read', 'role:assign', 'tenant:read', 'user:raed'), { maxLength: 5 })
    .map((codes) => JSON.stringify(codes)),
  permission_ids: fc.array(id('permission'), { maxLength: 30 }).map((ids) => `[${ids.join()}]`),
  permission: fc.constantFrom('user:read', 'tenant:read', 'user:raed').map(quoted),
  changes: fc.array(change, { maxLength: 4 }).map((changes) => `[${changes.join()}]`),
  value: fc.json({ maxDepth: 3 }),
  code: fc.constantFrom('000000', '１２３４５６', '१२३४५६', '12345６', '123 456', '12345').map(quoted),
  url: fc
    .constantFrom('http://127.0.0.1:9/x', 'http://[::1]:9', 'http://127.1:9/%00', 'http://10.0.0.1', 'x:')
    .map(quoted),
  events: fc.constantFrom('["*"]', '["user.*"]', '["user.create","role.*"]'),
  redirect_uris: fc.constantFrom(
    '["https://fuzz.example.com/cb"]',
    '["http://127.0.0.1:9/cb","http://localhost"]',
  ),
  kind: fc.constantFrom('web', 'browser', 'native').map(quoted),
  grant_types: fc.constantFrom('["authorization_code"]', '["authorization_code","refresh_token"]'),
  resource_ids: fc.constantFrom('[]', '[<resource:1>]'),
  tenant_ids: fc.constantFrom('null', '[]', '["<home>"]'),
  logo: fc.constantFrom('', 'data:image/png;base64,iVBORw0KGgo=').map(quoted),
  home_url: fc.constantFrom('', 'https://fuzz.example.com/#/').map(quoted),
  backchannel_logout_uri: fc.constantFrom('', 'https://fuzz.example.com/out').map(quoted),
  identifier: numbered((n) => `https://fuzz${n}-<run>.example.com/mcp`),
  client_id: fc.constant(quoted('<client>')),
  client_secret: fc.constant(quoted('<secret>')),
  grant_type: fc
    .constantFrom(
      'authorization_code',
      'refresh_token',
      'client_credentials',
      'urn:ietf:params:oauth:grant-type:device_code',
      'urn:ietf:params:oauth:grant-type:token-exchange',
    )
    .map(quoted),
  token: fc.constantFrom('<token>', '<refresh>', 'a.b.c').map(quoted),
  access_token: fc.constant(quoted('<token>')),
  subject_token: fc.constant(quoted('<token>')),
  subject_token_type: fc.constant(quoted('urn:ietf:params:oauth:token-type:access_token')),
  scope: fc.constantFrom('openid', 'openid user:read', 'user:read', ' ', 'openid '.repeat(300)).map(quoted),
  tenant_id: fc.constant(quoted('<home>')),
  allowed_cidrs: fc.constantFrom('[]', '["127.0.0.1"]', '["10.0.0.0/8","::/0"]'),
}

const wellMeantText = textOf(visible, 30, 1).map((text) => quoted(`x${text}`))

const wellMeantNumber = ({ minimum = 0, maximum = 1000 }: Schema): fc.Arbitrary<Text> =>
  fc.constantFrom(minimum, minimum + 1, maximum).map(String)

/** Valid values by the type of the schema. */
const byType: Record<string, (schema: Schema) => fc.Arbitrary<Text>> = {
  integer: wellMeantNumber,
  number: wellMeantNumber,
  boolean: () => fc.constantFrom('true', 'false'),
  array: ({ items = {} }) =>
    fc.array(wellMeant('', items), { maxLength: 3 }).map((list) => `[${list.join()}]`),
  object: (schema) => fields(schema).map((own) => `{${own.join()}}`),
}

const wellMeant = (name: string, schema: Schema): fc.Arbitrary<Text> => {
  if (schema.enum) return fc.constantFrom(...schema.enum.map((one) => JSON.stringify(one)))
  if (schema.format === 'date-time') return fc.constantFrom(...moments).map(quoted)
  return byName[name] ?? byType[schema.type ?? '']?.(schema) ?? wellMeantText
}

/**
 * A field of a body, or undefined to leave it out. Most values are valid, or no request would pass its first field: the
 * more fields, the more of them.
 */
const field = (
  name: string,
  schema: Schema,
  isRequired: boolean,
  fieldCount: number,
): fc.Arbitrary<Text | undefined> =>
  fc.oneof(
    { weight: Math.max(30, 15 * fieldCount), arbitrary: wellMeant(name, schema) },
    { weight: 2, arbitrary: edges(schema) },
    { weight: 4, arbitrary: hostile },
    { weight: isRequired ? 1 : Math.max(12, 12 * fieldCount), arbitrary: fc.constant(undefined) },
  )

/** The fields of an object, without its braces. */
export const fields = ({ properties = {}, required = [] }: Schema): fc.Arbitrary<Text[]> => {
  const names = Object.entries(properties)
  const values = names.map(([name, schema]) => field(name, schema, required.includes(name), names.length))
  return fc
    .tuple(...values)
    .map((texts) =>
      texts.flatMap((text, at) => (text === undefined ? [] : [`${JSON.stringify(names[at]?.[0])}:${text}`])),
    )
}
