import { ask, patiently } from '../../attack.ts'
import { ok, signIn, unique, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { heldCodes, userWith, type Stage } from './stage.ts'

const password = 'a proof of Tenantry'

/** Fields of a user, role or tenant that no schema lists and an attacker would like to set. */
const wishes = ({ adminRole, platformRole, builtIn, permissions, root }: Stage) => ({
  id: root.userId,
  user_id: root.userId,
  tenant_id: builtIn,
  role: 'platform-admin',
  role_id: platformRole,
  role_ids: [adminRole, platformRole],
  roles: [{ id: adminRole }, 'platform-admin'],
  permissions: [{ id: 1, code: 'audit:read' }],
  permission_ids: [...permissions.values()],
  is_system: true,
  is_admin: true,
  is_platform_admin: true,
  isPlatformAdmin: true,
  account_id: 1,
  password_hash: 'x',
  last_login: '2000-01-01T00:00:00.000Z',
})

const newNames = () => {
  const username = unique('prove')
  return { email: `${username}@example.com`, username, password }
}

const requireCodes = async (
  stage: Stage,
  tenant: string,
  userId: number,
  expected: string,
): Promise<void> => {
  const codes = (await heldCodes(stage.root, tenant, userId)).join()
  if (codes !== expected) throw new Error(`user ${userId} holds ${codes}, not ${expected}`)
}

const createWishing = async (stage: Stage): Promise<void> => {
  const { clerk, tenant } = stage
  const user = ok(await clerk.call('POST', '/users', { ...newNames(), ...wishes(stage) }))
  if (user.tenant_id !== tenant || user.id === stage.root.userId) {
    throw new Error(`created elsewhere: ${JSON.stringify(user)}`)
  }
  await requireCodes(stage, tenant, user.id, 'dashboard:read')
  for (const id of [user.id, clerk.userId]) {
    const before = (await heldCodes(stage.root, tenant, id)).join()
    const changed = ok(await clerk.call('PUT', `/users/${id}`, { nickname: 'new', ...wishes(stage) }))
    if (changed.id !== id || changed.tenant_id !== tenant) {
      throw new Error(`changed another user: ${JSON.stringify(changed)}`)
    }
    await requireCodes(stage, tenant, id, before)
  }
  ok(await clerk.call('DELETE', `/users/${user.id}`))
}

const roleWishing = async (stage: Stage): Promise<void> => {
  const { clerk, tenant } = stage
  const made = ok(await clerk.call('POST', '/rbac/roles', { name: unique('wish '), ...wishes(stage) }))
  const { id } = made
  for (const role of [
    made,
    ok(await clerk.call('PUT', `/rbac/roles/${id}`, { description: 'new', ...wishes(stage) })),
  ]) {
    const isPlain =
      role.id === id && role.tenant_id === tenant && role.is_system === false && role.permissions.length === 0
    if (!isPlain) throw new Error(`the role became ${JSON.stringify(role)}`)
  }
  ok(await clerk.call('DELETE', `/rbac/roles/${id}`))
}

/**
 * Registers with extra fields in the body: the account has to join the built-in tenant as a member. Returns the
 * evidence.
 */
const registerWishing = async (stage: Stage): Promise<string> => {
  const { root, target, builtIn } = stage
  const names = newNames()
  const answer = await ask(target.url, 'POST', '/api/v1/auth/register', {
    body: { ...names, ...wishes(stage), status: 0 },
  })
  if (answer.status === 403) return 'registration is closed'
  ok(answer)
  const { userId, tenantId } = await signIn(target.url, names.email, password)
  try {
    if (tenantId !== builtIn || userId === root.userId) throw new Error('registered elsewhere')
    await requireCodes(stage, builtIn, userId, 'dashboard:read')
  } finally {
    ok(await root.call('DELETE', `/users/${userId}`))
  }
  return 'a registered account is a member'
}

const proveMassAssignment = async (stage: Stage): Promise<string> => {
  await createWishing(stage)
  await roleWishing(stage)
  const { member, clerk } = stage
  const change = { old_password: password, new_password: password, user_id: clerk.userId, email: clerk.email }
  ok(await member.call('POST', '/password', change))
  ok(await clerk.call('GET', '/profile'))
  return `${Object.keys(wishes(stage)).length} fields in the bodies for users, roles, passwords: no effect; ${await registerWishing(stage)}`
}

/** Creates a user of the built-in tenant with all permissions but one, and the role that carries them. */
const almostAll = (stage: Stage, missing: string) =>
  userWith(
    stage.root,
    stage.builtIn,
    [...stage.permissions].filter(([code]) => code !== missing).map(([, id]) => id),
  )

const attemptsOf = (
  { builtIn, platformRole, root }: Stage,
  { userId }: Session,
): [string, string, unknown, number][] => [
  ['POST', `/rbac/users/${userId}/roles`, { role_id: platformRole }, 403],
  ['PUT', `/users/${root.userId}`, { status: 0 }, 403],
  ['PUT', `/users/${root.userId}`, { email: 'taken.over@example.com' }, 403],
  ['DELETE', `/users/${root.userId}`, undefined, 403],
  ['DELETE', `/rbac/users/${root.userId}/roles/${platformRole}`, undefined, 403],
  ['DELETE', `/rbac/roles/${platformRole}`, undefined, 403],
  ['PUT', `/org/tenants/${builtIn}`, { status: 0 }, 400],
  ['PUT', `/org/tenants/${builtIn}`, { slug: 'other' }, 400],
  ['DELETE', `/org/tenants/${builtIn}`, undefined, 400],
]

const removeFromBuiltIn = async (
  { root }: Stage,
  { user, role }: { user: Session; role: number },
): Promise<void> => {
  await patiently(() => root.call('DELETE', `/users/${user.userId}`))
  await patiently(() => root.call('DELETE', `/rbac/roles/${role}`))
}

/** A user who lacks one permission is no platform administrator, by no operation and in no tenant. */
const proveAlmost = async (stage: Stage): Promise<string> => {
  const made = await almostAll(stage, 'tenant:enter')
  const { user } = made
  try {
    const attempts = attemptsOf(stage, user)
    for (const [method, path, body, expected] of attempts) {
      const { status, text } = await user.call(method, path, body)
      if (status !== expected) throw new Error(`${method} ${path} answers ${status} ${text}`)
    }
    const elsewhere = await user.call('GET', '/users', undefined, { tenant: stage.tenant })
    if (elsewhere.status !== 403) throw new Error(`another tenant's users answer ${elsewhere.status}`)
    ok(await stage.root.call('GET', '/org/tenants'))
    return `${attempts.length + 1} attempts refused to a user of the built-in tenant with ${stage.permissions.size - 1} of ${stage.permissions.size} permissions`
  } finally {
    await removeFromBuiltIn(stage, made)
  }
}

export const provePlatform = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('fields that no schema lists have no effect', () => proveMassAssignment(stage))
  await prove('a user who lacks one permission does not become platform administrator', () =>
    proveAlmost(stage),
  )
}
