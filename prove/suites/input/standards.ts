/**
 * The inputs that the API description leaves to standards. They are resources of SCIM, and addresses for browsers and
 * providers, which answer with pages and redirections.
 */
import type { Operation, Parameter, Schema } from './operation.ts'

/** Placeholders for this many resources. */
const placesOf = (kind: string): string[] => Array.from({ length: 12 }, (_, n) => `<${kind}:${n}>`)

const text: Schema = { type: 'string' }
const boolean: Schema = { type: 'boolean' }
const oneOf = (...values: unknown[]): Schema => ({ enum: values })
const objectOf = (properties: Record<string, Schema>, required: string[] = []): Schema => ({
  type: 'object',
  properties,
  required,
})
const listOf = (items: Schema): Schema => ({ type: 'array', items })

const addresses = Array.from({ length: 12 }, (_, n) => `pushed${n}-<run>@fuzz.example.com`)

const names = objectOf({ givenName: text, familyName: text, formatted: text })
const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'

const user = objectOf(
  {
    schemas: oneOf(['urn:ietf:params:scim:schemas:core:2.0:User', enterprise]),
    userName: oneOf(...addresses),
    externalId: text,
    active: oneOf(true, false, 'True', 'false'),
    displayName: text,
    nickName: text,
    name: names,
    emails: listOf(
      objectOf({ value: oneOf(...addresses), type: oneOf('work', 'home'), primary: boolean }, ['value']),
    ),
    phoneNumbers: listOf(objectOf({ value: oneOf('+49 1', 'x'), type: oneOf('work', 'mobile') })),
    [enterprise]: objectOf({ department: text, manager: objectOf({ value: oneOf('<scimUser:1>') }) }),
  },
  ['userName'],
)

const member = objectOf({ value: oneOf(...placesOf('scimUser'), ...placesOf('scimGroup')) }, ['value'])

const group = objectOf({ displayName: text, externalId: text, members: listOf(member) }, ['displayName'])

const paths = [
  'active',
  'userName',
  'emails',
  'emails[type eq "work"].value',
  'emails[primary eq true and not (type eq "home")]',
  'name.givenName',
  `${enterprise}:department`,
  enterprise,
  'urn:ietf:params:scim:schemas:core:2.0:User:name',
  'members',
  ...placesOf('scimUser').map((place) => `members[value eq "${place}"]`),
  'displayName',
  'members[value eq "a" or display sw "b"].value',
  'meta.resourceType',
  'emails[',
  '[]',
  'a.b.c.d',
]

const patch = objectOf(
  {
    schemas: oneOf(['urn:ietf:params:scim:api:messages:2.0:PatchOp']),
    Operations: listOf(
      objectOf(
        {
          op: oneOf('add', 'replace', 'remove', 'Add', 'Replace', 'Remove'),
          path: oneOf(...paths),
          value: oneOf(
            true,
            'False',
            addresses[0],
            [{ value: '<scimUser:1>' }, { value: '<scimUser:2>' }],
            [{ value: '<scimGroup:1>' }],
            [{ value: addresses[1], type: 'work', primary: true }],
            { active: false },
            { 'name.givenName': 'Ada', emails: [] },
            { [enterprise]: { department: 'x' } },
            null,
          ),
        },
        ['op'],
      ),
    ),
  },
  ['Operations'],
)

/** The body of an operation of SCIM, in place of what the description says. */
export const scimBody = (method: string, path: string): Schema | undefined => {
  if (!path.startsWith('/scim/')) return undefined
  if (method === 'PATCH') return patch
  return path.startsWith('/scim/v2/Users') ? user : group
}

/** Values of parameters of the address, by name. */
export const parameterValues: Record<string, string[]> = {
  filter: [
    'userName eq "pushed1-<run>@fuzz.example.com"',
    'externalId pr and not (active eq true)',
    'emails[type eq "work" and value co "fuzz"]',
    'meta.lastModified gt "2026-01-01T00:00:00Z"',
    `displayName sw "${'\u0130'.repeat(60)}"`,
    'members.value eq "<scimUser:1>"',
    `${'('.repeat(40)}userName pr${')'.repeat(40)}`,
    Array.from({ length: 60 }, () => 'userName pr').join(' or '),
    'userName eq "\\u0000"',
    'userName eq "\\ud800"',
    `${enterprise}:department eq 1e400`,
  ],
  attributes: ['userName', 'members', 'name.givenName,emails.value', `${enterprise}:department`, ',,'],
  excludedAttributes: ['members', 'id,schemas,meta', 'x'.repeat(900)],
  startIndex: ['1', '0', '-5', '9999999999', '1e9'],
  count: ['0', '1', '200', '100000', '-1'],
  client_id: ['<client>'],
  redirect_uri: ['https://fuzz.example.com/cb', 'http://127.0.0.1:9/cb', 'javascript:1', 'https://'],
  post_logout_redirect_uri: ['https://fuzz.example.com/out', 'data:,x'],
  response_type: ['code', 'code id_token', 'token', 'none'],
  response_mode: ['query', 'form_post', 'fragment'],
  scope: ['openid', 'openid profile email offline_access', 'user:read', 'openid '.repeat(300)],
  code_challenge: ['x'.repeat(43), 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM'],
  code_challenge_method: ['S256', 'plain'],
  prompt: ['none', 'login', 'consent select_account', 'login none', 'create'],
  max_age: ['0', '1', '-1', '99999999999999999999'],
  login_hint: ['<email>', 'connection:<connection:1>'],
  id_token_hint: ['<token>', 'a.b.c', 'eyJhbGciOiJub25lIn0.e30.'],
  request: ['eyJhbGciOiJub25lIn0.e30.'],
  request_uri: ['https://fuzz.example.com/request', 'urn:x'],
  resource: ['https://fuzz.example.com/mcp', '#', 'https://fuzz1-<run>.example.com/mcp'],
  claims: ['{"userinfo":{"email":null}}', '{', '[]'.repeat(200)],
  ui_locales: ['de en', 'x'.repeat(500)],
  organization: ['<home>', 'x'],
  connection: ['<connection:1>'],
  interaction: ['<interaction:1>', '<interaction:2>'],
  state: ['x', 'x'.repeat(2000)],
  code: ['x'],
  handle: ['x'.repeat(43)],
}

/** The service refuses a request without these before it reads the rest. */
const required = new Set([
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'code_challenge',
  'code_challenge_method',
  'connection',
  'interaction',
])

const inQuery = (...list: string[]): Parameter[] =>
  list.map((name) => ({ in: 'query', name, required: required.has(name), schema: { type: 'string' } }))
const inPath: Parameter = { in: 'path', name: 'id', schema: { type: 'string' } }

const authorization = inQuery(
  'client_id',
  'redirect_uri',
  'response_type',
  'response_mode',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'prompt',
  'max_age',
  'login_hint',
  'id_token_hint',
  'request',
  'request_uri',
  'resource',
  'claims',
  'ui_locales',
  'organization',
)
const ending = inQuery('id_token_hint', 'client_id', 'post_logout_redirect_uri', 'state')

const formOf = (parameters: Parameter[]): Schema =>
  objectOf(
    Object.fromEntries(parameters.map(({ name }) => [name, oneOf(...(parameterValues[name] ?? ['x']))])),
  )

const samlForm = objectOf({
  SAMLResponse: oneOf(
    'x',
    '%%%',
    Buffer.from('<a/>').toString('base64'),
    Buffer.from(
      `<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol">${'<a>'.repeat(3000)}`,
    ).toString('base64'),
    Buffer.from('<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>').toString('base64'),
  ),
  RelayState: text,
})

const page = (id: string, parameters: Parameter[], body?: Schema): Operation => {
  const [method = '', path = ''] = id.split(' ')
  return {
    id,
    method,
    path,
    parameters: path.includes('{id}') ? [inPath, ...parameters] : parameters,
    isPublic: true,
    body,
    isForm: body !== undefined,
    statuses: new Set([200, 303, 400, 403, 404, 405, 413, 415, 429, 431]),
    isBare: true,
    isPage: true,
  }
}

/** Requests of browsers outside the API: people and providers are sent there. */
export const pages: Operation[] = [
  page('GET /oauth2/authorize', authorization),
  page('POST /oauth2/authorize', [], formOf(authorization)),
  page('GET /oauth2/resume/{id}', []),
  page('GET /oauth2/logout', ending),
  page('POST /oauth2/logout', [], formOf(ending)),
  page('GET /sso/start', inQuery('connection', 'interaction')),
  page('GET /sso/oidc/{id}/callback', inQuery('code', 'state', 'error', 'iss')),
  page('GET /sso/saml/{id}/answer', inQuery('handle')),
  page('GET /sso/saml/{id}/metadata', []),
  page('POST /sso/saml/{id}/acs', [], samlForm),
]
