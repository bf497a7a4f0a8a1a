/** Support sessions: who allows them, what they reach, how they end, and whom records name. */
import { addKey, newUser, ok, request, unique, type Answer, type Session } from '../../../lab/client.ts'
import { assign, refuteNothing } from '../../attack.ts'
import { readOperations, requestOf, type Ids, type Kind, type Operation } from '../../operations.ts'
import { mailedToken } from '../../mailbox.ts'
import type { Prove } from '../../suite.ts'
import { accept, invite, unlessCode, type Stage } from '../people/stage.ts'
import { supportEnds } from './support-ends.ts'
import { asked, openSupport, sessions, type Supported } from './support-stage.ts'
import { byToken, careful, codes, newCompany, newRole, newStaff, userWith, within } from './stage.ts'

/** The actor's person, as a second user of the tenant who may allow support. */
const secondUser = async (stage: Stage, { company, staff }: Supported): Promise<Session> => {
  const used = await mailedToken(stage.mailbox, staff.email, 'accept-invitation')
  const token = await invite(stage, company.admin, { email: staff.email }, used)
  ok(await accept(stage, token, { password: staff.password }, staff))
  const pair = ok(await staff.call('POST', '/auth/switch', { tenant_id: company.id }))
  const second = { ...byToken(within(staff, company.id), pair.access_token), tenantId: company.id }
  const { id } = ok(await second.call('GET', '/profile'))
  const role = await newRole(stage, company.id, ['support:allow', 'user:read'])
  ok(await company.admin.call('POST', `/rbac/users/${id}/roles`, { role_id: role }))
  return { ...second, userId: id }
}

/** Callers who must not allow a question, each with the code of the refusal. */
const deciders = async (stage: Stage, scene: Supported): Promise<[string, Session, number][]> => {
  const { company, staff } = scene
  const role = await newRole(stage, company.id, ['support:allow', 'user:read'])
  const key = await addKey(company.admin, company.id, unique('robot'))
  await assign(stage.root, company.id, key.userId, role)
  const given = await careful(await newUser(stage.root, company.id))
  ok(await within(staff, company.id).call('POST', `/rbac/users/${given.userId}/roles`, { role_id: role }))
  const low = await careful(await userWith(stage, company.id, ['support:allow']))
  const single = await userWith(stage, company.id, ['support:allow', 'user:read', 'dashboard:read'])
  const other = await userWith(stage, company.id, ['support:allow', 'user:read'])
  const { session } = await openSupport({ company, user: other, staff: await newStaff(stage) })
  return [
    ["the actor's second user", await secondUser(stage, scene), codes.supportRefused],
    ['the actor', within(staff, company.id), codes.supportRefused],
    ['other staff', within(await newStaff(stage), company.id), codes.supportRefused],
    ['a key', key, codes.permissionMissing],
    ['who got the right from the actor', given, codes.supportRefused],
    ['who is below the user', low, codes.targetOutranksCaller],
    ['who has no second factor', single, codes.mfaRequired],
    ['a support session', session, codes.supportShut],
  ]
}

const permitted = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const user = await userWith(stage, company.id, ['user:read'])
  const scene = { company, user, staff: await newStaff(stage) }
  const question = { user_id: user.userId, ...asked }
  const { id } = ok(await within(scene.staff, company.id).call('POST', sessions, question))
  const all = await deciders(stage, scene)
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const [who, decider, code] of all) {
      const answer = await decider.at(url).call('POST', `${sessions}/${id}/decide`, { allow: true })
      breaches.push(...unlessCode(`${who} at ${url}`, answer, code))
    }
  }
  const { status } = ok(await user.call('GET', `${sessions}/${id}`))
  if (status !== 'waiting') breaches.push(`the question is ${status}`)
  refuteNothing(breaches)
  return `${all.length} callers at ${stage.urls.length} replicas`
}

const uuids = new Set<Kind>(['session', 'factor', 'tenant', 'secret'])

/** Paths that serve a session of the kind `view` besides the flags. */
const view = new Set(
  `/profile /ping /authz/permissions /authz/check /events/stream /notifications/{id} /notifications/user/{userId}
  /notifications/unread-count /rbac/users/{userId}/roles /rbac/assignments /rbac/users/{userId}/eligible-roles /elevations
  /org/tenants/{id} /org/tenants/{id}/attributes /org/usage /settings/effective /settings/effective/{key}
  /settings/user/{key} /users /users/{id} /users/{id}/attributes /users/{id}/sessions /invitations /rbac/permissions
  /rbac/role-templates /rbac/roles /rbac/roles/{id} /rbac/roles/{id}/permissions /rbac/roles/{id}/users
  /service-accounts /service-accounts/{id} /service-accounts/{id}/keys /audit/logs /audit/logs/{id} /settings
  /settings/global/{key} /settings/tenant /settings/tenant/{key} /settings/tenant/{key}/history /settings/definitions
  /settings/users/{id}/{key} /webhooks /webhooks/{id} /webhooks/{id}/deliveries /webhooks/{id}/deliveries/{deliveryId}
  /grants /setup-links /sso-exemptions /sso-exemptions/effect /connections /connections/{id}
  /connections/{id}/attempts /domains /directory/groups /dashboard/stats /dashboard/activity`.split(/\s+/),
)

const shortPath = ({ path }: Operation): string => path.replace(/^\/api\/v1/, '')

/** The operations that serve a session of the kind `view`. */
const isViewed = (operation: Operation): boolean => {
  const path = shortPath(operation)
  if (path.startsWith('/ofrep/') || path === '/ping') return true
  if (operation.method !== 'GET') return path === '/authz/check'
  return view.has(path)
}

const isChecked = (operation: Operation): boolean =>
  shortPath(operation) !== '/auth/logout' && shortPath(operation) !== '/events/stream'

/** Ids of this tenant, and of nothing. */
const idsIn = (tenant: string, userId: number): Ids =>
  new Proxy({} as Ids, {
    get: (_, kind) => {
      if (kind === 'tenant') return tenant
      if (kind === 'user') return userId
      return uuids.has(kind as Kind) ? crypto.randomUUID() : 1
    },
  })

/** A session of the kind `view` walks through everything that needs a token. */
const walls = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const user = await userWith(stage, company.id, ['user:read', 'setting:read', 'setting:update'])
  const { session } = await openSupport({ company, user, staff: await newStaff(stage) }, { kind: 'view' })
  const operations = (await readOperations(stage.urls[0] ?? '')).filter(isChecked)
  const ids = idsIn(company.id, user.userId)
  const breaches: string[] = []
  for (const url of stage.urls) {
    for (const operation of operations.filter((one) => !isViewed(one))) {
      const places = new Map(operation.places.map((place) => [place, ids]))
      const { method, path, body } = requestOf(operation, places)
      const answer = await request(url, method, path, { token: session.token, tenant: company.id, body })
      breaches.push(...unlessCode(`${method} ${operation.path} at ${url}`, answer, codes.supportShut))
    }
    const { status } = await session.at(url).call('GET', '/profile')
    if (status !== 200) breaches.push(`the session at ${url} is over: ${status}`)
  }
  refuteNothing(breaches)
  const count = operations.filter((one) => !isViewed(one)).length
  return `${count} of ${operations.length} operations are shut, at ${stage.urls.length} replicas`
}

/** Requests that must be refused to a session of the kind `act`. */
const forbidden: [string, string, object][] = [
  ['PUT', '/settings/tenant/auth.support_access', { value: 'allowed' }],
  ['PUT', '/settings/tenant/auth.ways', { value: {} }],
  ['DELETE', '/settings/tenant/auth.support_access', {}],
  ['PUT', '/settings/tenant/audit.export_on', { value: true }],
  ['PUT', '/profile', { nickname: 'Another' }],
  ['POST', '/auth/refresh', {}],
  ['POST', '/auth/account/export', {}],
  ['POST', '/notifications/read', {}],
]

interface Entry {
  action: string
  user_id: number
  detail: { support?: { id: string; on_behalf_of: { id: number } } }
}

const entries = async (by: Session, query: string): Promise<Entry[]> =>
  ok(await by.call('GET', `/audit/logs?page_size=100&${query}`)).items

/** Writes in a session at every replica. Returns the breaches, and the number of writes. */
const writeAll = async ({ urls }: Stage, session: Session): Promise<[string[], number]> => {
  const breaches: string[] = []
  const writes: Answer[] = []
  for (const url of urls) {
    const there = session.at(url)
    const key = `/settings/tenant/${unique('color').toLowerCase()}`
    for (const value of [1, 2]) writes.push(await there.call('PUT', key, { value }))
    writes.push(await there.call('DELETE', key))
    for (const [method, path, body] of forbidden) {
      const { status } = await there.call(method, path, body)
      if (status === 200) breaches.push(`${method} ${path} passes at ${url}`)
    }
  }
  for (const { status, text } of writes) if (status !== 200) breaches.push(`a write answers ${text}`)
  return [breaches, writes.length]
}

/** Each record of a session names the actor, with the user beside. */
const recorded = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const user = await userWith(stage, company.id, ['setting:update', 'setting:delete', 'user:read'])
  const staff = await newStaff(stage)
  const { id, session } = await openSupport({ company, user, staff })
  const [breaches, count] = await writeAll(stage, session)
  const inside = (await entries(company.admin, '')).filter(({ detail }) => detail.support?.id === id)
  const right = inside.filter(
    ({ user_id: by, detail }) => by === staff.userId && detail.support?.on_behalf_of.id === user.userId,
  )
  if (right.length !== count) breaches.push(`${right.length} of ${count} writes name both people`)
  const ofUser = await entries(company.admin, `user_id=${user.userId}`)
  const isShown = ofUser.some(({ action, detail }) => detail.support ?? action.startsWith('setting.'))
  if (isShown) breaches.push('a filter shows the user as who acted')
  const behalf = await entries(company.admin, `on_behalf_of=${user.userId}`)
  if (behalf.length !== inside.length) breaches.push(`on_behalf_of finds ${behalf.length} records`)
  refuteNothing(breaches)
  return `${count} writes at ${stage.urls.length} replicas, and ${forbidden.length} that are refused`
}

/** A session to act never gains what its user got after the request, and loses what the user loses. */
const fixed = async (stage: Stage): Promise<string> => {
  const company = await newCompany(stage)
  const user = await userWith(stage, company.id, ['user:read'])
  const { session } = await openSupport({ company, user, staff: await newStaff(stage) })
  await assign(stage.root, company.id, user.userId, await newRole(stage, company.id, ['audit:read']))
  const breaches: string[] = []
  for (const url of stage.urls) {
    const there = session.at(url)
    const answer = await there.call('GET', '/audit/logs')
    if (answer.status === 200) breaches.push(`a session of ${url} grows`)
    breaches.push(
      ...unlessCode(
        'another tenant',
        await there.call('GET', '/users', undefined, { tenant: stage.other.id }),
        codes.supportShut,
      ),
    )
  }
  refuteNothing(breaches)
  return `a new role of the user, and another tenant, at ${stage.urls.length} replicas`
}

export const proveSupport = async (stage: Stage, record: Prove): Promise<void> => {
  await record('nobody but the user and who may decide allows a support session', () => permitted(stage))
  await record('a support session reaches nothing that does not serve it', () => walls(stage))
  await record('a support session never grows', () => fixed(stage))
  await record('records of a support session name the actor, and the user beside', () => recorded(stage))
  await record('a support session ends at every replica within 2 s', () => supportEnds(stage))
}
