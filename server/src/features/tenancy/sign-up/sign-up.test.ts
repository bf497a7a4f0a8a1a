import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { actionsOf, newSource, pingStatus, postLogin } from '../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import {
  assign,
  auditRecords,
  keyWith,
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
} from '../../../../test/factories.ts'
import {
  call,
  clock,
  parts,
  startApp,
  type Answer,
  type Call,
  type Running,
} from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { accept, claimsOf, newPerson } from '../../../../test/people.ts'
import { addTotp, postFactor, withTokens } from '../../../../test/second-factors.ts'
import { builtInTenant } from '../../../access/permissions.ts'
import type { Config } from '../../../config/config.ts'
import { openMailer } from '../../../mail/mailer.ts'

const server = useMailServer()
const many = { signUp: 'organization', signUpsPerHour: 1_000_000 } as const

let open: Running
beforeAll(async () => {
  open = await startApp(many)
})
afterAll(() => open.app.close())

const start = async (changes: Partial<Config> = {}): Promise<Running> => {
  const running = await startApp({ ...many, ...changes })
  onTestFinished(() => running.app.close())
  return running
}

const address = () => `${unique('s')}@example.com`

const ask = (body: object, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/sign-up', {
    at: open,
    ...options,
    body: { organization: unique('Acme '), email: address(), ...body },
  })

const lookUp = (token: string, path = '/auth/sign-up/lookup'): Promise<Answer> =>
  call('POST', path, { at: open, body: { token } })

const confirm = (token: string, body: object = {}, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/sign-up/confirm', {
    at: open,
    ...options,
    body: { token, username: unique('u'), password, ...body },
  })

const organize = (token: string, body: object = {}, options: Call = {}): Promise<Answer> =>
  call('POST', '/auth/organizations', {
    at: open,
    ...options,
    token,
    body: { organization: unique('Own '), username: unique('u'), ...body },
  })

/** Requests a link, and returns the mailed token. */
const tokenFor = async (email: string, body: object = {}): Promise<string> => {
  ok(await ask({ ...body, email }))
  await deliver(server)
  return server.to(email).findLast(({ link }) => link?.includes('/sign-up#'))?.token ?? ''
}

const tenantWith = async (where: { slug: string } | { name: string }) =>
  parts.store.scoped({}).many<{ id: string; slug: string; name: string }>(sql`
    select id, slug, name from tenants
    where deleted_at is null and ${'slug' in where ? sql`slug = ${where.slug}` : sql`name = ${where.name}`}`)

const accountOf = (email: string) =>
  parts.store.scoped({}).one<{ id: number }>(sql`select id from accounts where email = ${email}`)

/** A person who has signed up. Returns the tokens, and the ids that they contain. */
const founder = async (body: object = {}) => {
  const email = address()
  const { access_token: token } = ok(await confirm(await tokenFor(email, body)))
  return { email, token: token as string, ...claimsOf(token) }
}

describe('asking for an organization', () => {
  test('mails a link, whatever the address, and makes nothing else', async () => {
    const [stranger, member] = [address(), (await (await newTenant()).member()).email]
    const organization = unique('Nothing ')
    const answers = [await ask({ organization, email: stranger }), await ask({ organization, email: member })]
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [200, null],
      [200, null],
    ])
    await deliver(server)
    const mails = [stranger, member].map((email) => server.to(email).filter(({ link }) => link !== undefined))
    expect(mails.map(({ length }) => length)).toEqual([1, 1])
    expect(await tenantWith({ name: organization })).toEqual([])
    expect(await accountOf(stranger)).toBeUndefined()
  })

  test('proves the mailbox by a link in a file too, since no answer shows it', async () => {
    const mailer = openMailer({ ...parts.config, databaseUrl: undefined, smtpUrl: undefined }, parts.log)
    const trial = await startApp(many, undefined, { mailer })
    onTestFinished(() => trial.app.close())
    const prepared = (await (await newTenant()).member()).email
    for (const [email, proof] of [
      [address(), 'password'],
      [prepared, 'new_password'],
    ] as const) {
      ok(await ask({ email }, { at: trial }))
      await deliver(server)
      const { token = '' } = server.to(email).findLast(({ link }) => link?.includes('/sign-up#')) ?? {}
      expect(ok(await lookUp(token, '/auth/sign-up/lookup?include=proof')).proof).toBe(proof)
      const body = { password: undefined, [proof]: 'another long password' }
      const { access_token: access } = ok(await confirm(token, body, { at: trial }))
      ok(await organize(access, {}, { at: trial }))
    }
  })

  test('says nothing of the stranger in the mail', async () => {
    const email = address()
    const organization = unique('Buy Now ')
    ok(await ask({ organization, slug: unique('buy-now-'), email }))
    await deliver(server)
    const [mail] = server.to(email)
    expect(JSON.stringify(mail)).not.toMatch(/buy.?now/i)
  })

  test.each([
    ['an address', 'https://evil.example.com'],
    ['a host', 'Visit WWW.evil.example'],
    ['a full-width one', 'ｗｗｗ.evil.example'],
    ['a mailbox', 'ask me@evil.example'],
    ['a line break', 'Acme\nPay here'],
    ['a control character', 'Acme\u0007'],
    ['a change of direction', 'Acme \u202Eevil'],
    ['a sign of direction', 'Acme\u200F evil'],
  ])('is 400 with a name that is a message: %s', async (_name, organization) => {
    expect(await ask({ organization })).toMatchObject(refusalOf('organization'))
    const { token } = await founder()
    expect(await organize(token, { organization })).toMatchObject(refusalOf('organization'))
  })

  test('is 400 with a reserved slug, which an administrator may use', async () => {
    const root = await platformAdmin()
    const { token } = await founder()
    const link = await tokenFor(address())
    for (const slug of [
      'default',
      'tenantry',
      'admin',
      'api',
      'auth',
      'console',
      'login',
      'oauth2',
      'sign-in',
      'support',
      'www',
    ]) {
      expect(await ask({ slug })).toMatchObject(refusalOf('slug'))
      expect(await organize(token, { slug })).toMatchObject(refusalOf('slug'))
      expect(await confirm(link, { slug })).toMatchObject(refusalOf('slug'))
      const made = await root.post('/org/tenants', { name: 'Reserved', slug })
      expect(made.status).toBe(slug === 'default' ? 409 : 200)
    }
  })

  test('is 429 for the sixth of a source within an hour, and drops the sixth mail to an address', async () => {
    const limited = await start({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const email = address()
    const sources = [newSource(), newSource()]
    const from = (headers: Record<string, string>) => ask({ email }, { at: limited, headers })
    const statuses: number[] = []
    for (let n = 0; n < 6; n += 1) statuses.push((await from(sources[0] ?? {})).status)
    expect(statuses).toEqual([200, 200, 200, 200, 200, 429])
    expect((await from(sources[1] ?? {})).status).toBe(200)
    await deliver(server)
    expect(server.to(email)).toHaveLength(5)
  })

  test.each(['user', 'closed'] as const)('is 403 where the installation is open to "%s"', async (signUp) => {
    const at = await start({ signUp })
    expect(await ask({}, { at })).toMatchObject(refusal('signUpClosed'))
    expect(await confirm('x', {}, { at })).toMatchObject(refusal('signUpClosed'))
    expect(await organize((await platformAdmin()).token, {}, { at })).toMatchObject(refusal('signUpClosed'))
    expect(ok(await call('GET', '/auth/options', { at }))).toMatchObject({
      registration: signUp === 'user',
      sign_up: signUp,
    })
  })

  test('takes the place of registration', async () => {
    expect(ok(await call('GET', '/auth/options', { at: open }))).toMatchObject({
      registration: false,
      sign_up: 'organization',
    })
    const body = { email: address(), username: unique('u'), password }
    expect(await call('POST', '/auth/register', { at: open, body })).toMatchObject(
      refusal('registrationClosed'),
    )
  })
})

describe('the link of a sign-up', () => {
  test('makes tenant, account and administrator, and signs the person in there', async () => {
    const email = address()
    const organization = unique('Analytical Engines ')
    const token = await tokenFor(email, { organization })
    const found = ok(await lookUp(token))
    expect(found).toEqual({ organization, slug: found.slug, email, account_exists: false })
    const username = unique('ada')
    const { access_token: access } = ok(await confirm(token, { username, nickname: 'Ada' }))
    const { tenantId, userId } = claimsOf(access)
    expect(await tenantWith({ name: organization })).toEqual([
      { id: tenantId, name: organization, slug: found.slug },
    ])
    const profile = ok(await call('GET', '/profile', { at: open, token: access }))
    expect(profile).toMatchObject({ id: userId, username, email, nickname: 'Ada' })
    const roles = ok(
      await call('GET', `/rbac/users/${userId}/roles`, { at: open, token: access, tenant: tenantId }),
    )
    expect(roles.map(({ name }: { name: string }) => name)).toEqual(['admin', 'member'])
    expect((await postLogin(email)).status).toBe(200)
    const row = await parts.store.scoped({}).one<{ is_owned: boolean }>(sql`
      select coalesce(proved_email = email_folded, false) and has_own_password as is_owned
      from accounts where email = ${email}`)
    expect(row?.is_owned).toBe(true)
  })

  test('leaves a record in the built-in tenant, and the first one of the new one', async () => {
    const { tenantId, userId } = await founder()
    const [created] = await auditRecords(builtInTenant.id, 'tenant', tenantId)
    expect(created).toMatchObject({
      action: 'tenant.create',
      user_id: 0,
      detail: { source: { from: null, to: 'sign_up' } },
    })
    expect(await actionsOf({ userId, tenantId })).toEqual(['auth.login'])
  })

  test('works once, and one of two that follow it at once makes a tenant', async () => {
    const organization = unique('Twice ')
    const token = await tokenFor(address(), { organization })
    const answers = await Promise.all(Array.from({ length: 5 }, () => confirm(token)))
    expect(tally(answers)).toEqual({ 200: 1, 400: 4 })
    expect(await confirm(token)).toMatchObject(refusal('linkDead'))
    expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
    expect(await tenantWith({ name: organization })).toHaveLength(1)
  })

  test('is dead after 24 hours, and when it was made up', async () => {
    const token = await tokenFor(address())
    expect(await confirm('made-up')).toMatchObject(refusal('linkDead'))
    clock.advance(24 * 3_600_000 - 1000)
    expect((await lookUp(token)).status).toBe(200)
    clock.advance(2000)
    expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
    expect(await confirm(token)).toMatchObject(refusal('linkDead'))
  })

  test('is unspent by a taken slug, a missing or a short password and another caller', async () => {
    const taken = await newTenant()
    const { slug } = ok(await taken.admin.get(`/org/tenants/${taken.id}`))
    const email = address()
    const token = await tokenFor(email, { slug })
    expect(await confirm(token)).toMatchObject(refusal('slugTaken'))
    expect(await confirm(token, { password: undefined })).toMatchObject(refusalOf('password'))
    expect(await confirm(token, { password: 'short' })).toMatchObject(refusalOf('password'))
    expect(await confirm(token, {}, { token: taken.admin.token })).toMatchObject(
      refusal('invitationOfAnother'),
    )
    const other = unique('free-')
    const { access_token: access } = ok(await confirm(token, { slug: other }))
    expect(await tenantWith({ slug: other })).toMatchObject([{ id: claimsOf(access).tenantId }])
  })

  test('gives a slug by the name, with a number where it is taken', async () => {
    const name = unique('Çafé Ünïcode ')
    const slugs: string[] = []
    for (let n = 0; n < 3; n += 1) {
      const { tenantId } = await founder({ organization: name })
      const rows = await tenantWith({ name })
      slugs.push(rows.find(({ id }) => id === tenantId)?.slug ?? '')
    }
    const base = name.replace('Çafé Ünïcode ', 'cafe-unicode-').toLowerCase()
    expect(slugs).toEqual([base, `${base}-2`, `${base}-3`])
    const { tenantId } = await founder({ organization: '工程学' })
    const [row] = (await tenantWith({ name: '工程学' })).filter(({ id }) => id === tenantId)
    expect(row?.slug).toMatch(/^org(-\d+)?$/)
  })

  test('takes the password of an account that has an owner, and adds the tenant to it', async () => {
    const person = await newPerson(server, await newTenant())
    const token = await tokenFor(person.email)
    expect(ok(await lookUp(token, '/auth/sign-up/lookup?include=proof'))).toMatchObject({
      account_exists: true,
      proof: 'password',
    })
    expect(await confirm(token, { password: 'wrong' })).toMatchObject(refusal('credentialsWrong'))
    const { access_token: access } = ok(await confirm(token))
    expect(claimsOf(access).tenantId).not.toBe(person.tenantId)
    expect(ok(await call('GET', '/auth/memberships', { token: access }))).toHaveLength(2)
  })

  test('asks for the second factor of the account after it joined', async () => {
    const home = await newTenant()
    const person = await newPerson(server, home)
    const pair = { access_token: person.token, refresh_token: person.refreshToken }
    const app = await addTotp(withTokens(await home.member(), pair))
    const answer = await confirm(await tokenFor(person.email))
    expect(answer).toMatchObject({ status: 401, body: { code: 40108 } })
    const signedIn = ok(await postFactor({ challenge: answer.data.challenge, code: app.nextCode() }))
    expect(claimsOf(signedIn.access_token).tenantId).not.toBe(home.id)
    expect(await pingStatus(signedIn.access_token)).toBe(200)
  })

  test('takes a session of the person instead, whose sign-out ends it', async () => {
    const person = await newPerson(server, await newTenant())
    const token = await tokenFor(person.email)
    const { access_token: access } = ok(
      await confirm(token, { password: undefined }, { token: person.token }),
    )
    ok(await call('POST', '/auth/logout', { token: person.token }))
    expect(await pingStatus(access)).toBe(401)
  })

  test('gives an account that somebody else prepared to the mailbox, and ends what they had', async () => {
    const prepared = await (await newTenant()).member()
    const token = await tokenFor(prepared.email)
    expect(await confirm(token)).toMatchObject(refusal('newPasswordNeeded'))
    expect(await confirm(token, {}, { token: prepared.token })).toMatchObject(refusal('newPasswordNeeded'))
    ok(await confirm(token, { password: undefined, new_password: 'my very own password' }))
    expect(await pingStatus(prepared.token)).toBe(401)
    expect((await postLogin(prepared.email)).status).toBe(401)
    expect((await postLogin(prepared.email, 'my very own password')).status).toBe(200)
  })
})

describe('the limits', () => {
  test('an hour has a limit of organizations: 429 beyond, and the link stays valid', async () => {
    const row = await parts.store.scoped({}).only<{ count: number }>(sql`
      select count(*) as count from tenants
      where founder_account_id is not null and created_at > ${clock.now()}::timestamptz - interval '1 hour'`)
    const at = await start({ signUpsPerHour: row.count + 1 })
    const [first, second] = [await tokenFor(address()), await tokenFor(address())]
    const { access_token: access } = ok(await confirm(first, {}, { at }))
    const refused = await confirm(second, {}, { at })
    expect(refused).toMatchObject(refusal('tooManyRequests'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await organize(access, {}, { at })).toMatchObject(refusal('tooManyRequests'))
    clock.advance(3_601_000)
    expect((await confirm(second, {}, { at })).status).toBe(200)
  })

  test('a person has three organizations of their own making, and a removed one counts no more', async () => {
    const root = await platformAdmin()
    const { token, email, tenantId } = await founder()
    ok(await organize(token))
    ok(await organize(token))
    expect(await organize(token)).toMatchObject(refusal('organizationsFull'))
    const link = await tokenFor(email)
    expect(await confirm(link)).toMatchObject(refusal('organizationsFull'))
    ok(await root.delete(`/org/tenants/${tenantId}`))
    expect((await confirm(link)).status).toBe(200)
  })

  test('a tenant that came by sign-up sends 20 invitations a day in its first seven days', async () => {
    const { token } = await founder()
    const send = () => call('POST', '/invitations', { at: open, token, body: { email: address() } })
    for (let n = 0; n < 20; n += 1) ok(await send())
    expect(await send()).toMatchObject(refusal('tooManyRequests'))
    const usual = await newTenant()
    for (let n = 0; n < 21; n += 1) ok(await usual.admin.post('/invitations', { email: address() }))
  })
})

describe('a further organization of one’s own', () => {
  test('signs the person in there by the same sign-in', async () => {
    const { token, tenantId } = await founder()
    const name = unique('Second ')
    const { access_token: access } = ok(await organize(token, { organization: name }))
    const other = claimsOf(access)
    expect(other.tenantId).not.toBe(tenantId)
    expect(await tenantWith({ name })).toMatchObject([{ id: other.tenantId }])
    expect(await actionsOf(other)).toEqual(['auth.login'])
    ok(await call('POST', '/auth/logout', { token }))
    expect(await pingStatus(access)).toBe(401)
  })

  test('is 409 with a taken slug, and 400 without a username', async () => {
    const { token, tenantId } = await founder()
    const { slug } = ok(await call('GET', `/org/tenants/${tenantId}`, { token }))
    expect(await organize(token, { slug })).toMatchObject(refusal('slugTaken'))
    expect(await organize(token, { username: undefined })).toMatchObject(refusalOf('username'))
  })

  test('is 403 for an account without an owner, and for a key', async () => {
    const tenant = await newTenant()
    expect(await organize((await tenant.member()).token)).toMatchObject(refusal('ownerNeeded'))
    const key = await keyWith(tenant.id, ['user:read'])
    expect(
      await key.post('/auth/organizations', { organization: 'Key', username: 'key' }, { at: open }),
    ).toMatchObject({
      status: 403,
    })
    expect((await call('POST', '/auth/organizations', { at: open, body: {} })).status).toBe(401)
  })

  test('is 403 in a session that lacks the second factor of its tenant', async () => {
    const tenant = await newTenant()
    const person = await newPerson(server, tenant)
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into tenant_settings (tenant_id, key, value, updated_at)
      values (${tenant.id}, 'auth.require_second_factor', 'true', now())`)
    const again = ok(await postLogin(person.email))
    expect(await organize(again.access_token)).toMatchObject(refusal('sessionRestricted'))
  })
})

describe('a tenant that is created with its first administrator', () => {
  const create = (by: Caller, body: object = {}, query = '') =>
    by.post(`/org/tenants${query}`, { name: unique('First '), slug: unique('first-'), ...body })

  /** A caller whose only permission is the creation of tenants. */
  const creator = () => keyWith(builtInTenant.id, ['tenant:create'])

  test('needs tenant:create alone, and the link makes an administrator of that tenant', async () => {
    const email = address()
    const made = ok(
      await create(await creator(), { admin_email: email, admin_language: 'zh' }, '?include=invitation'),
    )
    expect(made.invitation).toMatchObject({ email, role_ids: [2], status: 'pending', link: '' })
    await deliver(server)
    const mail = server.to(email)[0]
    expect(mail?.subject).toMatch(/[\u4e00-\u9fff]/)
    const { access_token: access } = ok(await accept(mail?.token ?? '', { password }))
    const { tenantId, userId } = claimsOf(access)
    expect(tenantId).toBe(made.id)
    const roles = ok(await call('GET', `/rbac/users/${userId}/roles`, { token: access, tenant: tenantId }))
    expect(roles.map(({ name }: { name: string }) => name)).toEqual(['admin', 'member'])
  })

  test('answers with only the tenant unless the invitation is requested', async () => {
    const root = await platformAdmin()
    expect(ok(await create(root, { admin_email: address() }))).not.toHaveProperty('invitation')
    expect(ok(await create(root, {}, '?include=invitation')).invitation).toBeNull()
  })

  test('is not made with a taken slug, an unsound address or an unknown language, and no mail is sent', async () => {
    const root = await platformAdmin()
    const { slug } = ok(await create(root))
    const email = address()
    expect(await create(root, { slug, admin_email: email })).toMatchObject(refusal('slugTaken'))
    expect(await create(root, { admin_email: 'nobody' })).toMatchObject(refusalOf('admin_email'))
    expect(await create(root, { admin_email: email, admin_language: 'fr' })).toMatchObject(
      refusalOf('admin_language'),
    )
    await deliver(server)
    expect(server.to(email)).toEqual([])
  })

  test('has a dead link once its creator may create no tenants any more', async () => {
    const root = await platformAdmin()
    const by = await creator()
    const email = address()
    ok(await create(by, { admin_email: email }))
    await deliver(server)
    const token = server.to(email)[0]?.token ?? ''
    const account = `/service-accounts/${by.userId}`
    ok(await root.put(account, { status: 0 }))
    expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
    ok(await root.put(account, { status: 1 }))
    const [role] = ok(await root.get(`/rbac/users/${by.userId}/roles`))
    ok(await root.delete(`/rbac/users/${by.userId}/roles/${role.id}`))
    expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
    await assign(builtInTenant.id, by.userId, role.id)
    expect((await accept(token, { password })).status).toBe(200)
  })

  test('joins a person who has an account by the account’s password', async () => {
    const person = await newPerson(server, await newTenant())
    const made = ok(await create(await platformAdmin(), { admin_email: person.email }))
    await deliver(server)
    const token = server.to(person.email).findLast(({ link }) => link?.includes('invitation'))?.token ?? ''
    const { access_token: access } = ok(await accept(token, { password }))
    expect(claimsOf(access).tenantId).toBe(made.id)
  })
})
