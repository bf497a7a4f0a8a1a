import { addRole, assign, patiently, permissionIds, removeTenants } from '../../attack.ts'
import { addKey, newTenant, newUser, ok, roleId, signIn, unique, type Session } from '../../../lab/client.ts'
import { readOperations, type Operation } from '../../operations.ts'
import type { Target } from '../../target.ts'
import { chosen } from './plan.ts'

export interface Person {
  session: Session
  username: string
  /** Disabling a user ends the sessions for good: an enabled user signs in again. */
  isSignedOut: boolean
}

export interface Tenant {
  id: string
  isEnabled: boolean
  admin: Person
  /** Manages users and roles, and lacks most other permissions. */
  clerk: Person
  /** All users, including these two. */
  people: Person[]
  /** A service account with a key: it can hold roles as well. */
  machine: Pick<Person, 'session' | 'username'>
}

/** Ids of permissions by code. */
type Ids = Map<string, number>

export interface World {
  root: Session
  tenants: Tenant[]
  /** Permissions that roles of a tenant can hold, including the product's, and platform-only permissions. */
  codes: Ids
  platformCodes: Ids
  templates: number[]
  /** An operation for each permission that one needs, and no second permission beside it. */
  guarded: Map<string, Operation>
  remove(): Promise<void>
}

const clerkCodes = [
  'user:read',
  'user:update',
  'role:read',
  'role:update',
  'role:delete',
  'role:assign',
  'authz:check',
]

const numbersFrom = (start: number, count: number): number[] =>
  Array.from({ length: count }, (_, at) => (start * 31 + at * 17) % 997)

const personOf = (session: Session): Person => ({
  session,
  username: session.email.replace(/@.*/, ''),
  isSignedOut: false,
})

/** Creates an own role with some of the permissions. */
const addOwnRole = (
  { root, codes }: Pick<World, 'root' | 'codes'>,
  tenant: string,
  numbers: number[],
): Promise<number> => {
  const ids = [...codes.values()]
  const permissions = [...new Set(numbers.map((number) => chosen(ids, number)))]
  return addRole(root, tenant, { name: unique('decided '), permissions })
}

/** Gives the clerk a role with all permissions of a clerk. */
const empowerClerk = async (
  { root, codes }: Pick<World, 'root' | 'codes'>,
  { id, clerk }: Pick<Tenant, 'id' | 'clerk'>,
): Promise<void> => {
  const permissions = clerkCodes.flatMap((code) => codes.get(code) ?? [])
  const role = await addRole(root, id, { name: unique('clerk '), permissions })
  await assign(root, id, clerk.session.userId, role)
}

type Catalogue = Pick<World, 'root' | 'codes' | 'templates'>

const openTenant = async (world: Catalogue): Promise<Tenant> => {
  const { root, templates } = world
  const { id, admin: first } = await newTenant(root)
  const [admin, clerk] = [personOf(first), personOf(await newUser(root, id))]
  await empowerClerk(world, { id, clerk })
  const plain: Person[] = []
  for (let at = 0; at < 4; at += 1) {
    const session = await newUser(root, id)
    await assign(root, id, session.userId, await addOwnRole(world, id, numbersFrom(at, 3)))
    await assign(root, id, session.userId, chosen(templates, at))
    plain.push(personOf(session))
  }
  const username = unique('decided')
  const machine = { session: await addKey(root, id, username), username }
  return { id, isEnabled: true, admin, clerk, people: [admin, clerk, ...plain], machine }
}

/** Adds permissions and templates of the product, with permissions of every kind. */
const openCatalogue = async (root: Session): Promise<Catalogue & Pick<World, 'platformCodes' | 'remove'>> => {
  const module = unique('prove')
  const made: string[] = []
  const add = async (path: string, body: object): Promise<number> => {
    const { id } = ok(await root.call('POST', path, body))
    made.unshift(`${path}/${id}`)
    return id as number
  }
  for (const action of ['read', 'write', 'approve', 'export']) {
    await add('/rbac/permissions', { code: `${module}:${action}`, name: action })
  }
  const { id: probe } = await newTenant(root)
  const codes = await permissionIds(root, probe)
  await removeTenants(root, [probe])
  const all = await permissionIds(root, root.tenantId)
  const platformCodes = new Map([...all].filter(([code]) => !codes.has(code)))
  const ids = [...codes.values()]
  const templates: number[] = []
  for (let at = 0; at < 3; at += 1) {
    const permission_ids = numbersFrom(at + 5, 3).map((number) => chosen(ids, number))
    templates.push(await add('/rbac/role-templates', { name: unique('decided '), permission_ids }))
  }
  const remove = async () => {
    for (const path of made) await patiently(() => root.call('DELETE', path))
  }
  return { root, codes, platformCodes, templates, remove }
}

export const openWorld = async ({ root, url, short }: Target): Promise<World> => {
  const catalogue = await openCatalogue(root)
  const tenants: Tenant[] = []
  for (let at = 0; at < (short ? 3 : 8); at += 1) tenants.push(await openTenant(catalogue))
  const operations = await readOperations(url)
  return {
    ...catalogue,
    tenants,
    guarded: new Map(
      operations
        .filter(({ needsSecond }) => !needsSecond)
        .map((operation) => [operation.permission, operation]),
    ),
    remove: async () => {
      await removeTenants(
        root,
        tenants.map(({ id }) => id),
      )
      await catalogue.remove()
    },
  }
}

interface Role {
  id: number
  is_system: boolean
  permissions: { code: string }[]
}

/** The authority in a tenant at one moment. */
export interface State {
  /** The permissions that the own token of each user gives, and the key of the service account, by id. */
  held: Map<number, string[]>
  statuses: Map<number, number>
  roles: Role[]
}

/** The codes that the own token gives; none when it is refused. */
const readOwn = async ({ session }: Pick<Person, 'session'>): Promise<string[]> => {
  const answer = await patiently(() => session.call('GET', '/authz/permissions'))
  if (answer.status === 200) return answer.data.permissions as string[]
  if (answer.status === 401 || answer.status === 403) return []
  throw new Error(`a list of own permissions answers ${answer.text}`)
}

const signInAgain = async (person: Person): Promise<void> => {
  const { base, email, password } = person.session
  person.session = await signIn(base, email, password)
  person.isSignedOut = false
}

export const readState = async (
  { root }: World,
  { id, people, machine, isEnabled }: Tenant,
): Promise<State> => {
  const read = async (path: string) =>
    ok(await patiently(() => root.call('GET', path, undefined, { tenant: id })))
  const { items }: { items: { id: number; status: number }[] } = await read('/users?page_size=100')
  const statuses = new Map(items.map((user) => [user.id, user.status]))
  for (const person of people) {
    const { userId } = person.session
    if (statuses.get(userId) === 0) person.isSignedOut = true
    else if (person.isSignedOut && isEnabled) await signInAgain(person)
  }
  const holders = [...people, machine]
  const own = await Promise.all(holders.map(readOwn))
  const held = new Map(holders.map(({ session }, at) => [session.userId, own[at] ?? []]))
  return { held, statuses, roles: (await read('/rbac/roles')) as Role[] }
}

const restore = async (world: World, tenant: Tenant, person: Person): Promise<void> => {
  const { root } = world
  const { id, admin } = tenant
  const { userId } = person.session
  ok(await root.call('PUT', `/users/${userId}`, { status: 1 }, { tenant: id }))
  if (person !== admin) return empowerClerk(world, tenant)
  const body = { role_id: await roleId(root, id, 'admin') }
  // The administrator may still have the role.
  await root.call('POST', `/rbac/users/${userId}/roles`, body, { tenant: id })
}

/** Keeps the world able to change: an administrator and a clerk in power, and some own roles. */
export const repair = async (world: World, tenant: Tenant, state: State): Promise<State> => {
  if (!tenant.isEnabled) return state
  const { id, admin, clerk } = tenant
  const lacks = ({ session }: Person, codes: Iterable<string>) =>
    [...codes].some((code) => !state.held.get(session.userId)?.includes(code))
  const weak = [
    ...(lacks(admin, world.codes.keys()) ? [admin] : []),
    ...(lacks(clerk, clerkCodes) ? [clerk] : []),
  ]
  const own = state.roles.filter(({ is_system }) => !is_system).length
  const missing = numbersFrom(state.roles.length, Math.max(0, 5 - own))
  for (const person of weak) await restore(world, tenant, person)
  for (const number of missing) await addOwnRole(world, id, numbersFrom(number, 4))
  return weak.length + missing.length === 0 ? state : readState(world, tenant)
}
