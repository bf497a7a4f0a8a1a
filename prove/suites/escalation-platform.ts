import { ask, patiently, refuteNothing } from '../attack.ts'
import { ok, request, signIn, unique, type Answer, type Session } from '../client.ts'
import { readOperations, requestOf, type Ids, type Operation } from '../operations.ts'
import type { Prove } from '../suite.ts'
import { contractPermission } from './escalation-permissions.ts'
import { heldCodes, userWith, type Stage } from './escalation-stage.ts'

const password = 'a proof of Tenantry'

/** What somebody would like to set of a user, a role or a tenant, and no schema lists. */
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
      throw new Error(`changed another one: ${JSON.stringify(changed)}`)
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

/** Open registration joins the built-in tenant as a member, whatever the body wishes. Returns what was seen. */
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
  return `${Object.keys(wishes(stage)).length} fields in the bodies for users, roles, passwords: without effect; ${await registerWishing(stage)}`
}

/** A user of the built-in tenant with all permissions but one, and their role. */
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

/** One permission short of everything: not a platform administrator, by no door, and in no other tenant. */
const proveAlmost = async (stage: Stage): Promise<string> => {
  const made = await almostAll(stage, 'audit:read')
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
  await prove('fields that no schema lists give nobody anything', () => proveMassAssignment(stage))
  await prove('whoever lacks one permission does not become platform administrator', () => proveAlmost(stage))
}

const none: Ids = {
  user: 1e15,
  role: 1e15,
  notification: 1e15,
  auditLog: 1e15,
  tenant: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b',
  key: 'prove.none',
  text: 'x',
  permission: 1e15,
  globalKey: 'prove.none',
}

const isRefusedFor = ({ status, body }: Answer, code: string): boolean =>
  status === 403 && String(body?.message).includes(code)

/** Asks for an operation with ids of nothing: what it answers tells whether the caller got past its door. */
const knock = (stage: Stage, by: Session, operation: Operation): Promise<Answer> => {
  const { method, path } = requestOf(operation, new Map(operation.places.map((place) => [place, none])))
  // A body that is none: nothing changes for those who may.
  const body = operation.body === undefined ? undefined : []
  return patiently(() =>
    request(stage.target.url, method, path, { token: by.token, tenant: by.tenantId, body }),
  )
}

const knockEverywhere = async (stage: Stage, code: string, operations: Operation[]): Promise<string[]> => {
  const without = await almostAll(stage, code)
  const only = await userWith(stage.root, stage.builtIn, [stage.permissions.get(code) ?? 0])
  const breaches: string[] = []
  try {
    for (const operation of operations) {
      const isNeeded = operation.permission === code
      if (operation.permission === 'caller') continue
      const [lacking, holding] = [
        await knock(stage, without.user, operation),
        await knock(stage, only.user, operation),
      ]
      const what = `${operation.method} ${operation.path}`
      if (isRefusedFor(lacking, operation.permission) !== isNeeded) {
        breaches.push(`${what} without ${code} answers ${lacking.status}`)
      }
      const opens = isNeeded || operation.permission === 'dashboard:read'
      if (isRefusedFor(holding, operation.permission) === opens) {
        breaches.push(`${what} with only ${code} answers ${holding.status}`)
      }
    }
  } finally {
    await removeFromBuiltIn(stage, without)
    await removeFromBuiltIn(stage, only)
  }
  return breaches
}

/** Every new user is a member and so holds dashboard:read: that one cannot be taken away, and is left out. */
const proveEach = async (stage: Stage): Promise<string> => {
  const described = await readOperations(stage.target.url)
  const operations = described.map((one) => ({ ...one, permission: contractPermission(one) ?? 'unknown' }))
  const unknown = operations.filter(({ permission }) => permission === 'unknown')
  refuteNothing(unknown.map(({ method, path }) => `${method} ${path} is not in escalation-permissions.ts`))
  const needing = operations.filter(({ permission }) => permission !== 'caller')
  const codes = [...stage.permissions.keys()].filter((code) => code !== 'dashboard:read')
  const breaches: string[] = []
  for (const code of codes) breaches.push(...(await knockEverywhere(stage, code, operations)))
  refuteNothing(breaches)
  return `${needing.length} operations × ${codes.length} permissions, for one who has all but that one, and one who has only it`
}

export const proveMatrix = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('every operation asks for exactly the permission that the contract names', () =>
    proveEach(stage),
  )
}
