/** Applications, people admitted to them, and calls of the token endpoint, for tests. */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Answer } from '../../lab/client.ts'
import { sha256 } from '../src/crypto/sha256.ts'
import type {
  Admission,
  AuthorizationRequest,
} from '../src/features/federation/oauth/request/authorization-request.ts'
import { ok, platformAdmin, unique, type Caller } from './factories.ts'
import { clock, parts, service, type Call } from './harness.ts'

const db = parts.store.scoped({})

export interface TestApplication {
  id: number
  clientId: string
  name: string
  /** "" for a public one. */
  secret: string
  isThirdParty: boolean
}

export const redirectUri = 'https://app.example.com/callback'

/** An application, by default an own one with a secret; `fields` are those of the API. */
export const newApplication = async (fields: object = {}): Promise<TestApplication> => {
  const root = await platformAdmin()
  const body = {
    name: unique('app'),
    kind: 'web',
    redirect_uris: [redirectUri],
    grant_types: ['authorization_code', 'refresh_token'],
    ...fields,
  }
  const { id, client_id: clientId, name, secret = '', ...made } = ok(await root.post('/applications', body))
  return { id, clientId, name, secret, isThirdParty: made.is_third_party }
}

/** Changes an application. */
export const changeApplication = async ({ id }: TestApplication, changes: object): Promise<void> =>
  ok(await (await platformAdmin()).put(`/applications/${id}`, changes))

/** Lets an application count as one that registered itself. */
export const markRegistered = ({ clientId }: Pick<TestApplication, 'clientId'>): Promise<number> =>
  db.run(sql`update applications set origin = 'registered' where client_id = ${clientId}`)

/** A resource with permissions of the product. */
export const newResource = async (permissionIds: number[]): Promise<{ id: number; identifier: string }> => {
  const identifier = `https://${unique('r')}.example.com/mcp`
  const { id } = await db.only<{ id: number }>(sql`
    insert into resources (identifier, identifier_folded, name, permission_ids, created_at)
    values (${identifier}, ${identifier}, ${unique('resource')}, ${permissionIds}::integer[], now())
    returning id`)
  return { id, identifier }
}

export interface BrowserSignIn {
  id: string
  accountId: number
  /** The cookie. */
  cookie: string
  authTime: Date
}

/** A person who has signed in with a browser. */
export const newSignIn = async ({
  userId,
  tenantId,
}: Pick<Caller, 'userId' | 'tenantId'>): Promise<BrowserSignIn> => {
  const cookie = randomBytes(32).toString('base64url')
  const now = clock.now()
  const { account_id: accountId } = await parts.store
    .scoped({ tenantId })
    .only<{ account_id: number }>(
      sql`select account_id from users where tenant_id = ${tenantId} and id = ${userId}`,
    )
  const id = randomUUID()
  await db.run(sql`
    insert into sign_ins (id, cookie_hash, account_id, account_epoch, amr, auth_time, created_at, last_used_at, expires_at,
      ip, user_agent)
    select ${id}::uuid, ${sha256(cookie)}::bytea, a.id, a.session_epoch, ${['pwd']}::text[], ${now}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz, ${new Date(now.getTime() + 7 * 86_400_000)}::timestamptz, '192.0.2.7', 'Firefox'
    from accounts a where a.id = ${accountId}`)
  return { id, accountId, cookie, authTime: now }
}

export interface AdmissionOptions {
  signIn?: BrowserSignIn
  scopes?: string[]
  narrowedTo?: string[]
  resource?: { id: number; identifier: string }
  /** Without PKCE, as a client that sends `nonce`. */
  isBare?: boolean
  grantId?: number
}

export interface Admitted {
  signIn: BrowserSignIn
  /** The parameters of the exchange. */
  code: string
  verifier: string
}

const requestOf = (
  application: TestApplication,
  verifier: string,
  { scopes = ['openid'], resource, isBare = false }: AdmissionOptions,
): AuthorizationRequest => ({
  applicationId: application.id,
  clientId: application.clientId,
  redirectUri,
  responseMode: 'query',
  nonce: 'the nonce',
  scopes,
  prompt: [],
  needsMfa: false,
  loginHint: '',
  tenant: '',
  ...(isBare ? {} : { codeChallenge: createHash('sha256').update(verifier).digest('base64url') }),
  ...(resource && { resource }),
})

/** Lets a person authorize an application: the code is ready. */
export const admit = async (
  user: Pick<Caller, 'userId' | 'tenantId'>,
  application: TestApplication,
  options: AdmissionOptions = {},
): Promise<Admitted> => {
  const signIn = options.signIn ?? (await newSignIn(user))
  const { scopes = ['openid'], narrowedTo, grantId } = options
  const verifier = randomBytes(32).toString('base64url')
  const code = randomBytes(32).toString('base64url')
  const request = requestOf(application, verifier, options)
  const { session_epoch: accountEpoch } = await db.only<{ session_epoch: number }>(
    sql`select session_epoch from accounts where id = ${signIn.accountId}`,
  )
  const admission: Admission = {
    tenantId: user.tenantId,
    userId: user.userId,
    accountId: signIn.accountId,
    signInId: signIn.id,
    accountEpoch,
    amr: ['pwd'],
    authTime: signIn.authTime.toISOString(),
    scopes,
    ...(narrowedTo && { narrowedTo }),
    ...(grantId !== undefined && { grantId }),
  }
  await db.run(sql`
    insert into authorization_codes (code_hash, application_id, sign_in_id, request, admission, expires_at)
    values (${sha256(code)}, ${application.id}, ${signIn.id}, ${JSON.stringify(request)}, ${JSON.stringify(admission)},
      ${new Date(clock.now().getTime() + 60_000)})`)
  return { signIn, code, verifier }
}

/** The consent of a user to an application. */
export const newGrant = async (
  { userId, tenantId }: Pick<Caller, 'userId' | 'tenantId'>,
  application: TestApplication,
): Promise<number> => {
  const { id } = await parts.store.transaction({ tenantId }, (db) =>
    db.only<{ id: number }>(sql`
      insert into grants (tenant_id, user_id, application_id, host, scopes, created_at)
      values (${tenantId}, ${userId}, ${application.id}, 'app.example.com', '{}', now())
      returning id`),
  )
  return id
}

type Form = Record<string, string | undefined>

/** Where a form goes, and with which headers. */
type Posting = Pick<Call, 'headers'> & { at?: { url: string } }

/** A form posted below `/oauth2`; parameters without a value are left out. */
export const postForm = async (path: string, form: Form | string, options: Posting = {}): Promise<Answer> => {
  const { at = service, headers = {} } = options
  const given = typeof form === 'string' ? form : new URLSearchParams(defined(form)).toString()
  const response = await fetch(`${at.url}/oauth2${path}`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    body: given,
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.startsWith('application/json')
  const body = isJson ? JSON.parse(text) : undefined
  return { status: response.status, headers: response.headers, text, body, data: body, ms: 0 }
}

const defined = (form: Form): Record<string, string> =>
  Object.fromEntries(
    Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== undefined),
  )

/** The credentials of an application in the body. */
export const credentialsOf = ({ clientId, secret }: TestApplication): Form => ({
  client_id: clientId,
  ...(secret !== '' && { client_secret: secret }),
})

export const postToken = (form: Form, options: Call = {}): Promise<Answer> =>
  postForm('/token', form, options)

/** Exchanges a code; `changes` replace parameters. */
export const exchange = (
  application: TestApplication,
  { code, verifier }: Pick<Admitted, 'code' | 'verifier'>,
  changes: Form = {},
  options: Call = {},
): Promise<Answer> =>
  postToken(
    {
      ...credentialsOf(application),
      grant_type: 'authorization_code',
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
      ...changes,
    },
    options,
  )

export interface Tokens {
  access_token: string
  refresh_token: string
  id_token: string
  scope: string
  expires_in: number
}

/** Opens a session of an application. Throws when it is refused. */
export const openSession = async (
  user: Pick<Caller, 'userId' | 'tenantId'>,
  application: TestApplication,
  options: AdmissionOptions = {},
): Promise<Tokens & { signIn: BrowserSignIn }> => {
  const admitted = await admit(user, application, options)
  const { status, body } = await exchange(application, admitted)
  if (status !== 200) throw new Error(`the exchange was refused: ${JSON.stringify(body)}`)
  return { ...body, signIn: admitted.signIn }
}

export const refresh = (
  application: TestApplication,
  refreshToken: string,
  changes: Form = {},
  options: Call = {},
): Promise<Answer> =>
  postToken(
    { ...credentialsOf(application), grant_type: 'refresh_token', refresh_token: refreshToken, ...changes },
    options,
  )

/** The content of a token, unverified. */
export const claimsOf = (token: string): Record<string, unknown> =>
  JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString())

/** The refusal of a request in the form of RFC 6749. */
export const oauthRefusal = (error: string, status = 400) => ({ status, body: { error } })
