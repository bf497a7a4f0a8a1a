/** The scopes of assistants: built-in permissions, which sessions of the resource `/mcp` can use. */
import { permissions, type PermissionCode } from './permissions.ts'

/** All that reads, as of the consent. */
export const readScope = 'mcp:read'

const reading = permissions.map(({ code }) => code).filter((code) => code.endsWith(':read'))

/** The permissions that the tools' operations need. A test compares them with the routes. */
const single = [
  'user:read',
  'role:read',
  'audit:read',
  'setting:read',
  'flag:read',
  'service_account:read',
  'webhook:read',
  'sso:read',
  'grant:read',
  'tenant:read',
  'dashboard:read',
  'user:create',
  'user:update',
  'user:delete',
  'role:create',
  'role:update',
  'role:delete',
  'role:assign',
  'setting:update',
  'setting:delete',
  'flag:manage',
  'tenant:update',
  'tenant:enter',
] as const satisfies PermissionCode[]

export const assistantScopes: readonly string[] = [readScope, ...single]

/** The permissions that scopes stand for. */
export const permissionsOf = (scopes: string[]): string[] => [
  ...new Set(scopes.flatMap((scope) => (scope === readScope ? reading : [scope]))),
]

interface Described {
  name: string
  description: string
}

const readsAll = 'Read what you may read in this organization, but no secrets'

const builtIn: ReadonlySet<string> = new Set(permissions.map(({ code }) => code))

/** A scope in words, for the consent. */
export const describeScope = (code: string, permission: Described | undefined) => ({
  name: permission?.name ?? (code === readScope ? readsAll : code),
  description: permission?.description ?? '',
  is_change: builtIn.has(code) && !code.endsWith(':read'),
})
