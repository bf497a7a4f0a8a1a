import { setTimeout as sleep } from 'node:timers/promises'
import { addRole, assign, refuteNothing, removeTenants } from '../../attack.ts'
import { readAuthority, replay } from '../../authority-log.ts'
import { newTenant, newUser, ok, roleId, unique, type Answer, type Session } from '../../../lab/client.ts'
import type { Prove } from '../../suite.ts'
import { idsOf, userWith, type Stage } from './stage.ts'

type Send = () => Promise<Answer>

/** Two requests. Each relies on a condition that the other one changes. */
interface Race {
  /** `gain` asks for a permission; `move` removes the condition that `gain` relies on. */
  gain: Send
  move: Send
}

/** The actors of a round, created before the replay starts. */
interface Round {
  stage: Stage
  clerk: Session
  clerkRole: number
  victim: Session
  /** A role without permissions. */
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
  'a user assigns themselves a role while it gains permissions': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.clerk), { role_id: round.role }),
    move: enrich(round),
  }),
  'a user assigns another user a role while it gains permissions': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.victim), { role_id: round.role }),
    move: enrich(round),
  }),
  'a user gives a role a permission while losing that permission': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}/permissions`, own(round)),
    move: strip(round),
  }),
  'a user assigns their role while losing it': (round) => ({
    gain: byClerk(round, 'POST', rolesOf(round.victim), { role_id: round.clerkRole }),
    move: strip(round),
  }),
  'a user disables another one who is being promoted': (round) => ({
    gain: byClerk(round, 'PUT', `/users/${round.victim.userId}`, { status: 0 }),
    move: promote(round),
  }),
  'a user deletes another one who is being promoted': (round) => ({
    gain: byClerk(round, 'DELETE', `/users/${round.victim.userId}`),
    move: promote(round),
  }),
  'a user deletes a role while it gains permissions': (round) => ({
    gain: byClerk(round, 'DELETE', `/rbac/roles/${round.role}`),
    move: enrich(round),
  }),
  'a user renames a role while it gains permissions': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}`, { name: unique('mine ') }),
    move: enrich(round),
  }),
  'a user replaces the permissions of a role while it gains permissions': (round) => ({
    gain: byClerk(round, 'PUT', `/rbac/roles/${round.role}/permissions`, own(round)),
    move: enrich(round),
  }),
}

/** Waits up to the duration of a request, so that either of two requests can come first. */
const headStart = () => sleep(Math.random() * 4)

/** Sends both requests at once; the one that gets a head start alternates. */
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
  return `${count} rounds (${outcomes}); the log of ${changes} changes replayed: each was lawful at its moment`
}

/** Runs in a tenant of its own: the replay follows every user of a tenant, and a tenant has limits. */
const proveRace = async (stage: Stage, make: (round: Round) => Race): Promise<string> => {
  const { id, admin } = await newTenant(stage.root)
  try {
    const adminRole = await roleId(stage.root, id, 'admin')
    return await raceIn({ ...stage, tenant: id, admin, adminRole }, make)
  } finally {
    await removeTenants(stage.root, [id])
  }
}

/** Many clients replace the permissions of one role: the outcome has to be one complete set. */
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

/** Sends the same change many times at once: one succeeds. */
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
    await prove(`no race gains a permission: ${what}`, () => proveRace(stage, make))
  }
  await prove('permission sets that are replaced at once do not mix', () => proveWholeSet(stage))
  await prove('many equal assignments or withdrawals at once take effect once', () => proveOnce(stage))
}
