/** Setup links: who sends them, what their guests do, and how both end. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startNameServer, type NameServer } from '../../../../../lab/name-server.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { openBrowser } from '../../../../test/browser.ts'
import { insertPolicies } from '../../../../test/approval-rows.ts'
import { isNeeded, withPolicy } from '../../../../test/approving.ts'
import { scim } from '../../../../test/directories.ts'
import {
  newTenant,
  ok,
  password,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, clock, parts, service, startApp, type Running } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { codeIn, giveCode, insertEmailCode, otherThan } from '../../../../test/mailed-codes.ts'
import { providerSecret, startProvider, type TestProvider } from '../../../../test/provider.ts'
import {
  codeOf,
  enter,
  giveSetupCode,
  openLink,
  sendLink,
  type TestGuest,
} from '../../../../test/setup-links.ts'
import { fieldsOf, goThrough, insertDomain, personAt } from '../../../../test/sso.ts'
import { textsBy } from '../../../outbound/texts.ts'
import { systemCtx } from '../../../start/parts.ts'
import { endSetupLinks } from './ending.service.ts'

const server = useMailServer()
const texts: Record<string, string[][]> = {}
let nameServer: NameServer
let at: Running
let provider: TestProvider
beforeAll(async () => {
  nameServer = await startNameServer({}, texts)
  at = await startApp({}, undefined, { readTexts: textsBy([nameServer.server]) })
  provider = await startProvider()
})
afterAll(async () => {
  await at.app.close()
  await nameServer.stop()
  await provider.stop()
})

const shut = refusal('permissionMissing')
const out = refusal('tokenInvalid')
const maintain = () => endSetupLinks(systemCtx(parts, 'maintenance'))

const draft = (changes: object = {}) => ({
  type: 'oidc',
  name: 'Entra ID',
  issuer: provider.issuer,
  client_id: 'tenantry',
  client_secret: providerSecret,
  ...changes,
})
const create = async (by: Pick<Caller | TestGuest, 'post'>, changes: object = {}): Promise<string> =>
  ok(await by.post('/connections', draft(changes))).id

const guestOf = async ({ admin }: Tenant, fields: object = {}): Promise<TestGuest> =>
  enter(server, await sendLink(server, admin, fields))

const update = (tenantId: string, statement: ReturnType<typeof sql>) =>
  parts.store.scoped({ tenantId }).run(statement)

const recordsOf = async ({ admin }: Tenant, resource: string) =>
  ok(await admin.get(`/audit/logs?resource=${resource}`)).items as {
    action: string
    user_id: number
    detail: Record<string, unknown>
  }[]

describe('a setup link', () => {
  test('is mailed, and stands in no answer and no record', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const fields = { parts: ['connection', 'domains'], role_ids: [role.id], expires_in_hours: 5 }
    const { id, email, token } = await sendLink(server, tenant.admin, fields)
    expect(token).toMatch(/^[\w-]{64}$/)
    const [link] = ok(await tenant.admin.get('/setup-links'))
    expect(link).toMatchObject({ ...fields, id, email, connection_id: null, may_activate: false })
    expect(link).toMatchObject({ status: 'open', created_by: tenant.admin.userId, last_used_at: '' })
    const records = await recordsOf(tenant, 'setup_link')
    expect(records.map(({ action }) => action)).toEqual(['setup_link.create'])
    expect(JSON.stringify([link, records])).not.toContain(token)
    const { source = '' } = server.to(email).at(-1) ?? {}
    expect(source.replaceAll(/=\r?\n/g, '')).toContain('t need an account.')
    await codeOf(server, { id, email, token })
    expect(server.to(email).at(-1)?.subject).toMatch(/^Your code to set up single sign-on for /)
  })

  test('needs sso:manage and rank, mail, known roles and a draft', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('sso:manage', 'sso:read')
    const body = { email: `${unique()}@example.com`, parts: ['connection'] }
    expect(await clerk.post('/setup-links', body)).toMatchObject(refusal('targetOutranksCaller'))
    const silent = await startApp({}, undefined, { mailer: undefined })
    expect(await tenant.admin.post('/setup-links', body, { at: silent })).toMatchObject(refusal('mailOff'))
    await silent.app.close()
    const refused: [object, string][] = [
      [{ role_ids: [999_999] }, 'role_ids.0'],
      [{ connection_id: '3f2b8c1e-9d4a-4e5b-8a6f-0c1d2e3f4a5b' }, 'connection_id'],
      [{ parts: ['domains', 'directory'] }, 'connection_id'],
    ]
    for (const [fields, field] of refused) {
      expect(await tenant.admin.post('/setup-links', { ...body, ...fields })).toMatchObject(refusalOf(field))
    }
  })

  test('names no draft with a directory, with more roles than the link, or of another open link', async () => {
    const tenant = await newTenant()
    const account = ok(await tenant.admin.post('/service-accounts', { name: 'Own' }))
    const [known, other] = [await tenant.role(), await tenant.role()]
    const send = async (connection_id: string) =>
      tenant.admin.post('/setup-links', {
        email: `${unique()}@example.com`,
        parts: ['connection'],
        connection_id,
        role_ids: [known.id],
      })
    const more: object[] = [
      { scim_account_id: account.id },
      { trust_mfa: true },
      { default_role_ids: [other.id] },
      { group_mappings: [{ group: 'all', role_id: other.id }] },
    ]
    for (const fields of more) {
      const id = await create(tenant.admin, fields)
      expect(await send(id)).toMatchObject(refusalOf('connection_id'))
      ok(await tenant.admin.delete(`/connections/${id}`))
    }
    const id = await create(tenant.admin, { default_role_ids: [known.id] })
    const { data: link } = await send(id)
    expect(await send(id)).toMatchObject(refusalOf('connection_id'))
    ok(await tenant.admin.delete(`/setup-links/${link.id}`))
    expect((await send(id)).status).toBe(200)
  })

  test('is one of 20 that a tenant sends within an hour', async () => {
    const { admin } = await newTenant()
    const send = () => admin.post('/setup-links', { email: `${unique()}@example.com`, parts: ['domains'] })
    for (let sent = 0; sent < 20; sent++) ok(await admin.delete(`/setup-links/${ok(await send()).id}`))
    expect(await send()).toMatchObject(refusal('tooManyRequests'))
  })

  test('is one of ten open ones of a tenant', async () => {
    const { admin } = await newTenant()
    const send = () => admin.post('/setup-links', { email: `${unique()}@example.com`, parts: ['domains'] })
    const answers = []
    for (let sent = 0; sent < 11; sent++) answers.push(await send())
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(200), 400])
    expect(answers[10]).toMatchObject(refusal('setupLinksFull'))
    ok(await admin.delete(`/setup-links/${answers[0]?.data.id}`))
    expect((await send()).status).toBe(200)
  })

  test('is dead alike for an unknown, revoked, expired and tampered token', async () => {
    const tenant = await newTenant()
    const [revoked, expired] = [await sendLink(server, tenant.admin), await sendLink(server, tenant.admin)]
    ok(await tenant.admin.delete(`/setup-links/${revoked.id}`))
    await update(tenant.id, sql`update setup_links set expires_at = ${clock.now()} where id = ${expired.id}`)
    const tampered = `${revoked.token.slice(0, 60)}AAAA`
    for (const token of [revoked.token, expired.token, tampered, 'unknown', 'x'.repeat(64)]) {
      expect(await openLink(token)).toMatchObject(refusal('linkDead'))
      expect(await giveSetupCode({ token, challenge: 'any', code: '123456' })).toMatchObject(
        refusal('linkDead'),
      )
    }
    expect(await tenant.admin.delete(`/setup-links/${revoked.id}`)).toMatchObject(refusal('setupLinkUnknown'))
  })
})

describe('the code of a setup link', () => {
  test('goes to the address of the link, with or without an account, so a forwarded link is of no use', async () => {
    const tenant = await newTenant()
    const known = await tenant.member()
    const link = await sendLink(server, tenant.admin)
    const toKnown = await sendLink(server, tenant.admin, { email: known.email })
    expect((await openLink(link.token)).status).toBe(200)
    expect(await codeIn(server, link.email)).toMatch(/^\d{6}$/)
    expect(toKnown.token).toBe('')
    ok(await openLink(await tokenFor(known.email)))
    expect(await codeIn(server, known.email)).toMatch(/^\d{6}$/)
  })

  const tokenFor = async (email: string): Promise<string> =>
    /#token=([\w-]+)/.exec(server.to(email).find(({ link }) => link?.includes('/setup#'))?.link ?? '')?.[1] ??
    ''

  test('opens nothing with another link or challenge, a second time, or wrong: 401, all alike', async () => {
    const tenant = await newTenant()
    const [one, other] = [await sendLink(server, tenant.admin), await sendLink(server, tenant.admin)]
    const given = await codeOf(server, one)
    const wrong = refusal('emailCodeWrong')
    expect(await giveSetupCode({ ...given, token: other.token })).toMatchObject(wrong)
    expect(await giveSetupCode({ ...given, challenge: 'any' })).toMatchObject(wrong)
    expect(await giveSetupCode({ ...given, code: otherThan(given.code) })).toMatchObject(wrong)
    expect((await giveSetupCode(given)).status).toBe(200)
    expect(await giveSetupCode(given)).toMatchObject(wrong)
    const late = await codeOf(server, one)
    clock.advance(10 * 60_000 + 1000)
    expect(await giveSetupCode(late)).toMatchObject(wrong)
  })

  test('dies after five wrong answers, and the address waits after twenty', async () => {
    const tenant = await newTenant()
    const limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const link = await sendLink(server, tenant.admin)
    const from = (source: number) => ({
      at: limited,
      headers: { 'x-forwarded-for': `192.0.2.${source}` },
    })
    const statuses: number[] = []
    for (let round = 1; round <= 4; round++) {
      const { challenge } = ok(await openLink(link.token, from(round)))
      const code = await codeIn(server, link.email)
      const give = async (given: string) =>
        (await giveSetupCode({ token: link.token, challenge, code: given }, from(round))).status
      for (let wrong = 0; wrong < 5; wrong++) statuses.push(await give(otherThan(code)))
      statuses.push(await give(code))
    }
    expect(statuses).toEqual(Array<number>(24).fill(401))
    expect(await openLink(link.token, from(9))).toMatchObject(refusal('tooManyCodes'))
    await limited.app.close()
  })

  test('proves no account, and a code of a sign-in lets no guest in', async () => {
    const tenant = await newTenant()
    const person = await tenant.member()
    const email = { email: person.email }
    ok(await tenant.admin.post('/setup-links', { ...email, parts: ['connection'] }))
    await codeIn(server, person.email)
    const token = await tokenFor(person.email)
    const { challenge } = ok(await openLink(token))
    const code = await codeIn(server, person.email)
    expect(await giveCode(challenge, code)).toMatchObject(refusal('emailCodeWrong'))
    const signIn = await insertEmailCode(person.email)
    expect(await giveSetupCode({ token, ...signIn })).toMatchObject(refusal('emailCodeWrong'))
    expect((await giveSetupCode({ token, challenge, code })).status).toBe(200)
  })
})

describe('a guest', () => {
  /** The whole of what guests reach. */
  const opened: Record<string, string> = {
    'GET /api/v1/domains': 'domains',
    'POST /api/v1/domains': 'domains',
    'POST /api/v1/domains/:id/verify': 'domains',
    'DELETE /api/v1/domains/:id': 'domains',
    'GET /api/v1/connections': 'connection',
    'GET /api/v1/connections/:id': 'connection',
    'POST /api/v1/connections': 'connection',
    'PUT /api/v1/connections/:id': 'connection',
    'DELETE /api/v1/connections/:id': 'connection',
    'POST /api/v1/connections/:id/test': 'connection',
    'GET /api/v1/connections/:id/attempts': 'connection',
    'POST /api/v1/setup/directory': 'directory',
  }

  const routes = service.routes
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, url, config }) => ({ name: `${[method].flat().join()} ${url}`, config }))

  test('is served by the listed routes alone', () => {
    const serving = routes.flatMap(({ name, config }) => (config?.guests ? [[name, config.guests]] : []))
    expect(Object.fromEntries(serving)).toEqual(opened)
  })

  test('gets 403 at every operation that is not of the named parts', async () => {
    const guest = await guestOf(await newTenant(), { parts: ['domains'] })
    const needsToken = ({ name, config }: (typeof routes)[number]) =>
      config?.allow !== undefined || / \/(?:scim|ofrep)\//.test(name)
    const closed = routes.filter(needsToken).filter(({ config }) => config?.guests !== 'domains')
    const passed: unknown[] = []
    for (const { name } of closed) {
      const [method = '', url = ''] = name.split(' ')
      const { status } = await guest.send(method, `/${url.replaceAll(/:[A-Za-z]+/g, '1')}`)
      if (status !== 403) passed.push([name, status])
    }
    expect(passed).toEqual([])
    const names = closed.map(({ name }) => name)
    expect(names).toEqual(
      expect.arrayContaining(['GET /api/v1/users', 'GET /api/v1/profile', 'GET /scim/v2/Users']),
    )
  })

  test('gets 403 where a credential is optional, and is no person to an application', async () => {
    const guest = await guestOf(await newTenant())
    for (const path of ['/auth/invitations/accept', '/auth/sign-up/confirm']) {
      expect(await guest.post(path, { token: 'x', username: 'abc', password: 'x' })).toMatchObject(shut)
    }
    expect((await guest.get('//oauth2/userinfo')).status).toBe(401)
  })

  test('reaches the one tenant, whatever X-Tenant-ID says', async () => {
    const guest = await guestOf(await newTenant())
    const { id: tenant } = await newTenant()
    expect(await guest.get('/connections', { tenant })).toMatchObject(refusal('tenantForeign'))
  })

  test('creates one draft, sees no other connection, and deletes only the own draft', async () => {
    const tenant = await newTenant()
    const other = await create(tenant.admin)
    const guest = await guestOf(tenant)
    expect(ok(await guest.get('/connections'))).toEqual([])
    const id = await create(guest)
    expect(ok(await guest.get('/connections')).map((one: { id: string }) => one.id)).toEqual([id])
    expect(ok(await guest.get(`/connections/${id.toUpperCase()}`))).toMatchObject({ status: 'draft', id })
    expect(await guest.post('/connections', draft())).toMatchObject(shut)
    for (const ask of [
      guest.get(`/connections/${other}`),
      guest.put(`/connections/${other}`, { name: 'Mine' }),
      guest.delete(`/connections/${other}`),
      guest.post(`/connections/${other}/test`),
      guest.get(`/connections/${other}/attempts`),
    ]) {
      expect(await ask).toMatchObject(shut)
    }
    ok(await guest.delete(`/connections/${id}`))
    ok(await guest.put(`/connections/${await create(guest)}`, { name: 'Second' }))
    const [record] = await recordsOf(tenant, 'connection')
    expect(record).toMatchObject({
      user_id: 0,
      detail: { guest: { email: guest.link.email, setup_link_id: guest.link.id } },
    })
  })

  test('two guests of a link create one connection at the same time', async () => {
    const tenant = await newTenant()
    const link = await sendLink(server, tenant.admin)
    const [one, two] = [await enter(server, link), await enter(server, link)]
    const id = one.newConnectionId
    expect(two.newConnectionId).toBe(id)
    const answers = await Promise.all([one, two].map((guest) => guest.post('/connections', draft({ id }))))
    expect(tally(answers)).toEqual({ 200: 1, 403: 1 })
    expect(ok(await one.get('/connections'))).toEqual(ok(await two.get('/connections')))
  })

  test('changes the draft of the link, but deletes it not', async () => {
    const tenant = await newTenant()
    const connection_id = await create(tenant.admin)
    const guest = await guestOf(tenant, { connection_id })
    ok(await guest.put(`/connections/${connection_id}`, { name: 'Better', client_id: 'other' }))
    expect(await guest.delete(`/connections/${connection_id}`)).toMatchObject(shut)
    expect(await guest.post('/connections', draft())).toMatchObject(shut)
    ok(await tenant.admin.delete(`/setup-links/${guest.link.id}`))
    expect(ok(await tenant.admin.get(`/connections/${connection_id}`)).name).toBe('Better')
  })

  test('gives no role outside the link, and sends no field that decides about people', async () => {
    const tenant = await newTenant()
    const given = await tenant.role('user:read')
    const guest = await guestOf(tenant, { role_ids: [given.id] })
    const shutFields: object[] = [
      { jit: false },
      { default_role_ids: [given.id] },
      { trust_mfa: true },
      { session_seconds: 300 },
      { scim_account_id: null },
      { application_id: null },
      { group_mappings: [{ group: 'all', role_id: systemRoleId('admin') }] },
      {
        group_mappings: [
          { group: 'a', role_id: given.id },
          { group: 'b', role_id: systemRoleId('viewer') },
        ],
      },
    ]
    for (const fields of shutFields) {
      expect([fields, await guest.post('/connections', draft(fields))]).toMatchObject([fields, shut])
    }
    const id = await create(guest, { group_mappings: [{ group: 'a', role_id: given.id }] })
    for (const fields of [...shutFields, { status: 'active' }, { status: 'disabled' }]) {
      expect([fields, await guest.put(`/connections/${id}`, fields)]).toMatchObject([fields, shut])
    }
    expect(ok(await tenant.admin.get(`/connections/${id}`))).toMatchObject({
      status: 'draft',
      jit: true,
      default_role_ids: [],
      group_mappings: [{ group: 'a', role_id: given.id }],
    })
  })

  test('learns of tests whether the provider answers, and nothing about users and accounts', async () => {
    const [tenant, elsewhere] = [await newTenant(), await newTenant()]
    const domain = `${unique('d')}.example`
    await insertDomain(tenant.id, domain)
    const guest = await guestOf(tenant)
    const { id, callback_url: callback } = ok(await guest.post('/connections', fieldsOf(provider, domain)))
    provider.allow(callback)
    const emailOf = () => `${unique('p')}@${domain}`
    const [disabled, colleague, stranger] = [emailOf(), emailOf(), emailOf()]
    const add = async (by: Tenant, email: string, fields: object = {}) =>
      ok(await by.admin.post('/users', { email, username: unique('p'), password, ...fields }))
    const { id: left } = await add(tenant, disabled)
    ok(await tenant.admin.put(`/users/${left}`, { status: 0 }))
    await add(tenant, colleague)
    await add(elsewhere, stranger)
    const connection = { id, tenantId: tenant.id, domain, provider }
    for (const email of [emailOf(), disabled, colleague, stranger]) {
      const { url } = ok(await guest.post(`/connections/${id}/test`)) as { url: string }
      const ticket = new URL(url).searchParams.get('test')
      await goThrough(openBrowser(), connection, personAt({ domain }, { email }), `&test=${ticket}`)
    }
    const { items } = ok(await guest.get(`/connections/${id}/attempts`))
    const told = items.map(({ outcome, reason, number }: Record<string, unknown>) => [
      outcome,
      reason,
      number,
    ])
    expect(new Set(told.map(String))).toEqual(new Set(['test_passed,answered,0']))
    expect(told).toHaveLength(4)
  })

  test('sees only the own tests, of what a person at the provider has', async () => {
    const tenant = await newTenant()
    const domain = `${unique('d')}.example`
    await insertDomain(tenant.id, domain)
    const guest = await guestOf(tenant)
    const { id, callback_url: callback } = ok(await guest.post('/connections', fieldsOf(provider, domain)))
    provider.allow(callback)
    const connection = { id, tenantId: tenant.id, domain, provider }
    const tryBy = async (by: Pick<Caller | TestGuest, 'post'>) => {
      const { url } = ok(await by.post(`/connections/${id}/test`)) as { url: string }
      await goThrough(
        openBrowser(),
        connection,
        personAt({ domain }),
        `&test=${new URL(url).searchParams.get('test')}`,
      )
    }
    await tryBy(tenant.admin)
    await tryBy(guest)
    expect(ok(await tenant.admin.get(`/connections/${id}/attempts`)).total).toBe(2)
    const { items, total } = ok(await guest.get(`/connections/${id}/attempts`))
    expect([total, items[0].outcome]).toEqual([1, 'test_passed'])
    expect(await guest.put(`/connections/${id}`, { status: 'active' })).toMatchObject(shut)
  })

  test('proves domains by DNS, captures none of another tenant, and deletes no verified one', async () => {
    const [tenant, owner] = [await newTenant(), await newTenant()]
    const guest = await guestOf(tenant, { parts: ['domains'] })
    const post = (path: string, body?: object) => guest.post(path, body, { at })
    const taken = `${unique('d')}.example`
    await insertDomain(owner.id, taken)
    const own = ok(await post('/domains', { domain: `${unique('d')}.example` }))
    const foreign = ok(await post('/domains', { domain: taken }))
    for (const { record_name: name, record_value: value } of [own, foreign]) texts[name] = [[value]]
    expect(ok(await post(`/domains/${own.id}/verify`)).status).toBe('verified')
    expect(await post(`/domains/${foreign.id}/verify`)).toMatchObject(refusal('domainOfAnother'))
    expect(await guest.delete(`/domains/${own.id}`)).toMatchObject(shut)
    ok(await guest.delete(`/domains/${foreign.id}`))
    const [listed] = ok(await owner.admin.get('/domains'))
    expect(listed).toMatchObject({ domain: taken, status: 'verified' })
  })

  test('takes no domain away from a connection in use', async () => {
    const tenant = await newTenant()
    const { id: domainId, domain } = ok(
      await tenant.admin.post('/domains', { domain: `${unique('d')}.example` }),
    )
    const active = await create(tenant.admin, { domains: [domain] })
    await update(tenant.id, sql`update connections set status = 'active' where id = ${active}`)
    const guest = await guestOf(tenant, { parts: ['domains', 'connection'] })
    expect(await guest.delete(`/domains/${domainId}`)).toMatchObject(shut)
    expect(await guest.post('/connections', draft({ domains: [domain] }))).toMatchObject(refusalOf('domains'))
  })
})

const setTested = (tenantId: string, id: string) =>
  update(tenantId, sql`update connections set tested_at = ${clock.now()} where id = ${id}`)

describe('an activation', () => {
  test('leaves guests only reading', async () => {
    const tenant = await newTenant()
    const guest = await guestOf(tenant, { may_activate: true, parts: ['connection', 'directory'] })
    const id = await create(guest)
    await setTested(tenant.id, id)
    ok(await tenant.admin.put(`/connections/${id}`, { status: 'active' }))
    for (const status of ['active', 'disabled']) {
      await update(tenant.id, sql`update connections set status = ${status} where id = ${id}`)
      expect(ok(await guest.get(`/connections/${id}`)).status).toBe(status)
      for (const ask of [
        guest.put(`/connections/${id}`, { name: 'Mine' }),
        guest.put(`/connections/${id}`, { status: 'active' }),
        guest.delete(`/connections/${id}`),
        guest.post(`/connections/${id}/test`),
        guest.post('/setup/directory'),
        guest.post('/connections', draft()),
      ]) {
        expect(await ask).toMatchObject(shut)
      }
    }
  })

  test('is not for a guest of a draft that gives more than the link by then', async () => {
    const tenant = await newTenant()
    const role = await tenant.role()
    const guest = await guestOf(tenant, { may_activate: true })
    const id = await create(guest)
    ok(await tenant.admin.put(`/connections/${id}`, { default_role_ids: [role.id] }))
    await setTested(tenant.id, id)
    expect(await guest.put(`/connections/${id}`, { status: 'active' })).toMatchObject(shut)
    expect(ok(await tenant.admin.get(`/connections/${id}`)).status).toBe('draft')
    ok(await tenant.admin.put(`/connections/${id}`, { default_role_ids: [] }))
    expect((await guest.put(`/connections/${id}`, { status: 'active' })).status).toBe(200)
  })

  test('is not for a guest where a policy asks for approvals of single sign-on', async () => {
    const { tenant, asker } = await withPolicy('webhook.change')
    const guest = await guestOf(tenant, { may_activate: true })
    const id = await create(guest)
    await setTested(tenant.id, id)
    await insertPolicies(tenant.id, ['sso.change'])
    ok(await guest.put(`/connections/${id}`, { name: 'Guests change their draft all the same' }))
    await setTested(tenant.id, id)
    expect(await guest.put(`/connections/${id}`, { status: 'active' })).toMatchObject(
      isNeeded({ operations: ['sso.change'], approvals: 1, break_glass: false }),
    )
    expect(ok(await asker.get(`/connections/${id}`)).status).toBe('draft')
  })

  test('is for a guest with may_activate after a test, and tells every holder', async () => {
    const tenant = await newTenant()
    const guest = await guestOf(tenant, { may_activate: true })
    const id = await create(guest)
    const activate = () => guest.put(`/connections/${id}`, { status: 'active' })
    expect(await activate()).toMatchObject(refusal('connectionUntested'))
    await setTested(tenant.id, id)
    expect(ok(await activate()).status).toBe('active')
    const [record] = await recordsOf(tenant, 'connection')
    expect(record).toMatchObject({
      action: 'connection.activate',
      user_id: 0,
      detail: { guest: { setup_link_id: guest.link.id } },
    })
    const { items } = ok(await tenant.admin.get(`/notifications/user/${tenant.admin.userId}`))
    expect(items[0].content).toContain(guest.link.email.split('@')[0])
    clock.advance(73 * 3_600_000)
    await maintain()
    clock.offsetMs = 0
    expect(ok(await tenant.admin.get(`/connections/${id}`)).status).toBe('active')
  })
})

describe('the directory of a guest', () => {
  const provisions = async (key: string) => (await scim(key, 'GET', '/Users')).status

  const withDirectory = async () => {
    const tenant = await newTenant()
    const guest = await guestOf(tenant, { parts: ['connection', 'directory'] })
    const early = await guest.post('/setup/directory')
    const id = await create(guest)
    const made = ok(await guest.post('/setup/directory')) as { base_url: string; key: string }
    return { tenant, guest, id, early, made }
  }

  test('comes after the connection, and its key provisions nothing before a holder activates it', async () => {
    const { tenant, guest, id, early, made } = await withDirectory()
    expect(early).toMatchObject(refusal('connectionUnknown'))
    expect(made.base_url).toBe(`${parts.config.publicUrl}/scim/v2`)
    expect(await provisions(made.key)).toBe(401)
    expect(await call('GET', '/attributes', { token: made.key })).toMatchObject(out)
    const again = ok(await guest.post('/setup/directory')) as { key: string }
    expect(await provisions(made.key)).toBe(401)
    await setTested(tenant.id, id)
    ok(await tenant.admin.put(`/connections/${id}`, { name: 'Not yet' }))
    expect(await provisions(again.key)).toBe(401)
    ok(await tenant.admin.put(`/connections/${id}`, { status: 'active' }))
    expect(await provisions(again.key)).toBe(200)
    ok(await tenant.admin.delete(`/setup-links/${guest.link.id}`))
    expect(await provisions(again.key)).toBe(200)
    const created = await recordsOf(tenant, 'service_account_key')
    expect(created[0]).toMatchObject({ user_id: 0, detail: { guest: { email: guest.link.email } } })
    expect(JSON.stringify(created)).not.toContain(again.key)
  })

  test('holds scim:provision alone', async () => {
    const { tenant } = await withDirectory()
    const [account] = ok(await tenant.admin.get('/service-accounts')).items
    const roles = ok(await tenant.admin.get(`/rbac/users/${account.id}/roles`))
    expect(
      roles.flatMap((role: { permissions: { code: string }[] }) => role.permissions.map(({ code }) => code)),
    ).toEqual(['scim:provision'])
  })

  test.each([
    [
      'is revoked',
      async ({ admin }: Tenant, id: string) => void ok(await admin.delete(`/setup-links/${id}`)),
    ],
    [
      'expires',
      async () => {
        clock.advance(73 * 3_600_000)
        await maintain()
        clock.offsetMs = 0
      },
    ],
  ])('goes with connection, account, key and role when the link %s', async (_how, end) => {
    const { tenant, guest, id, made } = await withDirectory()
    await end(tenant, guest.link.id)
    expect(await provisions(made.key)).toBe(401)
    expect((await tenant.admin.get(`/connections/${id}`)).status).toBe(404)
    expect(ok(await tenant.admin.get('/service-accounts')).total).toBe(0)
    const roles = ok(await tenant.admin.get('/rbac/roles')) as { name: string }[]
    expect(roles.filter(({ name }) => name.startsWith('Directory'))).toEqual([])
    expect(ok(await tenant.admin.get('/setup-links'))[0].status).toBe('ended')
  })

  test('is not enabled if the connection names it no more, and goes when the link ends', async () => {
    const { tenant, guest, id, made } = await withDirectory()
    ok(await tenant.admin.put(`/connections/${id}`, { scim_account_id: null }))
    await setTested(tenant.id, id)
    ok(await tenant.admin.put(`/connections/${id}`, { status: 'active' }))
    expect(await call('GET', '/attributes', { token: made.key })).toMatchObject(out)
    ok(await tenant.admin.delete(`/setup-links/${guest.link.id}`))
    expect(ok(await tenant.admin.get('/service-accounts')).total).toBe(0)
    expect(ok(await tenant.admin.get(`/connections/${id}`)).status).toBe('active')
  })

  test('never replaces a directory of the tenant', async () => {
    const tenant = await newTenant()
    const account = ok(await tenant.admin.post('/service-accounts', { name: 'Own' }))
    const connection_id = await create(tenant.admin)
    const guest = await guestOf(tenant, { connection_id, parts: ['connection', 'directory'] })
    ok(await tenant.admin.put(`/connections/${connection_id}`, { scim_account_id: account.id }))
    expect(await guest.post('/setup/directory')).toMatchObject(shut)
    expect(await guest.put(`/connections/${connection_id}`, { group_mappings: [] })).toMatchObject(shut)
    expect(ok(await tenant.admin.get(`/connections/${connection_id}`)).scim_account_id).toBe(account.id)
  })
})

describe('the end of a guest’s rights', () => {
  const root = () => platformAdmin()
  const endings: [string, (of: { tenant: Tenant; maker: Caller; linkId: string }) => Promise<unknown>][] = [
    ['by DELETE', async ({ tenant, linkId }) => ok(await tenant.admin.delete(`/setup-links/${linkId}`))],
    [
      'when the link expires',
      ({ tenant, linkId }) =>
        update(tenant.id, sql`update setup_links set expires_at = ${clock.now()} where id = ${linkId}`),
    ],
    ['after 60 minutes', async () => clock.advance(3_600_000 + 1000)],
    [
      'when the maker is deleted',
      async ({ tenant, maker }) => ok(await tenant.admin.delete(`/users/${maker.userId}`)),
    ],
    [
      'when the maker is disabled',
      async ({ tenant, maker }) => ok(await tenant.admin.put(`/users/${maker.userId}`, { status: 0 })),
    ],
    [
      'when the maker loses the rank',
      async ({ tenant, maker }) => {
        const id = systemRoleId('admin')
        ok(await tenant.admin.delete(`/rbac/users/${maker.userId}/roles/${id}`))
        const manager = await tenant.role('sso:manage', 'sso:read')
        ok(await tenant.admin.post(`/rbac/users/${maker.userId}/roles`, { role_id: manager.id }))
      },
    ],
    [
      'when the tenant is disabled',
      async ({ tenant }) => ok(await (await root()).put(`/org/tenants/${tenant.id}`, { status: 0 })),
    ],
    [
      'when the tenant is deleted',
      async ({ tenant }) => ok(await (await root()).delete(`/org/tenants/${tenant.id}`)),
    ],
  ]

  test.each(endings)('comes in the next call %s', async (how, end) => {
    const tenant = await newTenant()
    const maker = await tenant.member()
    ok(await tenant.admin.post(`/rbac/users/${maker.userId}/roles`, { role_id: systemRoleId('admin') }))
    const link = await sendLink(server, maker)
    const guest = await enter(server, link)
    ok(await guest.get('/connections'))
    await end({ tenant, maker, linkId: link.id })
    expect(await guest.get('/connections')).toMatchObject(out)
    expect(await guest.post('/connections', draft())).toMatchObject(out)
    const isLinkDead = how !== 'after 60 minutes'
    expect((await openLink(link.token)).status).toBe(isLinkDead ? 400 : 200)
  })

  test('comes when the maker of another tenant may not enter this one', async () => {
    const tenant = await newTenant()
    const link = await sendLink(server, await root(), {}, { tenant: tenant.id })
    const guest = await enter(server, link)
    ok(await guest.get('/connections'))
    const stripped = await platformAdmin()
    await update(
      tenant.id,
      sql`update setup_links set created_by = ${tenant.admin.userId} where id = ${link.id}`,
    )
    expect(await guest.get('/connections')).toMatchObject(out)
    expect(stripped.tenantId).not.toBe(tenant.id)
  })

  test('comes within a call that began before', async () => {
    const tenant = await newTenant()
    const guest = await guestOf(tenant)
    const slow = await startProvider()
    const asking = guest.post('/connections', draft({ issuer: slow.issuer }))
    ok(await tenant.admin.delete(`/setup-links/${guest.link.id}`))
    expect([401, 403]).toContain((await asking).status)
    await slow.stop()
    expect(ok(await tenant.admin.get('/connections'))).toEqual([])
  })

  test('comes for good by maintenance, and living links stay', async () => {
    const tenant = await newTenant()
    const maker = await tenant.member()
    ok(await tenant.admin.post(`/rbac/users/${maker.userId}/roles`, { role_id: systemRoleId('admin') }))
    const guest = await enter(server, await sendLink(server, maker))
    const kept = await guestOf(tenant)
    const id = await create(guest)
    ok(await tenant.admin.delete(`/users/${maker.userId}`))
    await maintain()
    expect((await tenant.admin.get(`/connections/${id}`)).status).toBe(404)
    ok(await kept.get('/connections'))
  })
})
