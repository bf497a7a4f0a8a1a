import { setTimeout as sleep } from 'node:timers/promises'
import { addRole, assign, refuteNothing, removeTenants } from '../attack.ts'
import { readAuthority, replay } from '../authority-log.ts'
import { newTenant, newUser, ok, roleId, unique, type Answer, type Session } from '../client.ts'
import type { Prove } from '../suite.ts'
import { idsOf, userWith, type Stage } from './escalation-stage.ts'

type Send = () => Promise<Answer>

/** Two requests that must not both rely on what the other one changes. */
interface Race {
  /** The one that would gain something, and the one that moves the ground under it. */
  gain: Send
  move: Send
}

/** The actors of a round, made before the log is followed. */
interface Round {
  stage: Stage
  clerk: Session
  clerkRole: number
  victim: Session
  /** Without permissions. */
  role: number
}

const newRound = async (stage: Stage): Promise<Round> => {
  const { root, tenant, permissions } = stage
  const codes = [
    'user:read',
    'user:update',
    'user:delete',
    'role:read',
    'role:update',
    'role:delete',
    'role:assign',
  ]
  const { user: clerk, role: clerkRole } = await userWith(root, tenant, idsOf(permissions, codes))
  const victim = await newUser(root, tenant)
  const role = await addRole(root, tenant, { name: unique('race '), permissions: [] })
  return { stage, clerk, clerkRole, victim, role }
}

const higher = ({ stage: { permissions } }: Round) => ({ permission_ids: idsOf(permissions, ['audit:read']) })

const own = ({ stage: { permissions } }: Round) => ({ permission_ids: idsOf(permissions, ['user:delete']) })

const byAdmin =
  ({ stage }: Round, method: string, path: string, body?: unknown) =>
  () =>
    stage.admin.call(method, path, body)
const byClerk =
  ({ clerk }: Round, method: string, path: string, body?: unknown) =>
  () =>
    clerk.call(method, path, body)

const rolesOf = ({ userId }: Session) => `/rbac/users/${userId}/roles`

const promote = (round: Round): Send =>
  byAdmin(round, 'POST', rolesOf(round.victim), { role_id: round.stage.adminRole })
const enrich = (round: Round): Send =>
  byAdmin(round, 'PUT', `/rbac/roles/${round.role}/permissions`, higher(round))
const strip = (round: Round): Send => byAdmin(round, 'DELETE', `${rolesOf(round.clerk)}/${round.clerkRole}`)

const races: Record<string, (round: Round) => Race> = {
  'assigning a role to oneself while it is given more': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.clerk), { role_id: round.role }),
    move: enrich(round),
  }),
  'assigning a role to another one while it is given more': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.victim), { role_id: round.role }),
    move: enrich(round),
  }),
  'putting a permission into a role while losing it': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}/permissions`, own(round)),
    move: strip(round),
  }),
  'assigning the own role while losing it': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.victim), { role_id: round.clerkRole }),
    move: strip(round),
  }),
  'disabling a user who is being promoted': (round) => ({
    gain: byClerk(round, 'PUT', `/users/${round.victim.userId}`, { status: 0 }),
    move: promote(round),
  }),
  'deleting a user who is being promoted': (round) => ({
    gain: byClerk(round, 'DELETE', `/users/${round.victim.userId}`),
    move: promote(round),
  }),
  'deleting a role that is given more': (round) => ({
    gain: byClerk(round, 'DELETE', `/rbac/roles/${round.role}`),
    move: enrich(round),
  }),
  'renaming a role that is given more': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}`, { name: unique('mine ') }),
    move: enrich(round),
  }),
  'replacing the permissions of a role that is given more': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}/permissions`, own(round)),
    move: enrich(round),
  }),
}

/** Up to as long as a request takes: which of the two comes first is to be a matter of chance. */
const headStart = () => sleep(Math.random() * 4)

/** Both at once, now the one, now the other a little ahead. */
const runOnce = async ({ gain, move }: Race, order: number): Promise<string> => {
  const [first, second] = order % 2 === 0 ? [gain, move] : [move, gain]
  const answers = await Promise.all([first(), headStart().then(second)])
  const statuses = (order % 2 === 0 ? answers : answers.toReversed()).map(({ status }) => status)
  if (statuses.some((status) => status >= 500)) throw new Error(`answers ${statuses.join()}`)
  return statuses.join(' and ')
}

const raceIn = async (stage: Stage, make: (round: Round) => Race): Promise<string> => {
  const count = stage.target.short ? 12 : 60
  const rounds = await Promise.all(Array.from({ length: count }, () => newRound(stage)))
  const before = await readAuthority(stage.root, stage.tenant)
  const seen = new Map<string, number>()
  for (const [order, round] of rounds.entries()) {
    const statuses = await runOnce(make(round), order)
    seen.set(statuses, (seen.get(statuses) ?? 0) + 1)
  }
  const { breaches, changes } = await replay(stage.root, before)
  refuteNothing(breaches)
  const outcomes = [...seen].map(([statuses, times]) => `${statuses} ${times}×`).join(', ')
  return `${count} rounds (${outcomes}); the log of ${changes} changes replayed: each was lawful at its turn`
}

/** In a tenant of its own: the replay follows everyone in it, and tenants have limits. */
const proveRace = async (stage: Stage, make: (round: Round) => Race): Promise<string> => {
  const { id, admin } = await newTenant(stage.root)
  try {
    const adminRole = await roleId(stage.root, id, 'admin')
    return await raceIn({ ...stage, tenant: id, admin, adminRole }, make)
  } finally {
    await removeTenants(stage.root, [id])
  }
}

/** Many clients replace one role's set: the outcome is one of the sets, whole. */
const proveWholeSet = async ({ root, tenant, target, permissions, emptyRole }: Stage): Promise<string> => {
  const sets = [
    ['user:read'],
    ['user:read', 'audit:read'],
    ['setting:read', 'setting:update', 'audit:read'],
    [],
  ]
  const wanted = new Set(sets.map((codes) => codes.toSorted().join()))
  const rounds = target.short ? 10 : 50
  for (let round = 0; round < rounds; round += 1) {
    const path = `/rbac/roles/${emptyRole}/permissions`
    await Promise.all(
      [...sets, ...sets].map(async (codes) =>
        ok(await root.call('PUT', path, { permission_ids: idsOf(permissions, codes) }, { tenant })),
      ),
    )
    const now: { code: string }[] = ok(await root.call('GET', path, undefined, { tenant }))
    const codes = now
      .map(({ code }) => code)
      .toSorted()
      .join()
    if (!wanted.has(codes)) throw new Error(`the role carries ${codes}`)
  }
  ok(await root.call('PUT', `/rbac/roles/${emptyRole}/permissions`, { permission_ids: [] }, { tenant }))
  return `${rounds} rounds of ${sets.length * 2} at once`
}

/** The same change many times at once happens once. */
const proveOnce = async ({ admin, root, tenant, emptyRole, target }: Stage): Promise<string> => {
  const rounds = target.short ? 5 : 25
  for (let round = 0; round < rounds; round += 1) {
    const { userId } = await newUser(root, tenant)
    const path = `/rbac/users/${userId}/roles`
    const given = await Promise.all(
      Array.from({ length: 8 }, () => admin.call('POST', path, { role_id: emptyRole })),
    )
    const taken = await Promise.all(
      Array.from({ length: 8 }, () => admin.call('DELETE', `${path}/${emptyRole}`)),
    )
    const counted = [given, taken].map((answers) =>
      answers
        .map(({ status }) => String(status))
        .toSorted()
        .join(),
    )
    if (counted.join(' ') !== `200${',409'.repeat(7)} 200${',404'.repeat(7)}`) {
      throw new Error(`answers ${counted.join('; ')}`)
    }
    await assign(root, tenant, userId, emptyRole)
  }
  return `${rounds} × 8 assignments and 8 withdrawals at once: one of each succeeds`
}

export const proveRaces = async (stage: Stage, prove: Prove): Promise<void> => {
  for (const [what, make] of Object.entries(races)) {
    await prove(`two requests at once gain nothing: ${what}`, () => proveRace(stage, make))
  }
  await prove('permission sets replaced at once do not mix', () => proveWholeSet(stage))
  await prove('a role assigned or taken many times at once is assigned or taken once', () => proveOnce(stage))
}
