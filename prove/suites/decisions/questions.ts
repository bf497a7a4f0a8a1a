import { patiently } from '../../attack.ts'
import { ok, type Answer, type Session } from '../../../lab/client.ts'
import { knock } from '../../knock.ts'
import { chosen, type Combination } from './plan.ts'
import type { Person, State, Tenant, World } from './world.ts'

interface Question {
  person: Person
  permission: string
}

/** Whether the user's own token really opens an operation that needs the permission. */
const isOpen = async ({ guarded }: World, state: State, { person, permission }: Question) => {
  const operation = guarded.get(permission)
  if (!operation) return state.held.get(person.session.userId)?.includes(permission) ?? false
  const { status } = await knock(person.session, operation)
  return status !== 401 && status !== 403
}

interface Explanation {
  allowed: boolean
  reason: string
  roles: { id: number }[]
}

const reasonOf = (state: State, tenant: Tenant, { session }: Person, isAllowed: boolean): string => {
  if (state.statuses.get(session.userId) !== 1) return 'user_disabled'
  if (!tenant.isEnabled) return 'tenant_disabled'
  return isAllowed ? 'granted' : 'not_granted'
}

/** The roles of the user that carry the permission, by the list of the user's roles. */
const rolesOf = (roles: Answer, permission: string): number[] =>
  (ok(roles) as { id: number; permissions: { code: string }[] }[])
    .filter(({ permissions }) => permissions.some(({ code }) => code === permission))
    .map(({ id }) => id)

const sorted = (ids: number[]) => ids.toSorted((a, b) => a - b).join()

const ask = async (by: Session, tenant: string, { person, permission }: Question) => {
  const user_id = person.session.userId
  const call = (method: string, path: string, body?: object) =>
    patiently(() => by.call(method, path, body, { tenant }))
  const [check, explanation, list, roles] = await Promise.all([
    call('POST', '/authz/check', { user_id, permissions: [permission] }),
    call('POST', '/authz/explain', { user_id, permission }),
    call('GET', `/authz/permissions?user_id=${user_id}`),
    call('GET', `/rbac/users/${user_id}/roles`),
  ])
  return {
    check: ok(check).allowed as boolean,
    explanation: ok(explanation) as Explanation,
    listed: ok(list).permissions as string[],
    carrying: rolesOf(roles, permission),
  }
}

/** Asks about a user in three ways, and compares with the truth. Returns the breaches, and the reason as evidence. */
export const proveQuestions = async (
  world: World,
  tenant: Tenant,
  state: State,
  { user, permission: number, asker }: Combination,
): Promise<{ breaches: string[]; reason: string }> => {
  const codes = [...world.codes.keys(), ...world.codes.keys(), ...world.platformCodes.keys()]
  const question = { person: chosen(tenant.people, user), permission: chosen(codes, number) }
  const by = tenant.isEnabled ? chosen([tenant.admin.session, world.root], asker) : world.root
  const { check, explanation, listed, carrying } = await ask(by, tenant.id, question)
  const { person, permission } = question
  const isAllowed = await isOpen(world, state, question)
  const reason = reasonOf(state, tenant, person, isAllowed)
  const held = state.held.get(person.session.userId) ?? []
  const pairs: [string, unknown, unknown][] = [
    ['check', check, isAllowed],
    ['explain', explanation.allowed, isAllowed],
    ['reason', explanation.reason, reason],
    ['roles', sorted(explanation.roles.map(({ id }) => id)), sorted(carrying)],
    ['list', listed.join(), held.join()],
  ]
  const breaches = pairs
    .filter(([, said, real]) => said !== real)
    .map(([what, said, real]) => `${what} about ${permission} says ${String(said)}, not ${String(real)}`)
  return { breaches, reason }
}
