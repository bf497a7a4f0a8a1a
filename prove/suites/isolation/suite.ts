import { refuteNothing } from '../../attack.ts'
import { newTenant, ok, unique, type Session } from '../../../lab/client.ts'
import { readOperations, type Operation } from '../../operations.ts'
import type { Prove, Suite } from '../../suite.ts'
import type { Target } from '../../target.ts'
import { proveDatabase } from './database.ts'
import { proveDecisions } from './decisions.ts'
import { proveIds, proveOwn, smuggled } from './ids.ts'
import { proveSessions } from './sessions.ts'
import { openWorld, stateOf, type World } from './world.ts'
import { proveEndings, proveHeader, proveMalformedHeader } from './tokens.ts'

/** A refusal here would reveal that the name exists in another tenant. */
const proveNames = async ({ root, home, others }: World): Promise<string> => {
  const [other] = others
  if (!other) throw new Error('there is no other tenant')
  const tenant = other.id
  const user = ok(await root.call('GET', `/users/${other.ids.user}`, undefined, { tenant }))
  const role = ok(await root.call('GET', `/rbac/roles/${other.ids.role}`, undefined, { tenant }))
  const body = {
    email: `${unique('prove')}@example.com`,
    username: user.username,
    password: 'a proof of Tenantry',
  }
  const created = ok(await home.admin.call('POST', '/users', body))
  const named = ok(await home.admin.call('POST', '/rbac/roles', { name: role.name }))
  await home.admin.call('DELETE', `/users/${created.id}`)
  await home.admin.call('DELETE', `/rbac/roles/${named.id}`)
  return 'a username and the name of a role of the other tenant'
}

const countsOf = async ({ home }: World) => {
  const { userCount, roleCount, tenantCount } = ok(await home.admin.call('GET', '/dashboard/stats'))
  return `${userCount} users, ${roleCount} roles, ${tenantCount} tenant`
}

const proveCounts = async (world: World): Promise<string> => {
  const before = await countsOf(world)
  const { id } = await newTenant(world.root)
  await world.root.call('POST', '/rbac/roles', { name: 'another' }, { tenant: id })
  const after = await countsOf(world)
  await world.root.call('DELETE', `/org/tenants/${id}`)
  if (after !== before || !after.endsWith(' 1 tenant')) throw new Error(`before: ${before}; after: ${after}`)
  return `${after} in the dashboard, unchanged by other tenants`
}

const proveAttacks = async (world: World, operations: Operation[], prove: Prove): Promise<void> => {
  const { admin } = world.home
  await prove('every operation works within the own tenant', () => proveOwn(world, operations, admin))
  await prove(
    'every operation works within the own tenant for a key, apart from those of an own account',
    () => proveOwn(world, operations, world.machine),
  )
  const callers: [string, Session][] = [
    ['an administrator', admin],
    ['a member', world.member],
    ['a key', world.machine],
    ['a platform administrator in another scope', world.root],
  ]
  for (const [who, caller] of callers) {
    await prove(
      `${who} gets one answer, to the byte, for ids that are foreign, disabled, deleted or made up`,
      () => proveIds(world, operations, caller),
    )
  }
  await prove('foreign ids in fields and parameters that no schema has change nothing', () =>
    proveOwn(world, operations, admin, (operation) => smuggled(world, operation)),
  )
  const owners: [string, Session][] = [
    ['', admin],
    [' beside a key', world.machine],
  ]
  for (const [beside, caller] of owners) {
    await prove(
      `a tenant header${beside} that names another tenant is refused, whether or not that tenant exists`,
      () => proveHeader(world, operations, caller),
    )
    await prove(`a tenant header${beside} that is not a UUID, or is sent twice, is refused`, () =>
      proveMalformedHeader(world, operations, caller),
    )
  }
  await proveEndings(world, operations, prove)
  await prove('a name taken in another tenant is free', () => proveNames(world))
  await prove('decisions are only about users of the tenant in scope', () => proveDecisions(world))
  await prove('lists of sessions show those of one person', () => proveSessions(world))
  await prove('the dashboard counts only the own tenant', () => proveCounts(world))
}

/** Runs after all attacks: no answer contained data of the others, and their data is unchanged. */
const proveUntouched = async (world: World, before: string[], prove: Prove): Promise<void> => {
  await prove('no answer contains data of another tenant', async () => {
    refuteNothing(world.leaks)
    return `${world.answers} answers searched for its id, its slug, and a mark in all its texts`
  })
  await prove('the attacked tenants are unchanged', async () => {
    const after = await Promise.all(world.others.map((tenant) => stateOf(world.root, tenant)))
    if (JSON.stringify(after) !== JSON.stringify(before)) {
      throw new Error(`they differ: ${firstDifference(before, after)}`)
    }
    return `users, roles, assignments, settings, notifications and audit of ${after.length} tenants, ${after.join('').length} bytes`
  })
}

const firstDifference = (before: string[], after: string[]): string => {
  const [was, is] = [before.join('\n').split('\n'), after.join('\n').split('\n')]
  const at = was.findIndex((line, index) => line !== is[index])
  return `${was[at]?.slice(0, 200)} became ${is[at]?.slice(0, 200)}`
}

const prove = async ({ root, url, env }: Target, record: Prove): Promise<void> => {
  const operations: Operation[] = []
  await record('the API description lists every operation', async () => {
    operations.push(...(await readOperations(url)))
    return `${operations.length} operations that need a token`
  })
  if (operations.length === 0) return
  const world = await openWorld(root)
  try {
    const before = await Promise.all(world.others.map((tenant) => stateOf(root, tenant)))
    await proveAttacks(world, operations, record)
    await proveUntouched(world, before, record)
    const databaseUrl = env?.['DATABASE_URL']
    if (databaseUrl === undefined) return
    await record('row-level security hides rows of others from statements without a tenant condition', () =>
      proveDatabase(databaseUrl, world.home.id),
    )
  } finally {
    await world.remove()
  }
}

export const isolation: Suite = { name: 'isolation', kinds: ['embedded', 'services', 'given'], prove }
