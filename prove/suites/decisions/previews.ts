import { patiently } from '../../attack.ts'
import { askPreview, makeChange, type Change } from '../../changes.ts'
import { ok, type Answer, type Session } from '../../../lab/client.ts'
import { chosen, type Combination, type PlannedChange } from './plan.ts'
import { readState, type State, type Tenant, type World } from './world.ts'

/** Ids of nothing. */
const nobody = 1e15
const unknownPermission = 999

/** Mostly users of the tenant; also a service account, a user of another tenant, and nobody. */
const userOf = ({ tenants }: World, tenant: Tenant, number: number): number => {
  const foreign = chosen(tenants, tenants.indexOf(tenant) + 1).admin.session.userId
  const people = tenant.people.map(({ session }) => session.userId)
  return chosen([...people, ...people, ...people, tenant.machine.session.userId, foreign, nobody], number)
}

const idsOf = (roles: State['roles']): number[] => roles.map(({ id }) => id)

const anyRole = ({ roles }: State, number: number): number => chosen([...idsOf(roles), nobody], number)

/**
 * Mostly own roles: tenants cannot change the others. The platform can change templates, which would reach into the
 * combinations of other tenants.
 */
const roleToChange = ({ roles }: State, number: number, isByPlatform: boolean): number => {
  const own = idsOf(roles.filter(({ is_system }) => !is_system))
  const others = isByPlatform ? [] : idsOf(roles)
  return chosen([...own, ...own, ...own, ...own, ...others, nobody], number)
}

const permissionsOf = ({ codes, platformCodes }: World, numbers: number[]): number[] => {
  const ids = [...codes.values()]
  const [platformOnly = unknownPermission] = platformCodes.values()
  const all = [...ids, ...ids, platformOnly, unknownPermission]
  return numbers.map((number) => chosen(all, number))
}

const changeOf = (
  world: World,
  { tenant, by }: { tenant: Tenant; by: Session },
  state: State,
  planned: PlannedChange,
): Change => {
  const isByPlatform = by === world.root
  const { kind, user, role, permissions, status } = planned
  switch (kind) {
    case 'replace_permissions':
      return {
        kind,
        role_id: roleToChange(state, role, isByPlatform),
        permission_ids: permissionsOf(world, permissions),
      }
    case 'assign_role':
    case 'unassign_role':
      return { kind, user_id: userOf(world, tenant, user), role_id: anyRole(state, role) }
    case 'delete_role':
      return { kind, role_id: roleToChange(state, role, isByPlatform) }
    case 'set_user_status':
      return { kind, user_id: userOf(world, tenant, user), status }
  }
}

const callerOf = ({ root }: World, { isEnabled, admin, clerk, people }: Tenant, caller: number): Session => {
  if (!isEnabled) return root
  const plain = chosen(people, Math.floor(caller / 10)).session
  const often = [admin, admin, admin, admin, clerk, clerk, clerk].map(({ session }) => session)
  return chosen([...often, root, plain], caller)
}

interface Effect {
  user_id: number
  username: string
  permissions: string[]
}

interface Said {
  gains: Effect[]
  losses: Effect[]
  affected_users: number
  refused: { index: number; error: { code: number; message: string } } | null
}

const effectsOf = ({ people, machine }: Tenant, from: State, to: State): Effect[] =>
  [...people, machine]
    .map(({ session: { userId }, username }) => {
      const had = new Set(from.held.get(userId))
      const permissions = (to.held.get(userId) ?? []).filter((code) => !had.has(code))
      return { user_id: userId, username, permissions }
    })
    .filter(({ permissions }) => permissions.length > 0)
    .toSorted((a, b) => a.user_id - b.user_id)

/** The answer that the preview has to give, from those of the real requests and the states around them. */
const realOutcome = (tenant: Tenant, answers: Answer[], before: State, after: State): Said => {
  const index = answers.findIndex(({ status }) => status !== 200)
  const refusal = answers[index]
  if (refusal) {
    const { code, message } = refusal.body as { code: number; message: string }
    return { gains: [], losses: [], affected_users: 0, refused: { index, error: { code, message } } }
  }
  const [gains, losses] = [effectsOf(tenant, before, after), effectsOf(tenant, after, before)]
  const affected = new Set([...gains, ...losses].map(({ user_id }) => user_id))
  return { gains, losses, affected_users: affected.size, refused: null }
}

/** Makes the changes one after the other, up to the first one that is refused. */
const makeAll = async (by: Session, changes: Change[], tenant: string): Promise<Answer[]> => {
  const answers: Answer[] = []
  for (const change of changes) {
    const answer = await makeChange(by, change, tenant)
    answers.push(answer)
    if (answer.status !== 200) break
  }
  return answers
}

const newestRecord = async ({ root }: World, { id }: Tenant): Promise<number> => {
  const path = '/audit/logs?page_size=1'
  const { items } = ok(await patiently(() => root.call('GET', path, undefined, { tenant: id })))
  return (items as { id: number }[])[0]?.id ?? 0
}

const textOf = ({ held, statuses, roles }: State): string => JSON.stringify([[...held], [...statuses], roles])

const mayPreview = ({ root }: World, { held }: State, by: Session): boolean =>
  by === root || ['user:read', 'role:read'].every((code) => held.get(by.userId)?.includes(code))

export interface Compared {
  breaches: string[]
  /** The kinds of the changes that were really made. */
  kinds: string[]
  /** The error of the change that was refused. */
  refused: number | undefined
  affected: number
  after: State
}

/** Users whom a change disabled have to sign in again, also when a later change enables them. */
const noteSignedOut = ({ people }: Tenant, made: Change[]): void => {
  const ended = made.flatMap((one) =>
    one.kind === 'set_user_status' && one.status === 0 ? [one.user_id] : [],
  )
  for (const person of people) if (ended.includes(person.session.userId)) person.isSignedOut = true
}

interface Attempt {
  by: Session
  changes: Change[]
  /** The answer of the preview. */
  preview: Answer
}

const textOfAttempt = ({ by, changes }: Attempt): string => `${by.userId} ${JSON.stringify(changes)}`

/** Makes the changes by the caller of the preview, and compares. */
const compare = async (
  world: World,
  tenant: Tenant,
  before: State,
  { by, changes, preview }: Attempt,
): Promise<Compared> => {
  const answers = await makeAll(by, changes, tenant.id)
  noteSignedOut(tenant, changes.slice(0, answers.filter(({ status }) => status === 200).length))
  const after = await readState(world, tenant)
  const real = realOutcome(tenant, answers, before, after)
  const [said, done] = [JSON.stringify(ok(preview)), JSON.stringify(real)]
  const { refused, affected_users: affected } = real
  const made = changes.slice(0, refused?.index ?? changes.length)
  return {
    breaches: said === done ? [] : [`says ${said} and does ${done}`],
    kinds: made.map(({ kind }) => kind),
    refused: refused?.error.code,
    affected,
    after,
  }
}

/** Asks a preview, sees that it changed nothing, makes the changes by the same caller, and compares. */
export const provePreview = async (
  world: World,
  tenant: Tenant,
  before: State,
  { caller, changes: planned }: Combination,
): Promise<Compared> => {
  const by = callerOf(world, tenant, caller)
  const changes = planned.map((one) => changeOf(world, { tenant, by }, before, one))
  const newest = await newestRecord(world, tenant)
  const attempt = { by, changes, preview: await askPreview(by, changes, tenant.id) }
  const breaches: string[] = []
  if ((await newestRecord(world, tenant)) !== newest) breaches.push('leaves a record')
  if (textOf(await readState(world, tenant)) !== textOf(before)) breaches.push('changes something')
  const compared = mayPreview(world, before, by)
    ? await compare(world, tenant, before, attempt)
    : refusedWhole(attempt, before)
  const all = [...breaches, ...compared.breaches]
  return { ...compared, breaches: all.map((breach) => `the preview of ${textOfAttempt(attempt)} ${breach}`) }
}

/** The caller may not ask for previews, so nothing is made. */
const refusedWhole = ({ preview }: Attempt, after: State): Compared => {
  const isRefused = preview.status === 403 || preview.status === 401
  const breaches = isRefused ? [] : [`answers ${preview.text.slice(0, 200)}`]
  return { breaches, kinds: [], refused: undefined, affected: 0, after }
}
