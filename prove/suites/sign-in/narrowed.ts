import { refuteNothing } from '../../attack.ts'
import { answerIn, openBrowser, type Browser } from '../../../lab/browser.ts'
import { ok, unique, type Session } from '../../../lab/client.ts'
import { parseToken } from '../../forge.ts'
import { randomBy, seedOf } from '../../seed.ts'
import type { Prove } from '../../suite.ts'
import { joinTenant, newPerson, type Tenant } from '../people/stage.ts'
import type { OpenStage } from './open-stage.ts'
import * as door from './stage.ts'
import { firstUrl, type Application, type Stage } from './stage.ts'

interface Resource {
  id: number
  identifier: string
  codes: string[]
}

interface Role {
  id: number
  codes: string[]
}

/** The person as a user of a tenant. */
interface Membership {
  tenant: Tenant
  userId: number
  roles: Role[]
  held: Set<Role>
}

/** A session, with the permissions that it was narrowed to; undefined for all. */
interface Opened {
  how: string
  id: string
  membership: Membership
  set: string[] | undefined
}

/** The model of the service: all facts that decide the permissions of a session. */
interface World {
  stage: Stage
  random: () => number
  person: Session
  browser: Browser
  own: Application
  foreign: Application
  resources: Resource[]
  memberships: Membership[]
  sessions: Opened[]
}

type Random = Pick<World, 'random'>

const pick = <T>({ random }: Random, items: T[]): T => items[Math.floor(random() * items.length)] as T
const some = <T>({ random }: Random, items: T[]): T[] => items.filter(() => random() < 0.5)

const idsOf = ({ permissions }: Stage, codes: string[]): number[] =>
  codes.map((code) => permissions.get(code) ?? 0)

/** Some permissions of the product, at least one. */
const someCodes = (random: Random, { codes }: Stage): string[] => {
  const chosen = some(random, codes)
  return chosen.length > 0 ? chosen : codes.slice(0, 1)
}

/** A resource that never has the first permission. */
const newResource = async (random: Random, stage: Stage): Promise<Resource> => {
  const codes = someCodes(random, { ...stage, codes: stage.codes.slice(1) })
  const identifier = `https://${unique('r')}.example.com/mcp`
  const body = { identifier, name: 'A proof', permission_ids: idsOf(stage, codes) }
  return { id: ok(await stage.root.call('POST', '/resources', body)).id, identifier, codes }
}

const newMembership = async (tenant: Tenant, userId: number): Promise<Membership> => {
  const newRole = async (): Promise<Role> => ({
    id: ok(await tenant.admin.call('POST', '/rbac/roles', { name: unique('proof') })).id,
    codes: [],
  })
  return { tenant, userId, roles: [await newRole(), await newRole(), await newRole()], held: new Set() }
}

/** A person of two tenants. */
const openWorld = async (stage: OpenStage, random: () => number): Promise<World> => {
  const { people, root } = stage
  const resources = [await newResource({ random }, stage), await newResource({ random }, stage)]
  const fields = { resource_ids: resources.map(({ id }) => id) }
  const person = await newPerson(people, people.other)
  const joined = await joinTenant(people, person, people.home)
  return {
    stage,
    random,
    person,
    browser: openBrowser(firstUrl(stage)),
    own: await door.newApplication(root, fields),
    foreign: await door.newApplication(root, { ...fields, is_third_party: true }),
    resources,
    memberships: [
      await newMembership(people.other, person.userId),
      await newMembership(people.home, joined.userId),
    ],
    sessions: [],
  }
}

/** The table of docs/sign-in.md, "Scopes and resource". */
const setOf = (isForeign: boolean, asked: string[], resource: Resource | undefined): string[] | undefined => {
  const within = resource ? asked.filter((code) => resource.codes.includes(code)) : asked
  if (isForeign) return resource ? within : []
  if (asked.length === 0) return resource?.codes
  return within
}

const open = async (world: World): Promise<void> => {
  const resource = pick(world, [undefined, ...world.resources])
  await openFor(world, { isForeign: world.random() < 0.5, resource, asked: some(world, world.stage.codes) })
}

/** Asks for every permission, of which the resource has some. */
const openBeyond = async (world: World): Promise<void> => {
  const [resource] = world.resources
  for (const isForeign of [true, false]) {
    await openFor(world, { isForeign, resource, asked: world.stage.codes })
  }
}

/** A permission of the service itself, and an undeclared one. No resource has them. */
const unknownCodes = ['user:read', 'unknown:scope']

/** Asks for permissions of which none exists: nothing opens, rather than a session without a set. */
const refuseUnknown = async ({ own, browser, person, memberships, resources }: World): Promise<void> => {
  const [{ tenant }] = memberships as [Membership]
  for (const resource of [undefined, resources[0]?.identifier]) {
    const changes = { scope: ['openid', ...unknownCodes].join(' '), tenant: tenant.id, resource }
    const location = await door.authorize(browser, person, door.silentRequest(own, changes))
    const { error } = answerIn(location).params
    if (error !== 'invalid_scope') refuteNothing([`unknown permissions alone are answered with ${location}`])
  }
}

interface Asked {
  isForeign: boolean
  resource: Resource | undefined
  asked: string[]
}

const openFor = async (world: World, { isForeign, resource, asked }: Asked): Promise<void> => {
  const { person, browser, own, foreign, memberships } = world
  const membership = pick(world, memberships)
  const tokens = await door.openSession(browser, person, isForeign ? foreign : own, {
    // Without a permission that exists the unknown ones would be refused.
    scope: ['openid', 'phone', ...asked, ...(asked.length > 0 ? unknownCodes : [])].join(' '),
    resource: resource?.identifier,
    tenant: membership.tenant.id,
  })
  const how = `${isForeign ? 'third-party' : 'own'} ${resource ? 'with' : 'without'} resource`
  const id = String(parseToken(tokens.access_token).payload['sid'])
  const set = setOf(isForeign, asked, resource)
  const given = tokens.scope.split(' ').filter((one) => one !== 'openid')
  if (given.toSorted().join() !== (set ?? []).toSorted().join()) {
    refuteNothing([`${how} is given ${given.join(' ')} of ${asked.join(' ')}`])
  }
  world.sessions.push({ how, id, membership, set })
}

const changeRole = async (world: World): Promise<void> => {
  const { tenant, roles } = pick(world, world.memberships)
  const role = pick(world, roles)
  role.codes = some(world, world.stage.codes)
  const body = { permission_ids: idsOf(world.stage, role.codes) }
  ok(await tenant.admin.call('PUT', `/rbac/roles/${role.id}/permissions`, body))
}

/** Assigns a role, or removes it from a person who holds it. */
const toggleRole = async (world: World): Promise<void> => {
  const { tenant, userId, roles, held } = pick(world, world.memberships)
  const role = pick(world, roles)
  const path = `/rbac/users/${userId}/roles`
  if (held.delete(role)) {
    ok(await tenant.admin.call('DELETE', `${path}/${role.id}`))
    return
  }
  ok(await tenant.admin.call('POST', path, { role_id: role.id }))
  held.add(role)
}

/** Gives a resource other permissions. Sessions keep the set that they were opened with. */
const changeResource = async (world: World): Promise<void> => {
  const resource = pick(world, world.resources)
  resource.codes = someCodes(world, world.stage)
  const body = { permission_ids: idsOf(world.stage, resource.codes) }
  ok(await world.stage.root.call('PUT', `/resources/${resource.id}`, body))
}

/** Compares each session with the model, by both questions that a backend asks. */
const compare = async ({ stage, sessions }: World, url: string): Promise<string[]> => {
  const breaches: string[] = []
  for (const { how, id, set, membership } of sessions) {
    const { userId, held, tenant } = membership
    const has = new Set([...held].flatMap(({ codes }) => codes))
    const admin = tenant.admin.at(url)
    const expected = stage.codes.filter((code) => has.has(code) && (set?.includes(code) ?? true))
    const query = `user_id=${userId}&session_id=${id}`
    const { permissions } = ok(await admin.call('GET', `/authz/permissions?${query}`))
    const body = { user_id: userId, session_id: id, permissions: stage.codes }
    const { results } = ok(await admin.call('POST', '/authz/check', body))
    const allowed: string[] = results.flatMap((one: { permission: string; allowed: boolean }) =>
      one.allowed ? [one.permission] : [],
    )
    const beyond = (permissions as string[]).filter((code) => set !== undefined && !set.includes(code))
    if (beyond.length > 0) breaches.push(`${how} may use ${beyond.join()}`)
    for (const found of [permissions.filter((code: string) => stage.codes.includes(code)), allowed]) {
      if (found.toSorted().join() !== expected.toSorted().join()) {
        breaches.push(`${how} may use ${found.length} of ${expected.length} expected: ${found.join()}`)
      }
    }
  }
  return breaches
}

const proveNarrowing = async (stage: OpenStage): Promise<string> => {
  const [worlds, steps] = stage.short ? [2, 12] : [10, 30]
  const seed = seedOf()
  const random = randomBy(seed)
  let [asked, opened] = [0, 0]
  for (let at = 0; at < worlds; at += 1) {
    const world = await openWorld(stage, random)
    await openBeyond(world)
    await refuseUnknown(world)
    for (let step = 0; step < steps; step += 1) {
      await pick(world, [open, open, changeRole, toggleRole, toggleRole, changeResource])(world)
      // The replica that made the change answers by it at once.
      const breaches = await compare(world, firstUrl(stage))
      refuteNothing(breaches.map((one) => `${one} (PROVE_SEED=${seed})`))
      asked += world.sessions.length * 2
    }
    opened += world.sessions.length
  }
  return `${worlds} × ${steps} random steps (seed ${seed}), ${opened} sessions in two tenants, ${asked} answers: each is what the user holds, within the set`
}

export const proveNarrowed = (start: () => Promise<OpenStage>, prove: Prove): Promise<void> =>
  prove('a narrowed session never holds more than its user, nor more than its set', async () =>
    proveNarrowing(await start()),
  )
