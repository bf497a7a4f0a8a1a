/** Doors by which an administrator gives what they hold for two hours alone. */
import { newUser, ok, roleId, unique, type Answer, type Session } from '../../../lab/client.ts'
import { refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { idsOf } from '../escalation/stage.ts'
import { newAddress, password, unlessCode, type Stage } from '../people/stage.ts'
import type { Provider } from '../sso/provider.ts'
import { careful, codes, draftOf, inMinutes, newCompany, newRole, type Company } from './stage.ts'

interface Scene {
  company: Company
  /** An administrator for two hours. */
  giver: Session
  heir: Session
  /** A role that the heir does not hold, one that the heir holds for an hour, and one without permissions. */
  roles: { free: number; held: number; empty: number }
  /** A service account that holds a role. */
  account: number
  /** Ids of `user:read`. */
  permissions: number[]
}

const newScene = async (stage: Stage): Promise<Scene> => {
  const { root } = stage
  const company = await newCompany(stage)
  const { admin, id } = company
  const give = async (to: number, role: number, minutes?: number) => {
    const end = minutes === undefined ? {} : { expires_at: inMinutes(minutes) }
    ok(await admin.call('POST', `/rbac/users/${to}/roles`, { role_id: role, ...end }))
  }
  const giver = await careful(await newUser(root, id))
  await give(giver.userId, await roleId(root, id, 'admin'), 120)
  const heir = await newUser(root, id)
  const roles = {
    free: await newRole(stage, id, ['user:read']),
    held: await newRole(stage, id, ['user:read']),
    empty: await newRole(stage, id, []),
  }
  await give(heir.userId, roles.held, 60)
  const account = ok(await admin.call('POST', '/service-accounts', { name: unique('robot') })).id as number
  await give(account, roles.free)
  return { company, giver, heir, roles, account, permissions: idsOf(stage.permissions, ['user:read']) }
}

type Door = [what: string, method: string, path: string, body: object]

/** Gifts without an end, and beyond the end of the giver. */
const doorsOf = ({ heir, roles, account, permissions }: Scene, provider: Provider): Door[] => {
  const draft = draftOf(provider)
  const path = `/rbac/users/${heir.userId}`
  const later = { expires_at: inMinutes(180) }
  const eligible = { role_id: roles.free, max_minutes: 60 }
  const mapped = [{ group: 'staff', role_id: roles.free }]
  const parts = ['connection']
  return [
    ['a role', 'POST', `${path}/roles`, { role_id: roles.free }],
    ['a role for longer', 'POST', `${path}/roles`, { role_id: roles.free, ...later }],
    ['a later end', 'PUT', `${path}/roles/${roles.held}`, later],
    ['no end any more', 'PUT', `${path}/roles/${roles.held}`, { expires_at: null }],
    ['eligibility', 'POST', `${path}/eligible-roles`, eligible],
    ['eligibility for longer', 'POST', `${path}/eligible-roles`, { ...eligible, ...later }],
    ['permissions', 'PUT', `/rbac/roles/${roles.empty}/permissions`, { permission_ids: permissions }],
    ['holders', 'POST', `/rbac/roles/${roles.free}/users`, { user_ids: [heir.userId], held: true }],
    ["another's e-mail", 'PUT', `/users/${heir.userId}`, { email: newAddress() }],
    ['an invitation', 'POST', '/invitations', { email: newAddress(), role_ids: [roles.free] }],
    ['a key', 'POST', `/service-accounts/${account}/keys`, { name: 'a proof' }],
    ['a key for longer', 'POST', `/service-accounts/${account}/keys`, { name: 'a proof', ...later }],
    ['a connection', 'POST', '/connections', { ...draft, default_role_ids: [roles.free] }],
    ['a mapping', 'POST', '/connections', { ...draft, group_mappings: mapped }],
    ['a setup link', 'POST', '/setup-links', { email: newAddress(), parts, role_ids: [roles.free] }],
  ]
}

/** Gifts that end before their giver's authority. */
const lawful = ({ heir, roles, account }: Scene): Door[] => {
  const path = `/rbac/users/${heir.userId}`
  const sooner = { expires_at: inMinutes(90) }
  const invited = { email: newAddress(), role_ids: [roles.free], roles_expire_at: inMinutes(90) }
  return [
    ['a role', 'POST', `${path}/roles`, { role_id: roles.free, ...sooner }],
    ['a later end', 'PUT', `${path}/roles/${roles.held}`, sooner],
    ['eligibility', 'POST', `${path}/eligible-roles`, { role_id: roles.empty, max_minutes: 60, ...sooner }],
    ['an invitation', 'POST', '/invitations', invited],
    ['a key', 'POST', `/service-accounts/${account}/keys`, { name: 'a proof', ...sooner }],
  ]
}

/** A new user, who gets a permission by a template. */
const newcomers = async ({ root, urls }: Stage, { giver, permissions }: Scene): Promise<string[]> => {
  const body = { name: unique('starting'), permission_ids: permissions }
  const { id } = ok(await root.call('POST', '/rbac/role-templates', body))
  try {
    ok(await root.call('PUT', `/rbac/role-templates/${id}`, { given_to_new_users: true }))
    const breaches: string[] = []
    for (const url of urls) {
      const user = { email: newAddress(), username: unique('g'), password }
      const answer = await giver.at(url).call('POST', '/users', user)
      breaches.push(...unlessCode(`a new user at ${url}`, answer, codes.grantOutlastsOwn))
    }
    return breaches
  } finally {
    await root.call('DELETE', `/rbac/role-templates/${id}`)
  }
}

/** An import answers for each row. */
const imports = async ({ giver, roles }: Scene): Promise<string[]> => {
  const rows = [{ email: newAddress(), role_ids: [roles.free] }]
  const answer: Answer = await giver.call('POST', '/users/import', { rows })
  const { status, data } = answer
  return status === 200 && data.results[0].status === 'created'
    ? ['an import gives a role without an end']
    : []
}

const doors = async (stage: Stage, provider: Provider): Promise<string> => {
  const scene = await newScene(stage)
  const breaches: string[] = []
  const all = doorsOf(scene, provider)
  for (const url of stage.urls) {
    for (const [what, method, path, body] of all) {
      const answer = await scene.giver.at(url).call(method, path, body)
      breaches.push(...unlessCode(`${what} (${method} ${path}) at ${url}`, answer, codes.grantOutlastsOwn))
    }
  }
  breaches.push(...(await newcomers(stage, scene)), ...(await imports(scene)))
  for (const [what, method, path, body] of lawful(scene)) {
    const { status, text } = await scene.giver.call(method, path, body)
    if (status !== 200) breaches.push(`${what} with an earlier end is refused: ${text}`)
  }
  refuteNothing(breaches)
  return `${all.length + 2} doors at ${stage.urls.length} replicas; the same gifts with an earlier end pass`
}

export const proveGifts = async (stage: Stage, provider: Provider, record: Prove): Promise<void> => {
  await record('nobody gives longer than they hold, by any door', () => doors(stage, provider))
}
