import fc from 'fast-check'
import { bodyFor, type Body } from './body.ts'
import { contentType, headersOf, type Caller } from './headers.ts'
import type { Operation, Parameter } from './operation.ts'
import { parameterValues } from './standards.ts'
import { anyText, encode, encodeAround, moments } from './values.ts'

/** A request before world.ts replaces its placeholders by ids of the service. */
export interface Plan {
  operation: Operation
  url: string
  headers: [string, string][]
  body: Body
}

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
  connections: 'connection',
  // No tenant has a setup link.
  'setup-links': 'session',
  oidc: 'connection',
  // No installation has a provider, and nobody an identity.
  providers: 'session',
  identities: 'session',
  'eligible-roles': 'role',
  elevations: 'auditLog',
  approvals: 'auditLog',
  reviews: 'auditLog',
  saml: 'connection',
  Users: 'scimUser',
  Groups: 'scimGroup',
  ResourceTypes: 'session',
  Schemas: 'session',
  // Nobody has consented to anything.
  grants: 'auditLog',
  interactions: 'interaction',
  resume: 'interaction',
  keys: 'accountKey',
  logs: 'auditLog',
  user: 'user',
  tenants: 'tenant',
}

const kindOf = (path: string, name: string): string => {
  if (['key', 'subject', 'operation'].includes(name)) return 'key'
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

/** Only the first value lets a request of many parameters pass. */
const mostlyFirst = ([first = '', ...others]: string[]): fc.Arbitrary<string> =>
  others.length === 0
    ? fc.constant(first)
    : fc.oneof(
        { weight: 20, arbitrary: fc.constant(first) },
        { weight: 3, arbitrary: fc.constantFrom(...others) },
      )

const wellMeant = ({ name, schema }: Parameter): fc.Arbitrary<string> => {
  if (schema.enum) return fc.constantFrom(...schema.enum.map(String))
  if (schema.type === 'boolean') return fc.constantFrom('true', 'false')
  if (schema.format === 'date-time') return fc.constantFrom(...moments).map(encode)
  const ofStandards = parameterValues[name]
  if (ofStandards) return mostlyFirst(ofStandards).map(encodeAround)
  if (schema.type !== 'integer') {
    return fc.constantFrom('user', 'role', 'fuzz', 'role.create', 'EXAMPLE', '%25', '_')
  }
  return name === 'user_id' ? fc.constant('<self>') : fc.integer({ min: 1, max: 200 }).map(String)
}

/** Of many parameters most are left out: each odd one ends the request. */
const argument = (parameter: Parameter, _at: number, { length }: Parameter[]): fc.Arbitrary<string[]> => {
  const well = wellMeant(parameter).map((value) => `${parameter.name}=${value}`)
  const ill = odd.map((value) => `${parameter.name}=${value}`)
  return fc.oneof(
    { weight: parameter.required ? 0 : Math.max(6, 4 * length), arbitrary: fc.constant<string[]>([]) },
    { weight: parameter.required ? 100 : 6, arbitrary: well.map((one) => [one]) },
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

const planOf = (operation: Operation, caller: Caller): fc.Arbitrary<Plan> =>
  fc
    .record({
      path: pathOf(operation),
      query: queryOf(operation),
      headers: headersOf(caller),
      type: contentType(operation),
      body: bodyFor(operation),
    })
    .map(({ path, query, headers, type, body }) => ({
      operation,
      url: `${path}${query}`,
      headers: [...headers, ...(body === undefined ? [] : type)],
      body,
    }))

const isRich = ({ body, parameters }: Operation): boolean =>
  body !== undefined || parameters.some((one) => one.in === 'query')

/** Without a sign-in that has begun, and members of groups, other requests of a browser and a directory find nothing. */
const opening = new Set(['GET /oauth2/authorize', 'POST /scim/v2/Users'])

const weightOf = (operation: Operation): number => {
  if (opening.has(operation.id)) return 20
  return isRich(operation) ? 3 : 1
}

/** Generates requests of a caller over all these operations; those with a body or a query come most often. */
export const plans = (operations: Operation[], caller: Caller): fc.Arbitrary<Plan> =>
  fc.oneof(
    ...operations.map((operation) => ({
      weight: weightOf(operation),
      arbitrary: planOf(operation, caller),
    })),
  )
