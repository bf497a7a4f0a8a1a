import fc from 'fast-check'
import type { Operation, Schema } from './operation.ts'
import { anyText, encodeAround, fields, hostile, type Text } from './values.ts'

export type Body = Text | Uint8Array | undefined

const bodyBytesMax = 1_048_576

/** Fields that no schema lists: setting them must have no effect and cause no failure. */
const foreignNames = [
  'id',
  'tenant_id',
  'is_system',
  'is_read',
  'permissions',
  'password_hash',
  '__proto__',
  'constructor',
  'toString',
  '',
]

const extra: fc.Arbitrary<Text> = fc
  .tuple(fc.oneof(fc.constantFrom(...foreignNames), anyText), hostile)
  .map(([name, value]) => `${JSON.stringify(name)}:${value}`)

const extras = fc.oneof(
  { weight: 8, arbitrary: fc.constant<Text[]>([]) },
  { weight: 2, arbitrary: fc.array(extra, { maxLength: 3 }) },
)

const object = (schema: Schema): fc.Arbitrary<Text> =>
  fc
    .tuple(fields(schema), extras, fc.nat(20))
    .map(([own, others, twice]) => `{${[...own, ...others, ...(twice === 0 ? own : [])].join()}}`)

const padded = (bytes: number): Text => `{"name":"${'x'.repeat(bytes - 11)}"}`

const malformed: Text[] = [
  '',
  ' ',
  '{',
  '}',
  '{}',
  '[]',
  '[{}]',
  'null',
  'true',
  '1',
  '"text"',
  '{"name":"a",}',
  '{"name" "a"}',
  '{name:"a"}',
  "{'name':'a'}",
  '{"name":"a"} trailing',
  '{"name":"a"}{"name":"b"}',
  '{"name":"\\x"}',
  '{"name":"a\nb"}',
  '{"name":"\\u12"}',
  '// comment\n{}',
  '\uFEFF{}',
  'name=a&slug=b',
  '<name>a</name>',
  '--x\r\nContent-Disposition: form-data; name="name"\r\n\r\na\r\n--x--',
  '['.repeat(100_000),
  '{"a":'.repeat(10_000),
  padded(bodyBytesMax - 1),
  padded(bodyBytesMax),
  padded(bodyBytesMax + 1),
  padded(2 * bodyBytesMax),
]

const noUtf8 = [
  Uint8Array.from([0x22, 0xff, 0x22]),
  Uint8Array.from([0x22, 0xed, 0xa0, 0x80, 0x22]),
  Uint8Array.from([0x22, 0xc0, 0x80, 0x22]),
  Uint8Array.from([0xff, 0xfe, 0x7b, 0x00, 0x7d, 0x00]),
  Uint8Array.from([0x1f, 0x8b, 0x08, 0x00, 0x00, 0x00, 0x00, 0x00]),
]

const raw: fc.Arbitrary<Body> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom(...malformed) },
  { weight: 1, arbitrary: fc.constantFrom(...noUtf8) },
  { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }) },
  { weight: 1, arbitrary: hostile },
)

/** The fields of an object as a form: a text without its quotes, other values as JSON. */
const formOf = (schema: Schema): fc.Arbitrary<Text> =>
  fc.tuple(fields(schema), extras).map(([own, others]) =>
    [...own, ...others]
      .map((one) => {
        const [, name = '', value = ''] = /^"((?:[^"\\]|\\.)*)":(.*)$/s.exec(one) ?? []
        return `${name}=${encodeAround(value.replace(/^"(.*)"$/s, '$1'))}`
      })
      .join('&'),
  )

/** A body for the operation; an operation without a body sometimes gets one. */
export const bodyFor = ({ body, isForm }: Operation): fc.Arbitrary<Body> =>
  body === undefined
    ? fc.oneof({ weight: 12, arbitrary: fc.constant(undefined) }, { weight: 1, arbitrary: raw })
    : fc.oneof(
        { weight: 14, arbitrary: isForm ? formOf(body) : object(body) },
        { weight: 2, arbitrary: raw },
        { weight: 1, arbitrary: fc.constant(undefined) },
      )
