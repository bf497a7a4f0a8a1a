import { setTimeout as sleep } from 'node:timers/promises'
import { ok, request, unique, type Answer, type Session } from '../../../lab/client.ts'
import { openDirectory, patchOf, scim, type Directory } from '../../../lab/directory.ts'
import { addRole, permissionIds, refuteNothing } from '../../attack.ts'
import type { Prove } from '../../suite.ts'
import { rolesNamed } from './reach.ts'
import { newColleague, push, pushGroup, rolesOf, setActive, statusAt, userOf, type Stage } from './stage.ts'

type End = (directory: Directory, id: string) => Promise<Answer>

/** The requests by which providers remove a person. */
const ends: Record<string, End> = {
  'Entra ID': ({ machine }, id) =>
    scim(machine, `PATCH /Users/${id}`, patchOf({ op: 'Replace', path: 'active', value: 'False' })),
  Okta: ({ machine }, id) =>
    scim(machine, `PATCH /Users/${id}`, patchOf({ op: 'replace', value: { active: false } })),
  PUT: async ({ machine }, id) => {
    const { body } = await scim(machine, `GET /Users/${id}`)
    return scim(machine, `PUT /Users/${id}`, { ...body, active: false })
  },
  DELETE: ({ machine }, id) => scim(machine, `DELETE /Users/${id}`),
}

/** Every way back, at every replica; a breach for each that is open. */
const waysBack = async ({ urls }: Stage, user: Session): Promise<string[]> => {
  const breaches: string[] = []
  for (const url of urls) {
    const refresh = { body: { refresh_token: user.refreshToken } }
    const login = { body: { email: user.email, password: user.password } }
    const answers = {
      'the access token': await statusAt(url, user.token),
      refresh: (await request(url, 'POST', '/api/v1/auth/refresh', refresh)).status,
      login: (await request(url, 'POST', '/api/v1/auth/login', login)).status,
    }
    for (const [way, status] of Object.entries(answers)) {
      if (status !== 401) breaches.push(`${way} answers ${status} at ${url}`)
    }
  }
  return breaches
}

/** A session ends for good: a person who is enabled again has to sign in again. */
const sessionsBack = async ({ urls, home }: Stage, user: Session, id: string): Promise<string[]> => {
  await setActive(home, id, true)
  const breaches: string[] = []
  for (const url of urls) {
    const refresh = { body: { refresh_token: user.refreshToken } }
    const { status } = await request(url, 'POST', '/api/v1/auth/refresh', refresh)
    if (status !== 401) breaches.push(`an old refresh token answers ${status} to one let in again`)
  }
  return breaches
}

const putOut = async (stage: Stage, end: End): Promise<string[]> => {
  const { home, urls } = stage
  const user = await newColleague(home)
  const id = await push(home, { userName: user.email })
  const breaches: string[] = []
  for (const url of urls) if ((await statusAt(url, user.token)) !== 200) breaches.push('the person is not in')
  const { status } = await end(home, id)
  if (status !== 200 && status !== 204) breaches.push(`the end answers ${status}`)
  breaches.push(...(await waysBack(stage, user)))
  return status === 204 ? breaches : [...breaches, ...(await sessionsBack(stage, user, id))]
}

const proveOut = async (stage: Stage, end: End): Promise<string> => {
  const { urls, short } = stage
  const rounds = short ? 5 : 25
  const breaches: string[] = []
  for (let round = 0; round < rounds; round += 1) breaches.push(...(await putOut(stage, end)))
  refuteNothing(breaches)
  return `${rounds} people at ${urls.length} replicas, each seen a moment before: 401 by token, refresh and login`
}

const proveSwitches = async (stage: Stage): Promise<string> => {
  const { home } = stage
  const user = await newColleague(home)
  const id = await push(home, { userName: user.email })
  const path = `/users/${user.userId}`
  const breaches: string[] = []
  const expect = async (what: string, expected: number) => {
    const { status } = ok(await home.admin.call('GET', path))
    if (status !== expected) breaches.push(`${what}: the status is ${status}`)
  }
  ok(await home.admin.call('PUT', path, { status: 0 }))
  const { email: userName } = user
  const syncs: (() => Promise<Answer>)[] = [
    () => setActive(home, id, true),
    () => setActive(home, id, false),
    () => setActive(home, id, true),
    () => scim(home.machine, `PUT /Users/${id}`, { userName, active: true }),
    () => scim(home.machine, `PATCH /Users/${id}`, patchOf({ op: 'Add', value: { active: 'True' } })),
    () => scim(home.machine, `PATCH /Users/${id}`, patchOf({ op: 'remove', path: 'active' })),
  ]
  for (const sync of syncs) {
    await sync()
    await expect('after a sync', 0)
  }
  ok(await home.admin.call('PUT', path, { status: 1 }))
  await setActive(home, id, false)
  const { status } = await home.admin.call('PUT', path, { status: 1 })
  if (status !== 403) breaches.push(`an administrator lets in whom the directory shut out: ${status}`)
  ok(await home.admin.call('PUT', path, { nickname: 'x' }))
  await expect('shut out by the directory', 0)
  await setActive(home, id, true)
  await expect('let in by both', 1)
  refuteNothing(breaches)
  return `${syncs.length} syncs and an administrator against each other`
}

/** An earlier invitation does not bring a removed person back. */
const proveInvitations = async (stage: Stage): Promise<string> => {
  const { home, foreign, root } = stage
  const breaches: string[] = []
  for (const end of [ends['Okta'], ends['DELETE']]) {
    const person = await newColleague(home, root, foreign.admin.tenantId)
    const id = await push(home, { userName: person.email })
    const { id: invitation } = ok(await home.admin.call('POST', '/invitations', { email: person.email }))
    await end?.(home, id)
    const list = ok(await home.admin.call('GET', '/invitations?page_size=200')).items
    const { status } = list.find((one: { id: number }) => one.id === invitation)
    if (status !== 'revoked') breaches.push(`an invitation is ${status}`)
  }
  refuteNothing(breaches)
  return '2 people with an open invitation'
}

const proveGroups = async (stage: Stage): Promise<string> => {
  const { home, root } = stage
  const { admin } = home
  const ids = await permissionIds(root, admin.tenantId)
  const permissions = [ids.get('user:read') ?? 0]
  const role = await addRole(root, admin.tenantId, { name: unique('mapped'), permissions })
  const [admins = 0] = await rolesNamed(home, 'admin')
  const user = await newColleague(home)
  const id = await push(home, { userName: user.email })
  const group = await pushGroup(home, [], { externalId: unique('e') })
  const connection = `/connections/${home.connectionId}`
  ok(await admin.call('PUT', connection, { group_mappings: [{ group: group.id, role_id: role }] }))
  const breaches: string[] = []
  const expect = async (what: string, isHeld: boolean) => {
    const { status } = await user.call('GET', '/users')
    const held = (await rolesOf(home, user.userId)).includes(role)
    if (held !== isHeld || (status === 200) !== isHeld) breaches.push(`${what}: ${held}, and ${status}`)
  }
  const change = (op: string) =>
    scim(home.machine, `PATCH /Groups/${group.id}`, patchOf({ op, path: 'members', value: [{ value: id }] }))
  const twin = await pushGroup(home, [id], { displayName: group.name })
  const named = await pushGroup(home, [id], { displayName: group.id, externalId: group.id })
  await expect('a group of the same name', false)
  await change('add')
  await expect('the mapped group', true)
  const byHand = await admin.call('DELETE', `/rbac/users/${user.userId}/roles/${role}`)
  if (byHand.status !== 403) breaches.push(`a hand takes a mapped role: ${byHand.status}`)
  await expect('a hand', true)
  await change('remove')
  await expect('a member who left', false)
  await change('add')
  await scim(home.machine, `DELETE /Groups/${group.id}`)
  await expect('a group that is gone', false)
  await pushGroup(home, [id], { displayName: group.name })
  await expect('a group made anew', false)
  ok(await admin.call('PUT', connection, { group_mappings: [{ group: twin.name, role_id: admins }] }))
  if ((await rolesOf(home, user.userId)).includes(admins)) breaches.push('a name gives a role')
  ok(await admin.call('PUT', connection, { group_mappings: [] }))
  refuteNothing(breaches)
  return `groups ${[twin.name, named.name].length} by name, 1 by id; from the next request on`
}

/** Roles of the platform, in the tenant that has them, and in another one. */
const provePlatform = async ({ home, root, names }: Stage): Promise<string> => {
  const inside = await openDirectory(root, names)
  const ids = await permissionIds(root, root.tenantId)
  const permissions = [ids.get('tenant:read') ?? 0]
  const carrying = await addRole(root, root.tenantId, { name: unique('carrying'), permissions })
  const [platform = 0] = await rolesNamed(inside, 'platform-admin')
  const breaches: string[] = []
  const refuse = async ({ admin, connectionId }: Directory, body: object) => {
    const { status } = await admin.call('PUT', `/connections/${connectionId}`, body)
    if (status !== 400) breaches.push(`${JSON.stringify(body)} answers ${status}`)
  }
  for (const directory of [home, inside]) {
    const group = await pushGroup(directory, [await push(directory)])
    for (const role of [platform, carrying]) {
      await refuse(directory, { group_mappings: [{ group: group.id, role_id: role }] })
      await refuse(directory, { default_role_ids: [role] })
    }
  }
  ok(await root.call('DELETE', `/connections/${inside.connectionId}`))
  refuteNothing(breaches)
  return '8 attempts, in the built-in tenant and in another one'
}

/** Ten requests at once that share something unique, by two replicas. */
const proveTwins = async (stage: Stage): Promise<string> => {
  const { home, urls, short } = stage
  const rounds = short ? 4 : 20
  const breaches: string[] = []
  const own = () => `${unique('twin')}@${home.domain}`
  const shared: Record<string, () => (at: number) => object> = {
    'an address': () => {
      const userName = own()
      return (at) => ({ userName: at % 2 === 0 ? userName : userName.toUpperCase() })
    },
    'a userName': () => {
      const userName = unique('twin')
      return (at) => ({
        userName: at % 2 === 0 ? userName : userName.toUpperCase(),
        emails: [{ value: own() }],
      })
    },
    'an externalId': () => {
      const externalId = unique('e')
      return () => ({ userName: own(), externalId })
    },
  }
  const pushTen = (userAt: (at: number) => object) =>
    Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        scim({ ...home.machine, base: urls[at % urls.length] ?? '' }, 'POST /Users', userAt(at)),
      ),
    )
  for (let round = 0; round < rounds; round += 1) {
    for (const [what, make] of Object.entries(shared)) {
      const told = (await pushTen(make())).map(({ status }) => status).toSorted((a, b) => a - b)
      if (told.join() !== `201,${Array(9).fill(409).join()}`) breaches.push(`${what}: ${told.join()}`)
    }
  }
  const { total: listed } = ok(await home.admin.call('GET', '/users?search=twin&page_size=200'))
  if (listed !== 3 * rounds) breaches.push(`${listed} users of ${3 * rounds} pushes that were served`)
  refuteNothing(breaches)
  return `${3 * rounds} people, pushed 10 times at once: 1 served each`
}

const proveRecords = async (stage: Stage): Promise<string> => {
  const { home } = stage
  const count = async () => ok(await home.admin.call('GET', '/audit/logs?page_size=1')).total as number
  const user = { displayName: 'Ada', externalId: unique('e') }
  const breaches: string[] = []
  const expect = async (what: string, more: number, change: () => Promise<unknown>) => {
    const before = await count()
    await change()
    const after = (await count()) - before
    if (after !== more) breaches.push(`${what} leaves ${after} records`)
  }
  let id = ''
  await expect('a push', 1, async () => (id = await push(home, user)))
  const path = `/Users/${id}`
  const { body } = await scim(home.machine, `GET ${path}`)
  await sleep(5)
  await expect('the same by PUT', 0, () => scim(home.machine, `PUT ${path}`, body))
  await expect('the same by PATCH', 0, () =>
    scim(home.machine, `PATCH ${path}`, patchOf({ op: 'replace', value: user })),
  )
  const again = await scim(home.machine, `GET ${path}`)
  if (again.text !== JSON.stringify(body)) breaches.push('the same values change the resource')
  const wrong = [
    patchOf(
      { op: 'replace', path: 'displayName', value: 'x' },
      { op: 'replace', path: 'nonsense', value: 1 },
    ),
    patchOf({ op: 'remove', path: 'userName' }),
    patchOf({ op: 'replace', path: 'active', value: 'perhaps' }),
    patchOf({ op: 'replace', path: 'id', value: unique('x') }),
  ]
  for (const operations of wrong) {
    await expect('a refused change', 0, () => scim(home.machine, `PATCH ${path}`, operations))
  }
  if ((await scim(home.machine, `GET ${path}`)).text !== again.text) breaches.push('a refused change changes')
  const off = patchOf({ op: 'replace', path: 'active', value: false })
  await expect('a change', 1, () => scim(home.machine, `PATCH ${path}`, off))
  await expect('a deletion', 1, () => scim(home.machine, `DELETE ${path}`))
  if (await userOf(home, body.userName)) breaches.push('a deleted user is there')
  refuteNothing(breaches)
  return '3 changes, 2 of the same values, 4 refused'
}

export const proveOuts = async (stage: Stage, prove: Prove): Promise<void> => {
  for (const [how, end] of Object.entries(ends)) {
    await prove(`whom a directory puts out is out at once, for good, at every replica: ${how}`, () =>
      proveOut(stage, end),
    )
  }
  await prove('no sync lets in whom an administrator shut out, nor the reverse', () => proveSwitches(stage))
  await prove('no earlier invitation brings back whom a directory put out', () => proveInvitations(stage))
  await prove('a group gives the roles mapped to its id, to its members alone', () => proveGroups(stage))
  await prove('no group gives roles of the platform', () => provePlatform(stage))
  await prove('a person who is pushed many times at once is one', () => proveTwins(stage))
  await prove('a change leaves one record, the same values and a refused change none', () =>
    proveRecords(stage),
  )
}
