import fc from 'fast-check'
import { bodyFor, type Body } from './body.ts'
import { form, type Operation, type Parameter } from './document.ts'
import { anyText, moments } from './values.ts'

export type Caller = 'administrator' | 'key' | 'member' | 'nobody' | 'platform'

/** A request before world.ts replaces its placeholders by ids of the service. */
export interface Plan {
  operation: Operation
  url: string
  headers: [string, string][]
  body: Body
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())

const oddIds = [
  '0',
  '-1',
  '+1',
  '1.5',
  '1e3',
  '01',
  'abc',
  'null',
  '9007199254740991',
  '9007199254740992',
  '9223372036854775808',
  '1'.repeat(99),
  '1'.repeat(2000),
  '%00',
  '%ff',
  '%ed%a0%80',
  '%F0%9F%98%80',
  '%EF%BC%91',
  '%2e%2e',
  '..',
  '%2f',
  '%',
  '%zz',
  '1%20',
  '1;2',
  '1,2',
  '1%0a',
  "1'",
  '00000000-0000-4000-8000-000000000000',
  '{00000000-0000-4000-8000-000000000000}',
]

/** Texts that PostgreSQL cannot store: an unguarded path to the database fails on them first. */
const unsound = ['%00', 'a%00b', '%ff', '%c0%80', '%ed%a0%80', '%']

const odd = fc.oneof(
  { weight: 2, arbitrary: fc.constantFrom(...unsound) },
  { weight: 3, arbitrary: fc.constantFrom(...oddIds) },
  { weight: 1, arbitrary: anyText.map((text) => encode(text.slice(0, 2000))) },
)

const folders: Record<string, string> = {
  users: 'user',
  sessions: 'session',
  invitations: 'invitation',
  memberships: 'tenant',
  factors: 'factor',
  totp: 'factor',
  roles: 'role',
  notifications: 'notification',
  broadcasts: 'broadcast',
  'service-accounts': 'serviceAccount',
  webhooks: 'webhook',
  // The webhooks of the proof have sent nothing.
  deliveries: 'auditLog',
  permissions: 'permission',
  'role-templates': 'template',
  applications: 'application',
  resources: 'resource',
  secrets: 'secret',
  // No tenant has a domain.
  domains: 'auditLog',
  connections: 'session',
  // No connection names a directory.
  Users: 'session',
  Groups: 'session',
  ResourceTypes: 'session',
  Schemas: 'session',
  // Nobody has consented to anything.
  grants: 'auditLog',
  // Nobody signs in to an application.
  interactions: 'session',
  keys: 'accountKey',
  logs: 'auditLog',
  user: 'user',
  tenants: 'tenant',
}

const kindOf = (path: string, name: string): string => {
  if (name === 'key') return 'key'
  const kind = folders[path.split(`/{${name}}`)[0]?.split('/').at(-1) ?? '']
  if (kind === undefined) {
    throw new Error(`${path}: prove/suites/input/plan.ts has no rule for ${name}`)
  }
  return kind
}

/** Excludes taking roles away and ending sessions: a caller without their own role or session would end the proof. */
const keepsCaller = ({ id }: Operation) => !/^DELETE .*\/(?:roles\/|sessions$)/.test(id)

const known = (operation: Operation, name: string): fc.Arbitrary<string> => {
  const kind = kindOf(operation.path, name)
  const others = fc.nat(1000).map((n) => `<${kind}:${n}>`)
  if (kind !== 'user' || !keepsCaller(operation)) return others
  return fc.oneof({ weight: 4, arbitrary: others }, { weight: 1, arbitrary: fc.constant('<self>') })
}

const pathOf = (operation: Operation): fc.Arbitrary<string> => {
  const names = operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)
  const values = names.map((name) =>
    fc.oneof({ weight: 10, arbitrary: known(operation, name) }, { weight: 2, arbitrary: odd }),
  )
  return fc
    .tuple(...values)
    .map((texts) =>
      names.reduce((path, name, at) => path.replace(`{${name}}`, () => texts[at] ?? ''), operation.path),
    )
}

const wellMeant = ({ name, schema }: Parameter): fc.Arbitrary<string> => {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String))
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false')
  if (schema.format === 'date-time') return fc.constantFrom(...moments).map(encode)
  if (schema.type !== 'integer') {
    return fc.constantFrom('user', 'role', 'fuzz', 'role.create', 'EXAMPLE', '%25', '_')
  }
  return name === 'user_id' ? fc.constant('<self>') : fc.integer({ min: 1, max: 200 }).map(String)
}

const argument = (parameter: Parameter): fc.Arbitrary<string[]> => {
  const well = wellMeant(parameter).map((value) => `${parameter.name}=${value}`)
  const ill = odd.map((value) => `${parameter.name}=${value}`)
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant<string[]>([]) },
    { weight: 6, arbitrary: well.map((one) => [one]) },
    { weight: 3, arbitrary: ill.map((one) => [one]) },
    { weight: 1, arbitrary: fc.tuple(well, ill).map((two) => [...two]) },
  )
}

const oddQueries = [
  '&&&',
  '=',
  'a',
  'a[b]=1',
  'page[]=1',
  '__proto__=1',
  '__proto__[x]=1',
  'page',
  'page=',
  'page=1&page=2',
  '%',
  '%00=%00',
  `q=${'x'.repeat(6000)}`,
  Array.from({ length: 1000 }, (_, n) => `a${n}=`).join('&'),
  'page_size=201',
  'user_id[toString]=x',
  'toString=x&constructor=y&hasOwnProperty=z',
  'page=9007199254740991',
]

const queryOf = (operation: Operation): fc.Arbitrary<string> => {
  const own = operation.parameters.filter((one) => one.in === 'query').map(argument)
  const foreign = fc.oneof(
    { weight: 12, arbitrary: fc.constant<string[]>([]) },
    { weight: 1, arbitrary: fc.constantFrom(...oddQueries).map((one) => [one]) },
  )
  return fc.tuple(foreign, ...own).map((parts) => {
    const text = parts.flat().join('&')
    return text === '' ? '' : `?${text}`
  })
}

type Headers = [string, string][]

const headers = (...lists: Headers[]): fc.Arbitrary<Headers> => fc.constantFrom(...lists)

const tenant = 'x-tenant-id'

/** None of these may name the caller's own tenant, which for a platform administrator is the built-in one. */
const strangeTenants: Headers[] = [
  [[tenant, 'not a UUID']],
  [[tenant, '00000000-0000-4000-8000-000000000000']],
  [[tenant, '<home>, <home>']],
  [
    [tenant, '<home>'],
    [tenant, '<home>'],
  ],
  [[tenant, '{<home>}']],
  [[tenant, 'x'.repeat(5000)]],
  [[tenant, '\u00FF\u0080']],
]

const tenantOf = (caller: Caller): fc.Arbitrary<Headers> => {
  const own = headers([[tenant, '<home>']])
  const other =
    caller === 'platform'
      ? strangeTenants
      : ([...strangeTenants, [], [[tenant, '']], [[tenant, '<tenant:1>']]] as Headers[])
  return fc.oneof({ weight: 20, arbitrary: own }, { weight: 1, arbitrary: headers(...other) })
}

const authorization = 'authorization'

const badTokens: Headers[] = [
  [],
  [[authorization, 'Bearer']],
  [[authorization, 'Bearer null']],
  [[authorization, 'Bearer a.b.c']],
  [[authorization, 'Bearer <refresh>']],
  [[authorization, 'Basic YWRtaW46YWRtaW4=']],
  // The name a, NUL, b, and the secret %00.
  [[authorization, 'Basic YQBiOiUwMA==']],
  [[authorization, 'Bearer eyJhbGciOiJub25lIn0.eyJzdWIiOiIxIn0.']],
  [[authorization, `Bearer ${'x'.repeat(9000)}`]],
  [[authorization, 'Bearer \u00FF\u00FE']],
]

const authorizationOf = (caller: Caller): fc.Arbitrary<Headers> =>
  caller === 'nobody'
    ? headers(...badTokens)
    : fc.oneof(
        { weight: 30, arbitrary: headers([[authorization, 'Bearer <token>']]) },
        { weight: 1, arbitrary: headers(...badTokens) },
      )

const oddHeaders: Headers[] = [
  [['traceparent', '00-<trace>-00f067aa0ba902b7-01']],
  [['traceparent', '00-00000000000000000000000000000000-00f067aa0ba902b7-01']],
  [['traceparent', 'ff-<trace>-00f067aa0ba902b7-01']],
  [['traceparent', 'nonsense']],
  [['traceparent', '']],
  [
    ['accept', 'text/html'],
    ['accept-encoding', 'br;q=1, zstd, *;q=0'],
  ],
  [['accept', 'x'.repeat(3000)]],
  [['accept-language', `${'en-'.repeat(500)};q=x, zh;q=-1`]],
  [['last-event-id', '9007199254740993.1']],
  [['user-agent', '\u00FF\u0080 '.repeat(100)]],
  [['user-agent', '']],
  [['user-agent', 'x'.repeat(8000)]],
  [['x-forwarded-for', "'; drop table users; --"]],
  [
    ['x-forwarded-for', '::ffff:127.0.0.1, 1.2.3.4'],
    ['x-forwarded-host', 'evil.example'],
  ],
  [['x-http-method-override', 'DELETE']],
  [['cookie', 'a=b; '.repeat(500)]],
  [['origin', 'https://evil.example']],
  [['content-encoding', 'gzip']],
  [['accept-version', '99']],
  [
    ['if-none-match', '*'],
    ['range', 'bytes=0-1'],
  ],
  [['x-long', 'x'.repeat(20_000)]],
  [
    ['connection', 'upgrade'],
    ['upgrade', 'websocket'],
  ],
  [
    ['__proto__', 'x'],
    ['constructor', 'y'],
  ],
]

const extraHeaders = fc.oneof(
  { weight: 12, arbitrary: headers([]) },
  { weight: 1, arbitrary: headers(...oddHeaders) },
)

const json: Headers = [['content-type', 'application/json']]

const contentType = ({ isForm }: Operation) =>
  fc.oneof(
    { weight: 25, arbitrary: headers(isForm ? [['content-type', form]] : json) },
    {
      weight: 1,
      arbitrary: fc
        .constantFrom(
          'application/json; charset=utf-8',
          'application/json;charset=utf-16',
          'APPLICATION/JSON',
          'application/merge-patch+json',
          'application/jsonp',
          'text/plain',
          'text/json',
          'application/x-www-form-urlencoded',
          'multipart/form-data; boundary=x',
          'application/octet-stream',
          'application/json, text/plain',
          ';',
          '',
          'x'.repeat(2000),
        )
        .map((type): Headers => [['content-type', type]]),
    },
    { weight: 1, arbitrary: headers([]) },
  )

const planOf = (operation: Operation, caller: Caller): fc.Arbitrary<Plan> =>
  fc
    .record({
      path: pathOf(operation),
      query: queryOf(operation),
      fixed: fc.tuple(authorizationOf(caller), tenantOf(caller), extraHeaders),
      type: contentType(operation),
      body: bodyFor(operation),
    })
    .map(({ path, query, fixed, type, body }) => ({
      operation,
      url: `${path}${query}`,
      headers: [...fixed.flat(), ...(body === undefined ? [] : type)],
      body,
    }))

const isRich = ({ body, parameters }: Operation): boolean =>
  body !== undefined || parameters.some((one) => one.in === 'query')

/** Generates requests of a caller over all these operations; those with a body or a query come most often. */
export const plans = (operations: Operation[], caller: Caller): fc.Arbitrary<Plan> =>
  fc.oneof(
    ...operations.map((operation) => ({
      weight: isRich(operation) ? 3 : 1,
      arbitrary: planOf(operation, caller),
    })),
  )
