import { addRole, assign, permissionIds } from '../../attack.ts'
import {
  addKey,
  newTenant,
  newUser,
  ok,
  roleId,
  unique,
  type Machine,
  type Session,
} from '../../../lab/client.ts'
import type { Target } from '../../target.ts'

/** A user manager holds all permissions about users and roles and no others. */
const clerkCodes = [
  'user:read',
  'user:create',
  'user:update',
  'user:delete',
  'role:read',
  'role:create',
  'role:update',
  'role:delete',
  'role:assign',
  'dashboard:read',
]

/** A tenant in which a user manager tries to gain permissions. */
export interface Stage {
  target: Target
  root: Session
  tenant: string
  otherTenant: string
  admin: Session
  /** The user manager. */
  clerk: Session
  clerkRole: number
  /** Holds `sso:manage`, and little else. */
  gatekeeper: Session
  member: Session
  /** `higherRole` carries a permission that the clerk lacks; `emptyRole` carries none. */
  higherRole: number
  emptyRole: number
  /** The tenant's system role `admin`. */
  adminRole: number
  builtIn: string
  platformRole: number
  /** Ids of all permissions by code, from the catalogue of the built-in tenant. */
  permissions: Map<string, number>
}

export const idsOf = (permissions: Map<string, number>, codes: string[]): number[] =>
  codes.map((code) => {
    const id = permissions.get(code)
    if (id === undefined) throw new Error(`the catalogue has no ${code}`)
    return id
  })

/** Creates a user whose own role carries exactly these permissions, besides the starting role. */
export const userWith = async (root: Session, tenant: string, permissions: number[]) => {
  const role = await addRole(root, tenant, { name: unique('proof '), permissions })
  const user = await newUser(root, tenant)
  await assign(root, tenant, user.userId, role)
  return { user, role }
}

/** Creates a service account whose one role carries exactly these permissions, and a key of it. */
export const machineWith = async (
  root: Session,
  tenant: string,
  permissions: number[],
  bounds: object = {},
): Promise<{ user: Machine; role: number }> => {
  const user = await addKey(root, tenant, unique('machine'), bounds)
  const role = await addRole(root, tenant, { name: unique('machine '), permissions })
  await assign(root, tenant, user.userId, role)
  return { user, role }
}

export const openStage = async (target: Target): Promise<Stage> => {
  const { root } = target
  const { id: tenant, admin } = await newTenant(root)
  const other = await newTenant(root)
  const builtIn = root.tenantId
  const permissions = await permissionIds(root, builtIn)
  const { user: clerk, role: clerkRole } = await userWith(root, tenant, idsOf(permissions, clerkCodes))
  return {
    target,
    root,
    tenant,
    otherTenant: other.id,
    admin,
    clerk,
    clerkRole,
    gatekeeper: (await userWith(root, tenant, idsOf(permissions, ['sso:manage']))).user,
    builtIn,
    permissions,
    member: await newUser(root, tenant),
    higherRole: await addRole(root, tenant, {
      name: 'higher',
      permissions: idsOf(permissions, ['setting:update']),
    }),
    emptyRole: await addRole(root, tenant, { name: 'empty', permissions: [] }),
    adminRole: await roleId(root, tenant, 'admin'),
    platformRole: await roleId(root, builtIn, 'platform-admin'),
  }
}

/** Returns the codes that a user holds, read by a platform administrator. */
export const heldCodes = async (root: Session, tenant: string, userId: number): Promise<string[]> => {
  const roles: { permissions: { code: string }[] }[] = ok(
    await root.call('GET', `/rbac/users/${userId}/roles`, undefined, { tenant }),
  )
  return [...new Set(roles.flatMap(({ permissions }) => permissions.map(({ code }) => code)))].toSorted()
}
