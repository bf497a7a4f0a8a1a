/** Callers of the API. They import nothing of the server. */

export interface Answer {
  status: number
  headers: Headers
  /** The body as received, because proofs compare answers byte by byte. */
  text: string
  body: any
  data: any
  ms: number
}

export interface Call {
  token?: string | undefined
  tenant?: string | undefined
  body?: unknown
  /** A form instead of a JSON body. */
  form?: string | undefined
  headers?: Record<string, string>
  timeoutMs?: number
}

/** Undefined for an answer that is no JSON, or empty. */
const parse = ({ headers }: Response, text: string): { data?: unknown } | undefined => {
  const isJson = /^application\/(.*\+)?json/.test(headers.get('content-type') ?? '')
  return isJson && text !== '' ? (JSON.parse(text) as { data?: unknown }) : undefined
}

const formType = { 'content-type': 'application/x-www-form-urlencoded' }

const headersOf = ({ token, tenant, body, form, headers }: Call): Record<string, string> => ({
  ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
  ...(tenant === undefined ? {} : { 'x-tenant-id': tenant }),
  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  ...(form === undefined ? {} : formType),
  ...headers,
})

/** The body. "" for a stream of events, which does not end. */
const textOf = async (response: Response): Promise<string> => {
  if (!response.headers.get('content-type')?.startsWith('text/event-stream')) return response.text()
  await response.body?.cancel()
  return ''
}

/** Sends one request to `base`; `path` is from the host root. Rejects if the connection fails or the timeout ends. */
export const request = async (
  base: string,
  method: string,
  path: string,
  call: Call = {},
): Promise<Answer> => {
  const startedAt = performance.now()
  const response = await fetch(`${base}${path}`, {
    method,
    headers: headersOf(call),
    signal: AbortSignal.timeout(call.timeoutMs ?? 15_000),
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
    ...(call.form === undefined ? {} : { body: call.form }),
  })
  const text = await textOf(response)
  const body = parse(response, text)
  return {
    status: response.status,
    headers: response.headers,
    text,
    body,
    data: body?.data,
    ms: performance.now() - startedAt,
  }
}

/** A signed-in caller of one replica, with a token and a tenant. */
export interface Session {
  base: string
  userId: number
  tenantId: string
  email: string
  password: string
  token: string
  refreshToken: string
  call(method: string, path: string, body?: unknown, options?: Call): Promise<Answer>
  /** The same caller at another replica. */
  at(base: string): Session
}

const api = '/api/v1'

/** A path below `/api/v1`. A path with `//` in front is from the host root, with one slash. */
export const pathFromRoot = (path: string): string =>
  path.startsWith('//') ? path.slice(1) : `${api}${path}`

const sessionOf = (caller: Omit<Session, 'call' | 'at'>): Session => ({
  ...caller,
  call: (method, path, body, options) =>
    request(caller.base, method, `${api}${path}`, {
      token: caller.token,
      tenant: caller.tenantId,
      body,
      ...options,
    }),
  at: (base) => sessionOf({ ...caller, base }),
})

/** Returns the data of an answer. Throws with the answer unless its status is 200. */
export const ok = ({ status, text, data }: Answer) => {
  if (status !== 200) throw new Error(`expected 200, got ${status}: ${text.slice(0, 300)}`)
  return data
}

/** The session of a pair of tokens. */
export const openedBy = async (
  base: string,
  pair: { access_token: string; refresh_token: string },
  { email, password }: { email: string; password: string },
): Promise<Session> => {
  const profile = ok(await request(base, 'GET', `${api}/profile`, { token: pair.access_token }))
  return sessionOf({
    base,
    userId: profile.id,
    tenantId: profile.tenant_id,
    email,
    password,
    token: pair.access_token,
    refreshToken: pair.refresh_token,
  })
}

export const signIn = async (base: string, email: string, password: string): Promise<Session> => {
  const pair = ok(await request(base, 'POST', `${api}/auth/login`, { body: { email, password } }))
  return openedBy(base, pair, { email, password })
}

/** A service account that calls by a key. */
export interface Machine extends Session {
  keyId: number
}

/** Creates a service account in a tenant, and a key for it. `bounds` are fields of the key. */
export const addKey = async (
  admin: Session,
  tenantId: string,
  name: string,
  bounds: object = {},
): Promise<Machine> => {
  const tenant = { tenant: tenantId }
  const { id } = ok(await admin.call('POST', '/service-accounts', { name }, tenant))
  const body = { name: 'a proof', ...bounds }
  const key = ok(await admin.call('POST', `/service-accounts/${id}/keys`, body, tenant))
  const { base } = admin
  const caller = { base, userId: id, tenantId, email: '', password: '', token: key.secret, refreshToken: '' }
  return { ...sessionOf(caller), keyId: key.id }
}

let count = 0

/** Makes a name that no other proof or run uses. */
export const unique = (prefix: string): string =>
  `${prefix}${Date.now().toString(36)}${(count++).toString(36)}`

/** Creates a user in a tenant as `admin` and signs them in. */
export const newUser = async (admin: Session, tenantId = admin.tenantId): Promise<Session> => {
  const username = unique('prove')
  const body = { email: `${username}@example.com`, username, password: 'a proof of Tenantry' }
  ok(await admin.call('POST', '/users', body, { tenant: tenantId }))
  return signIn(admin.base, body.email, body.password)
}

export const roleId = async (admin: Session, tenantId: string, name: string): Promise<number> => {
  const roles: { id: number; name: string }[] = ok(
    await admin.call('GET', '/rbac/roles', undefined, { tenant: tenantId }),
  )
  const role = roles.find((one) => one.name === name)
  if (!role) throw new Error(`the tenant has no role ${name}`)
  return role.id
}

/** Creates a tenant and an administrator in it, who holds the system role `admin`. */
export const newTenant = async (root: Session): Promise<{ id: string; slug: string; admin: Session }> => {
  const slug = unique('prove')
  const { id } = ok(await root.call('POST', '/org/tenants', { name: `Proof ${slug}`, slug }))
  const admin = await newUser(root, id)
  const body = { role_id: await roleId(root, id, 'admin') }
  ok(await root.call('POST', `/rbac/users/${admin.userId}/roles`, body, { tenant: id }))
  return { id, slug, admin }
}
