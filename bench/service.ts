/** Starts Tenantry and sends requests to it. */
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { call, startServer, type Server } from './contender.ts'
import { email, seed } from './operations.ts'

const main = fileURLToPath(new URL('../server/bin/tenantry.js', import.meta.url))
export const api = '/api/v1'
export const rootEmail = 'root@example.com'

/** Runs on loopback without NODE_ENV: production refuses to start without request limits. */
export const startTenantry = (env: Record<string, string>): Promise<Server> =>
  startServer(
    (port) => ({
      program: process.execPath,
      // The same flag as in `npm start`.
      args: ['--max-semi-space-size=4', main, 'start'],
      cwd: tmpdir(), // has no .env file
      env: { PORT: String(port), LOG_LEVEL: 'warn', TENANTRY_RATE_LIMIT: 'off', ...env },
    }),
    '/healthz',
  )

export const adminEnv = { TENANTRY_ADMIN_EMAIL: rootEmail, TENANTRY_ADMIN_PASSWORD: seed.password }

export interface Caller {
  url: string
  headers: Record<string, string>
}

export const signIn = async (
  url: string,
  address: string,
): Promise<{ access_token: string; refresh_token: string }> =>
  (
    await call(url, `${api}/auth/login`, {
      method: 'POST',
      body: { email: address, password: seed.password },
    })
  ).json.data

export const asCaller = async (url: string, address: string, tenantId?: string): Promise<Caller> => ({
  url,
  headers: {
    authorization: `Bearer ${(await signIn(url, address)).access_token}`,
    ...(tenantId === undefined ? {} : { 'x-tenant-id': tenantId }),
  },
})

/** The same caller in another tenant. */
const inTenant = ({ url, headers }: Caller, tenantId: string): Caller => ({
  url,
  headers: { ...headers, 'x-tenant-id': tenantId },
})

export const post = async ({ url, headers }: Caller, path: string, body: unknown) =>
  (await call(url, `${api}${path}`, { method: 'POST', headers, body })).json.data

export const put = async ({ url, headers }: Caller, path: string, body: unknown) =>
  (await call(url, `${api}${path}`, { method: 'PUT', headers, body })).json.data

export const get = async ({ url, headers }: Caller, path: string) =>
  (await call(url, `${api}${path}`, { headers })).json.data

const systemRoleId = async (caller: Caller, name: string): Promise<number> => {
  const roles: { id: number; name: string }[] = await get(caller, '/rbac/roles')
  const role = roles.find((one) => one.name === name)
  if (!role) throw new Error(`the tenant has no role ${name}`)
  return role.id
}

/** Creates a tenant and its administrator through the API. */
export const createTenant = async (
  root: Caller,
  slug: string,
  callerName: string,
): Promise<{ id: string; callerId: number }> => {
  const { id }: { id: string } = await post(root, '/org/tenants', { name: slug, slug })
  const inside = inTenant(root, id)
  const caller = { email: email(callerName), username: callerName, password: seed.password }
  const { id: callerId } = await post(inside, '/users', caller)
  const roleId = await systemRoleId(inside, 'admin')
  await post(inside, `/rbac/users/${callerId}/roles`, { role_id: roleId })
  return { id, callerId }
}
