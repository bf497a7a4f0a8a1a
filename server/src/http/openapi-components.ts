import { STATUS_CODES } from 'node:http'
import { permissions } from '../access/permissions.ts'
import { Failure } from './failures.ts'
import { documentedErrors, type ErrorCode } from './error-meanings.ts'
import { hoist, type Components } from './openapi-schemas.ts'

export const tags = [
  { name: 'auth', description: 'Registration, signing in, tokens, and the own account.' },
  { name: 'sign-in', description: 'OAuth 2.0 and OpenID Connect: people sign in to applications.' },
  { name: 'users', description: 'Users of the tenant in scope.' },
  { name: 'events', description: 'The live stream: what happens, as it happens.' },
  {
    name: 'sso',
    description: 'Domains that a tenant has proved, and connections to the providers of its people.',
  },
  {
    name: 'providers',
    description: 'Providers of the installation, by which people of every tenant sign in.',
  },
  {
    name: 'webhooks',
    description: 'URLs that get the audit records of the tenant, in order and at least once.',
  },
  {
    name: 'service accounts',
    description: 'Callers without e-mail and password, and their keys.',
  },
  { name: 'tenants', description: 'Tenants of the installation.' },
  { name: 'support', description: 'Sessions in which somebody works as a user, for some minutes.' },
  { name: 'roles', description: 'Permissions, roles, and who holds them.' },
  {
    name: 'applications',
    description: 'Programs that people sign in to, the resources that they name, and the consents of users.',
  },
  { name: 'approvals', description: 'Changes that others must approve.' },
  { name: 'reviews', description: 'Decisions whether people and machines keep what they hold.' },
  { name: 'authz', description: 'Questions about permissions of users.' },
  { name: 'audit', description: 'Records of all changes.' },
  { name: 'settings', description: 'Settings for all tenants and of the tenant in scope.' },
  { name: 'attributes', description: 'Declared facts about users and tenants.' },
  { name: 'flags', description: 'Feature flags, and their evaluation by OpenFeature.' },
  { name: 'directories', description: 'Users and groups that a directory pushes by SCIM 2.0.' },
  { name: 'notifications', description: 'Notifications of users.' },
  { name: 'dashboard', description: 'Figures about the tenant in scope.' },
  { name: 'system', description: 'Probes, version, and an authentication test.' },
]

const row = ({ code, name, meaning }: ErrorCode) => `| ${code} | \`${name}\` | ${meaning} |`

export const errorTable = ['| Code | Name | Meaning |', '|---|---|---|', ...documentedErrors.map(row)].join(
  '\n',
)

const permissionTable = [
  '| Permission | Allows to |',
  '|---|---|',
  ...permissions.map(({ code, description }) => `| \`${code}\` | ${description} |`),
].join('\n')

export const introduction = `Accounts, tenants, roles and permissions, audit, settings and notifications, over HTTP.

## Authentication

Sign in with \`POST /api/v1/auth/login\`, and send the access token in the header \`Authorization: Bearer <token>\`. A \
service account sends its key in the same header.

## Organizations

The API calls an organization a tenant. The header \`X-Tenant-ID\` names the tenant of a request. \`/rbac\` and \
\`/notifications\` require it; elsewhere it is the caller's own tenant by default.

## Responses and errors

Each response is an object \`{ code, message, data, trace_id }\`. On success, \`code\` is 0 and \`data\` has the result. \
Otherwise \`code\` is an error code, whose first three digits are the HTTP status. An unknown path is 404. A path \
without this method is 405, and the header \`Allow\` lists its methods. The probes return their bare object.

## Permissions and support sessions

Each operation names the permission that it needs, also as \`x-permission\`. There, \`caller\` stands for any signed-in \
user and \`public\` for no token. \`x-errors\` lists the operation's own errors with their codes. \`x-support\` names \
the support sessions that reach it: \`view\` for all, \`act\` for those that may act.`

export const description = `${introduction}

## Permissions

${permissionTable}

## Error codes

${errorTable}
`

const text = (about: string, example: string) => ({
  description: about,
  schema: { type: 'string' },
  example,
})

const headers = {
  TraceId: text('The trace id of the request: 32 hex digits.', '4bf92f3577b34da6a3ce929d0e0e4736'),
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer', minimum: 1 }, example: 1 },
  Authenticate: text('How to authenticate.', 'Bearer'),
  TotalCapped: text('`true` when the total stopped at 10,000 and there are more.', 'true'),
  TotalCount: { description: 'How many items match.', schema: { type: 'integer', minimum: 0 }, example: 1 },
  SortIgnored: text('`true` when there are more than 10,000 matches, which come by id then.', 'true'),
}

export const headerRef = (name: keyof typeof headers) => ({ $ref: `#/components/headers/${name}` })

const tenantParameter = (required: boolean) => ({
  name: 'X-Tenant-ID',
  in: 'header',
  required,
  description: required ? 'The tenant in scope.' : 'The tenant in scope; the caller’s own when left out.',
  schema: { type: 'string', format: 'uuid' },
  example: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
})

const approvalParameter = {
  name: 'X-Approval-ID',
  in: 'header',
  required: false,
  description: 'The approval of this change, where a policy of the tenant asks for one.',
  schema: { type: 'integer', minimum: 1 },
  example: 7,
}

/** A name for a status among the responses: `Bad Request` becomes `BadRequest`. */
const responseName = (status: number) => (STATUS_CODES[status] ?? String(status)).replace(/[^A-Za-z]/g, '')

export const failureRef = (status: number) => ({ $ref: `#/components/responses/${responseName(status)}` })

const failureHeaders = (status: number) => ({
  'X-Trace-Id': headerRef('TraceId'),
  ...(status === 401 ? { 'WWW-Authenticate': headerRef('Authenticate') } : {}),
  ...(status === 429 || status === 503 ? { 'Retry-After': headerRef('RetryAfter') } : {}),
})

const failureExample = ({ name, code, meaning }: ErrorCode) => ({
  summary: `${code} ${name}`,
  value: {
    code,
    message: meaning,
    data:
      name === 'invalidInput'
        ? { errors: [{ field: 'username', message: 'must have at least 3 characters' }] }
        : null,
    trace_id: headers.TraceId.example,
  },
})

/** The shared answer of an error status, with an example of each of its error codes. */
const failureResponse = (status: number, schema: unknown) => {
  const codes = documentedErrors.filter((one) => one.status === status)
  const examples = Object.fromEntries(codes.map((one) => [one.name, failureExample(one)]))
  return {
    description: STATUS_CODES[status],
    headers: failureHeaders(status),
    content: { 'application/json': { schema, examples } },
  }
}

/** Shared components: headers, parameters, the error answers in use, and the security scheme. */
export const sharedComponents = (statuses: number[], schemas: Components) => {
  const failure = hoist(JSON.parse(JSON.stringify(Failure)), schemas)
  return {
    securitySchemes: {
      accessToken: {
        type: 'http',
        scheme: 'bearer',
        bearerFormat: 'JWT',
        description: 'The access token of `POST /api/v1/auth/login`.',
      },
    },
    headers,
    parameters: {
      TenantId: tenantParameter(false),
      RequiredTenantId: tenantParameter(true),
      ApprovalId: approvalParameter,
    },
    responses: Object.fromEntries(
      statuses.map((status) => [responseName(status), failureResponse(status, failure)]),
    ),
  }
}
