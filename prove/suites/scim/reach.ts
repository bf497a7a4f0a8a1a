import { addKey, newUser, ok, unique, type Answer, type Session } from '../../../lab/client.ts'
import { query } from '../../../lab/databases.ts'
import { letProvision, patchOf, proveDomain, scim, type Directory } from '../../../lab/directory.ts'
import { addRole, fingerprint, permissionIds, refuteNothing } from '../../attack.ts'
import { addApp } from '../../second-factor.ts'
import type { Prove } from '../../suite.ts'
import { addressOf, newColleague, push, pushGroup, userOf, type Stage } from './stage.ts'

const unknownId = '00000000-0000-4000-8000-000000000000'

/** Everything that a directory can ask about an id. */
const questions = (id: string, domain: string): [string, unknown?][] => [
  [`GET /Users/${id}`],
  [`PUT /Users/${id}`, { userName: `x@${domain}` }],
  [`PATCH /Users/${id}`, patchOf({ op: 'replace', path: 'active', value: false })],
  [`DELETE /Users/${id}`],
  [`GET /Groups/${id}`],
  [`PUT /Groups/${id}`, { displayName: 'x' }],
  [`PATCH /Groups/${id}`, patchOf({ op: 'remove', path: 'members' })],
  [`DELETE /Groups/${id}`],
  [`GET /Users?filter=${encodeURIComponent(`id eq "${id}"`)}`],
  [`GET /Users?filter=${encodeURIComponent(`groups.value eq "${id}"`)}`],
  [`GET /Groups?filter=${encodeURIComponent(`members.value eq "${id}"`)}`],
]

const asTold = (answer: Answer, id: string): string => fingerprint(answer).replaceAll(id, '<id>')

/** Sends every request about an id. Each answer that differs from that for an unknown id is a breach. */
const askAbout = async ({ machine, domain }: Directory, id: string): Promise<string[]> => {
  const breaches: string[] = []
  for (const [at, [question, body]] of questions(id, domain).entries()) {
    const [never, neverBody] = questions(unknownId, domain)[at] ?? ['']
    const [answer, expected] = [await scim(machine, question, body), await scim(machine, never, neverBody)]
    const isNoUuid = id.length < unknownId.length
    const isSame = isNoUuid
      ? answer.status >= 400 || answer.body.totalResults === 0
      : asTold(answer, id) === asTold(expected, unknownId)
    if (!isSame) breaches.push(`${question} answers ${answer.status} ${answer.text.slice(0, 120)}`)
  }
  return breaches
}

/** Names a foreign person as a member of a new group and of an own one. A breach unless both skip the person. */
const nameMember = async ({ machine }: Directory, groupId: string, id: string): Promise<string[]> => {
  const members = [{ value: id }]
  const add = patchOf({ op: 'add', path: 'members', value: members })
  const answers = [
    await scim(machine, 'POST /Groups', { displayName: 'x', members }),
    await scim(machine, `PATCH /Groups/${groupId}`, add),
    await scim(machine, `GET /Groups/${groupId}`),
  ]
  const told = answers.map(({ status, body }) => `${status} ${body?.members?.length ?? 0}`).join()
  return told === '201 0,204 0,200 1' ? [] : [`a member ${id} of another directory answers ${told}`]
}

const proveIds = async ({ home, foreign }: Stage): Promise<string> => {
  const theirs = await push(foreign)
  const group = await pushGroup(foreign, [theirs])
  const stranger = await newColleague(home)
  const own = await pushGroup(home, [await push(home)])
  const ids = [theirs, group.id, String(stranger.userId), foreign.connectionId]
  const breaches: string[] = []
  for (const id of ids) {
    breaches.push(...(await askAbout(home, id)))
    breaches.push(...(await nameMember(home, own.id, id)))
  }
  const list = await scim(home.machine, 'GET /Users?count=200')
  if (list.text.includes(theirs) || list.text.includes(stranger.email)) breaches.push('a list has strangers')
  const kept = await scim(foreign.machine, `GET /Groups/${group.id}`)
  if (kept.body.members?.length !== 1) breaches.push('a foreign group has changed')
  refuteNothing(breaches)
  return `${ids.length} ids, ${questions('', '').length + 2} questions about each: as for one that never was`
}

/** Callers who may not push, each with the statuses that refuse them. */
const proveCallers = async (stage: Stage): Promise<string> => {
  const { home, foreign, root } = stage
  const tenant = home.admin.tenantId
  const second = await addKey(home.admin, tenant, unique('second'))
  await letProvision(home.admin, second.userId)
  const idle = await addKey(home.admin, tenant, unique('idle'))
  const breaches: string[] = []
  const body = { userName: `${unique('x')}@${home.domain}` }
  const expect = async (who: string, expected: number, asked: Promise<Answer>) => {
    const { status } = await asked
    if (status !== expected) breaches.push(`${who} gets ${status}`)
  }
  for (const question of ['POST /Users', 'GET /Users', 'GET /Groups', 'GET /Schemas']) {
    const sent = question.startsWith('POST') ? body : undefined
    await expect('a second key', 403, scim(second, question, sent))
    await expect('a key without the permission', 403, scim(idle, question, sent))
    await expect('an administrator', 403, scim(home.admin, question, sent))
    await expect('a platform administrator', 403, scim(root, question, sent))
    await expect('nobody', 401, scim({ base: root.base, token: '' }, question, sent))
    const headers = { 'x-tenant-id': tenant }
    await expect('a key that names a tenant', 400, scim(home.machine, question, sent, { headers }))
    const named = { headers: { 'x-tenant-id': foreign.admin.tenantId } }
    await expect('a key that names another tenant', 400, scim(home.machine, question, sent, named))
  }
  const account = `/service-accounts/${second.userId}`
  ok(await home.admin.call('PUT', account, { status: 0 }))
  await expect('the key of a disabled account', 401, scim(second, 'GET /Users'))
  const found = await userOf(home, body.userName)
  if (found !== undefined) breaches.push('one of them created a user')
  refuteNothing(breaches)
  return '8 callers, 4 questions each'
}

const proveAddresses = async (stage: Stage): Promise<string> => {
  const { home, foreign, names } = stage
  const pending = `${unique('p')}.example.com`
  ok(await home.admin.call('POST', '/domains', { domain: pending }))
  const unled = `${unique('u')}.example.com`
  await proveDomain(home.admin, names, unled)
  const foreigner = await newColleague(foreign)
  const wrong = [
    foreigner.email,
    `a@sub.${home.domain}`,
    `a@x${home.domain}`,
    `a@${home.domain}.example.org`,
    `a@${pending}`,
    `a@${unled}`,
    'a@example.org',
    `a@${home.domain}@example.org`,
    `a@${home.domain}\u0000.example.org`,
  ]
  const id = await push(home)
  const before = await addressOf(home, id)
  const breaches: string[] = []
  for (const email of wrong) {
    const moved = { op: 'replace', path: 'emails', value: [{ value: email, primary: true }] }
    const answers = [
      await scim(home.machine, 'POST /Users', { userName: email }),
      await scim(home.machine, 'POST /Users', { userName: unique('n'), emails: [{ value: email }] }),
      await scim(home.machine, `PUT /Users/${id}`, { userName: email }),
      await scim(home.machine, `PATCH /Users/${id}`, patchOf(moved)),
    ]
    for (const { status } of answers) if (status !== 400) breaches.push(`${email} answers ${status}`)
  }
  if ((await addressOf(home, id)) !== before) breaches.push('an address has moved')
  const elsewhere = await newColleague(home, stage.root, foreign.admin.tenantId)
  await push(home, { userName: elsewhere.email })
  if (await userOf(home, elsewhere.email)) breaches.push('an account elsewhere became a user without a proof')
  const { status } = await elsewhere.call('GET', '/profile')
  if (status !== 200) breaches.push(`an account elsewhere answers ${status}`)
  refuteNothing(breaches)
  return `${wrong.length} addresses, by 4 ways each`
}

const exempt = ({ admin }: Directory, { userId }: Session): Promise<Answer> =>
  admin.call('PUT', `/users/${userId}/sso-exemption`, { exempt: true })

/** The API makes no break-glass user of a pushed one. */
const exemptBehind = (databaseUrl: string, { userId }: Session) =>
  query(
    databaseUrl,
    'insert into sso_exemptions (tenant_id, user_id, account_id, created_at) select tenant_id, id, account_id, now() from users where id = $1',
    [userId],
  )

const proveBreakGlass = async ({ home, foreign, root, databaseUrl }: Stage): Promise<string> => {
  const [glass, pushed] = [await newColleague(home), await newColleague(home)]
  await addApp(glass)
  ok(await exempt(home, glass))
  const elsewhere = await newColleague(home, root, foreign.admin.tenantId)
  const waiting = await push(home, { userName: elsewhere.email })
  const id = await push(home, { userName: pushed.email })
  await addApp(pushed)
  const breaches: string[] = []
  const { status: refused } = await exempt(home, pushed)
  if (refused !== 400) breaches.push(`a user of a directory becomes a break-glass user: ${refused}`)
  if (databaseUrl !== undefined) await exemptBehind(databaseUrl, pushed)
  const off = patchOf({ op: 'replace', path: 'active', value: false })
  const attempts: [number, string, unknown?][] = [
    [409, 'POST /Users', { userName: glass.email }],
    [409, 'POST /Users', { userName: unique('n'), emails: [{ value: glass.email }] }],
    [409, `PUT /Users/${waiting}`, { userName: glass.email }],
    [409, `PATCH /Users/${waiting}`, patchOf({ op: 'replace', path: 'userName', value: glass.email })],
  ]
  const onPushed: typeof attempts = [
    [403, `PATCH /Users/${id}`, off],
    [403, `PUT /Users/${id}`, { userName: pushed.email, active: false }],
    [403, `DELETE /Users/${id}`],
  ]
  const all = databaseUrl === undefined ? attempts : [...attempts, ...onPushed]
  for (const [expected, question, body] of all) {
    const { status } = await scim(home.machine, question, body)
    if (status !== expected) breaches.push(`${question} answers ${status}, not ${expected}`)
  }
  for (const user of [glass, pushed]) {
    const { status } = await user.call('GET', '/profile')
    if (status !== 200) breaches.push(`a break-glass user is out: ${status}`)
  }
  refuteNothing(breaches)
  return `${all.length} attempts of the directory, and 1 to make one of its users`
}

const clerkOf = async (stage: Stage, { admin }: Directory) => {
  const clerk = await newUser(admin)
  const ids = await permissionIds(admin, admin.tenantId)
  const codes = [
    'sso:read',
    'sso:manage',
    'scim:provision',
    'role:read',
    'role:assign',
    'user:read',
    'user:update',
  ]
  const accounts = ['read', 'create', 'update', 'delete'].map((verb) => `service_account:${verb}`)
  const permissions = [...codes, ...accounts].map((code) => ids.get(code) ?? 0)
  const role = await addRole(stage.root, admin.tenantId, { name: unique('clerk'), permissions })
  ok(await admin.call('POST', `/rbac/users/${clerk.userId}/roles`, { role_id: role }))
  return clerk
}

/** A clerk tries to take over the directory, by its account or by another one. */
const proveRank = async (stage: Stage): Promise<string> => {
  const { home } = stage
  const clerk = await clerkOf(stage, home)
  const role = await letProvision(home.admin, home.machine.userId)
  const mine = ok(await clerk.call('POST', '/service-accounts', { name: unique('mine') })).id as number
  ok(await clerk.call('POST', `/rbac/users/${mine}/roles`, { role_id: role }))
  const { secret } = ok(await clerk.call('POST', `/service-accounts/${mine}/keys`, { name: 'mine' }))
  const group = await pushGroup(home, [await push(home, { userName: (await newColleague(home)).email })])
  const [admins] = await rolesNamed(home, 'admin')
  const account = `/service-accounts/${home.machine.userId}`
  const roles = `/rbac/users/${home.machine.userId}/roles`
  const connection = `/connections/${home.connectionId}`
  const attempts: [string, string, unknown?][] = [
    ['POST', `${account}/keys`, { name: 'x' }],
    ['DELETE', `${account}/keys/${home.machine.keyId}`],
    ['PUT', account, { status: 0 }],
    ['PUT', account, { name: unique('x') }],
    ['DELETE', account],
    ['POST', roles, { role_id: role }],
    ['DELETE', `${roles}/${role}`],
    ['PUT', connection, { scim_account_id: mine }],
    ['PUT', connection, { scim_account_id: null }],
    ['PUT', connection, { group_mappings: [{ group: group.id, role_id: admins }] }],
    ['POST', '/connections', { type: 'saml', name: 'x', metadata: 'x', scim_account_id: mine }],
    ['DELETE', connection],
  ]
  const breaches: string[] = []
  for (const [method, path, body] of attempts) {
    const { status } = await clerk.call(method, path, body)
    // A draft with wrong metadata is refused by its form.
    const expected = method === 'POST' && path === '/connections' ? [400, 403] : [403]
    const isRefused = expected.includes(status)
    if (!isRefused) breaches.push(`${method} ${path} ${JSON.stringify(body)} answers ${status}`)
  }
  const { status } = await scim({ base: clerk.base, token: secret }, 'POST /Users', {
    userName: `${unique('x')}@${home.domain}`,
  })
  if (status !== 403) breaches.push(`a key of the clerk's own answers ${status}`)
  refuteNothing(breaches)
  return `${attempts.length + 1} attempts of a clerk with sso:manage and all of service accounts`
}

export const rolesNamed = async ({ admin }: Directory, ...names: string[]): Promise<number[]> =>
  ok(await admin.call('GET', '/rbac/roles'))
    .filter(({ name }: { name: string }) => names.includes(name))
    .map(({ id }: { id: number }) => id)

export const proveReach = async (stage: Stage, prove: Prove): Promise<void> => {
  await prove('a directory sees and changes its own resources alone', () => proveIds(stage))
  await prove('only a key of the account that a connection names pushes', () => proveCallers(stage))
  await prove('a directory takes no address outside its verified domains', () => proveAddresses(stage))
  await prove('nobody below the tenant’s administrators takes over its directory', () => proveRank(stage))
  await prove('break-glass users are beyond a directory', () => proveBreakGlass(stage))
}
