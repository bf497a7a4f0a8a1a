import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { actionsOf, newSource } from '../../../../test/accounts.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  auditRecords,
  clearCatalogue,
  newTenant,
  nobodysId,
  ok,
  password,
  permissionIds,
  platformAdmin,
  signIn,
  systemRoleId,
  unique,
} from '../../../../test/factories.ts'
import { call, clock, parts, startApp } from '../../../../test/harness.ts'
import { deliver, useMailServer, waitingFor } from '../../../../test/mail-queue.ts'
import { openMailer } from '../../../mail/mailer.ts'
import { ownerRows } from '../../../../test/audit-chain.ts'
import { accept, invite, inviteShown, lookUp, newPerson } from '../../../../test/people.ts'
import { sweepInvitations } from './invitations.service.ts'

const day = 24 * 3_600_000

const server = useMailServer()

const address = () => `${unique('i')}@example.com`

describe('inviting', () => {
  test('answers the invitation without its link, and mails the link', async () => {
    const { id, admin } = await newTenant()
    const email = address()
    const { data } = await admin.post('/invitations', { email, nickname: 'Ada' })
    expect(data).toEqual({
      id: data.id,
      tenant_id: id,
      email,
      role_ids: [],
      roles_expire_at: '',
      nickname: 'Ada',
      invited_by: admin.userId,
      status: 'pending',
      created_at: data.created_at,
      expires_at: new Date(Date.parse(data.created_at) + 7 * day).toISOString(),
      link: '',
    })
    await deliver(server)
    expect(server.to(email)[0]?.link).toMatch(
      new RegExp(`^${parts.config.publicUrl}/sign-in/accept-invitation#token=[\\w-]{64}$`),
    )
    expect(ok(await admin.get('/invitations')).items).toEqual([data])
  })

  test('names the user who invites in the e-mail, and otherwise the product', async () => {
    const { id, admin } = await newTenant()
    const root = await platformAdmin()
    const sentTo = async (caller: typeof admin, tenant?: string): Promise<string> => {
      const email = address()
      ok(await caller.post('/invitations', { email }, { tenant }))
      await deliver(server)
      return server.to(email)[0]?.source.replaceAll(/=\r?\n/g, '') ?? ''
    }
    expect(await sentTo(admin)).toContain(`>${admin.username} invited you to join`)
    ok(await admin.put('/profile', { nickname: 'Ines <b>Moreau' }))
    const named = await sentTo(admin)
    expect(named).toContain('>Ines &lt;b&gt;Moreau invited you to join')
    expect(named).toContain('\nInes <b>Moreau invited you to join')
    expect(await sentTo(root, id)).toContain('>Tenantry invited you to join')
    const account = ok(await admin.post('/service-accounts', { name: unique('robot') })).id as number
    ok(await admin.post(`/rbac/users/${account}/roles`, { role_id: systemRoleId('admin') }))
    const { secret } = ok(await admin.post(`/service-accounts/${account}/keys`, { name: 'key' }))
    const email = address()
    ok(await call('POST', '/invitations', { token: secret, body: { email } }))
    await deliver(server)
    expect(server.to(email)[0]?.source).toContain('>Tenantry invited you to join')
  })

  test('shows the link only in the answer where e-mail is off, also when it is sent again', async () => {
    const { admin } = await newTenant()
    const replica = await startApp({}, undefined, { mailer: undefined })
    const { data } = await admin.post('/invitations', { email: address() }, { at: replica })
    const again = await admin.post(`/invitations/${data.id}/resend`, undefined, { at: replica })
    expect(data.link).toContain('#token=')
    expect(again.data.link).toContain('#token=')
    expect(again.data.link).not.toBe(data.link)
    expect(ok(await admin.get('/invitations', { at: replica })).items[0].link).toBe('')
    expect(await lookUp(data.link.split('#token=')[1])).toMatchObject(refusal('linkDead'))
    expect((await lookUp(again.data.link.split('#token=')[1])).status).toBe(200)
    await replica.app.close()
  })

  test('shows the link where e-mails become files, which then proves no mailbox', async () => {
    const { admin } = await newTenant()
    const mailer = openMailer({ ...parts.config, databaseUrl: undefined, smtpUrl: undefined }, parts.log)
    const trial = await startApp({}, undefined, { mailer })
    expect(ok(await call('GET', '/auth/options', { at: trial }))).toMatchObject({
      mail: true,
      mail_in_files: true,
    })
    const email = address()
    const { data } = await admin.post('/invitations', { email }, { at: trial })
    const token = data.link.split('#token=')[1]
    expect((await lookUp(token)).status).toBe(200)
    await deliver(server)
    expect(server.to(email)).toHaveLength(1)
    expect((await accept(token, { password })).status).toBe(200)
    expect(await ownerRows(sql`select proved_email from accounts where email = ${email}`)).toEqual([
      { proved_email: null },
    ])
    await trial.app.close()
  })

  test('is in the language of the person, else of the inviter', async () => {
    const tenant = await newTenant()
    const person = await newPerson(server, tenant)
    await parts.store.scoped({}).run(sql`update accounts set language = 'zh' where email = ${person.email}`)
    const email = address()
    const { admin } = await newTenant()
    ok(await admin.post('/invitations', { email }, { headers: { 'accept-language': 'zh' } }))
    ok(await admin.post('/invitations', { email: person.email }, { headers: { 'accept-language': 'en' } }))
    await deliver(server)
    for (const to of [email, person.email]) expect(server.to(to).at(-1)?.subject).toContain('邀请您加入')
  })

  test('is 409 for a user of the tenant and for an open invitation, in any spelling', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const email = address()
    const post = (to: string) => tenant.admin.post('/invitations', { email: to })
    expect(await post(user.email.toUpperCase())).toMatchObject(refusal('emailTaken'))
    ok(await post(email))
    expect(await post(email.toUpperCase())).toMatchObject(refusal('invitationOpen'))
    clock.advance(8 * day)
    const again = await signIn(tenant.admin)
    expect((await again.post('/invitations', { email })).status).toBe(200)
  })

  test('one of several invitations of an address at once is open', async () => {
    const { admin } = await newTenant()
    const email = address()
    const answers = await Promise.all(Array.from({ length: 6 }, () => admin.post('/invitations', { email })))
    expect(tally(answers)).toEqual({ 200: 1, 409: 5 })
  })

  test('answers the same for an address with an account elsewhere and without one', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const [owned, unowned] = [await newPerson(server, home), await home.member()]
    const answers = await Promise.all(
      [owned.email, unowned.email, address()].map((email) => tenant.admin.post('/invitations', { email })),
    )
    const shapes = answers.map(({ status, data, headers }) => ({
      status,
      data: { ...data, id: 0, email: '', created_at: '', expires_at: '' },
      length: headers.has('retry-after'),
    }))
    expect(new Set(shapes.map((shape) => JSON.stringify(shape))).size).toBe(1)
  })

  test('takes every permission of the roles, and of the templates for new users', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('user:create', 'user:read')
    const [strong, fitting] = [await tenant.role('audit:read'), await tenant.role('user:read')]
    const post = (roleId: number) => clerk.post('/invitations', { email: address(), role_ids: [roleId] })
    expect(await post(strong.id)).toMatchObject(refusal('grantExceedsOwn'))
    expect(await post(systemRoleId('admin'))).toMatchObject(refusal('grantExceedsOwn'))
    expect(await post(systemRoleId('member'))).toMatchObject({ status: 200 })
    expect(await post(fitting.id)).toMatchObject({ status: 200 })
    expect(await post(nobodysId)).toMatchObject(refusal('roleUnknown'))
    expect(await post((await (await newTenant()).role()).id)).toMatchObject(refusal('roleUnknown'))
    const root = await platformAdmin()
    const template = ok(await root.post('/rbac/role-templates', { name: unique('given') }))
    const body = { given_to_new_users: true, permission_ids: permissionIds('audit:read') }
    ok(await root.put(`/rbac/role-templates/${template.id}`, body))
    expect(await post(fitting.id)).toMatchObject(refusal('grantExceedsOwn'))
    await clearCatalogue()
  })

  test('takes the right to create users, at creation, sending again and revoking', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('user:read')
    const { id } = ok(await tenant.admin.post('/invitations', { email: address() }))
    expect(await clerk.post('/invitations', { email: address() })).toMatchObject(refusal('permissionMissing'))
    expect(await clerk.post(`/invitations/${id}/resend`)).toMatchObject(refusal('permissionMissing'))
    expect(await clerk.delete(`/invitations/${id}`)).toMatchObject(refusal('permissionMissing'))
    expect((await clerk.get('/invitations')).status).toBe(200)
  })

  test('sends an invitation again only for a caller who can give its roles', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('user:create')
    const { id: roleId } = await tenant.role('audit:read')
    const { id } = ok(await tenant.admin.post('/invitations', { email: address(), role_ids: [roleId] }))
    expect(await clerk.post(`/invitations/${id}/resend`)).toMatchObject(refusal('grantExceedsOwn'))
  })

  test('a platform administrator invites into another tenant', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const email = address()
    ok(await root.post('/invitations', { email }, { tenant: tenant.id }))
    await deliver(server)
    const token = server.to(email).at(-1)?.token ?? ''
    expect((await lookUp(token)).data.tenant.id).toBe(tenant.id)
    expect((await accept(token, { password })).status).toBe(200)
  })

  test('ends at the number of the day, links sent again included', async () => {
    const { admin } = await newTenant()
    const replica = await startApp({ invitationsPerDay: 2 })
    const { id } = ok(await admin.post('/invitations', { email: address() }, { at: replica }))
    ok(await admin.post(`/invitations/${id}/resend`, undefined, { at: replica }))
    const refused = await admin.post('/invitations', { email: address() }, { at: replica })
    expect(refused).toMatchObject(refusal('tooManyRequests'))
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await admin.post(`/invitations/${id}/resend`, undefined, { at: replica })).toMatchObject({
      status: 429,
    })
    clock.advance(day)
    const again = await signIn(admin)
    expect((await again.post('/invitations', { email: address() }, { at: replica })).status).toBe(200)
    await replica.app.close()
  })

  test('mails an address at most five times an hour over all tenants, and the earlier link stays valid', async () => {
    const email = address()
    for (let n = 0; n < 4; n += 1) ok(await (await newTenant()).admin.post('/invitations', { email }))
    const { admin } = await newTenant()
    const { id, token } = await invite(server, admin, { email })
    ok(await admin.post(`/invitations/${id}/resend`))
    await deliver(server)
    expect(server.to(email)).toHaveLength(5)
    expect((await lookUp(token)).status).toBe(200)
  })
})

describe('open invitations', () => {
  test('are sent again with another link, and the earlier one is dead', async () => {
    const { admin } = await newTenant()
    const email = address()
    const { id, token } = await invite(server, admin, { email })
    clock.advance(6 * day)
    const again = ok(await (await signIn(admin)).post(`/invitations/${id}/resend`))
    expect(Date.parse(again.expires_at) - clock.now().getTime()).toBeGreaterThan(6 * day)
    await deliver(server)
    expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
    expect((await lookUp(server.to(email).at(-1)?.token ?? '')).status).toBe(200)
  })

  test('are revoked with their e-mail, and the address can be invited again', async () => {
    const { admin } = await newTenant()
    const email = address()
    const { id } = ok(await admin.post('/invitations', { email }))
    expect(await waitingFor(email)).toHaveLength(1)
    expect(await admin.delete(`/invitations/${id}`)).toMatchObject({ status: 200, body: { data: null } })
    expect(await waitingFor(email)).toEqual([])
    expect(await admin.delete(`/invitations/${id}`)).toMatchObject(refusal('invitationUnknown'))
    expect(await admin.post(`/invitations/${id}/resend`)).toMatchObject(refusal('invitationUnknown'))
    expect((await admin.post('/invitations', { email })).status).toBe(200)
  })

  test('a link that was revoked is dead', async () => {
    const { admin } = await newTenant()
    const { id, token } = await invite(server, admin, { email: address() })
    ok(await admin.delete(`/invitations/${id}`))
    expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
    expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
  })

  test('are listed by status, the newest first', async () => {
    const { admin } = await newTenant()
    const post = () => invite(server, admin, { email: address() })
    clock.advance(-8 * day)
    const expired = await post()
    clock.advance(8 * day)
    const [accepted, revoked, pending] = [await post(), await post(), await post()]
    ok(await accept(accepted.token, { password }))
    ok(await admin.delete(`/invitations/${revoked.id}`))
    for (const [status, { id }] of Object.entries({ expired, accepted, revoked, pending })) {
      const page = ok(await admin.get(`/invitations?status=${status}`))
      expect(page).toMatchObject({ total: 1, items: [{ id, status, link: '' }] })
    }
    const all = ok(await admin.get('/invitations?page_size=3'))
    expect(all.total).toBe(4)
    expect(all.items.map(({ id }: { id: number }) => id)).toEqual([pending.id, revoked.id, accepted.id])
  })

  test('are deleted 90 days after they closed, and open ones stay', async () => {
    const { admin, id: tenantId } = await newTenant()
    clock.advance(-98 * day)
    ok(await admin.post('/invitations', { email: address() }))
    clock.advance(20 * day)
    ok(await admin.post('/invitations', { email: address() }))
    clock.advance(78 * day)
    ok(await admin.post('/invitations', { email: address() }))
    await sweepInvitations(parts)
    const rows = await parts.store
      .scoped({ tenantId })
      .many(sql`select id from invitations where tenant_id = ${tenantId}`)
    expect(rows).toHaveLength(2)
  })

  test('leave a record of each act, without a token', async () => {
    const { id: tenantId, admin } = await newTenant()
    const role = systemRoleId('viewer')
    const { id } = ok(await admin.post('/invitations', { email: address(), role_ids: [role] }))
    ok(await admin.post(`/invitations/${id}/resend`))
    ok(await admin.delete(`/invitations/${id}`))
    const records = await auditRecords(tenantId, 'invitation', id)
    expect(records.map(({ action, user_id: by }) => [action, by])).toEqual([
      ['invitation.revoke', admin.userId],
      ['invitation.resend', admin.userId],
      ['invitation.create', admin.userId],
    ])
    expect(records[2]?.detail['roles']).toEqual({ from: null, to: ['viewer'] })
    expect(JSON.stringify(records)).not.toContain('token')
  })
})

describe('the holder of a link', () => {
  test('learns the tenant, the address and whether it has an account', async () => {
    const [tenant, home] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    for (const [email, exists] of [
      [address(), false],
      [person.email, true],
    ] as const) {
      const { token } = await invite(server, tenant.admin, { email })
      expect(ok(await lookUp(token))).toEqual({
        tenant: { id: tenant.id, name: `Tenant ${tenant.slug}` },
        email,
        account_exists: exists,
      })
    }
  })

  test('learns on demand the nickname that the inviter gave', async () => {
    const { admin } = await newTenant()
    const { token } = await invite(server, admin, { email: address(), nickname: 'Ada' })
    const found = ok(await call('POST', '/auth/invitations/lookup?include=proof', { body: { token } }))
    expect(found).toMatchObject({ nickname: 'Ada', proof: 'password' })
  })

  test('learns on demand how to prove to be the invited one, as the acceptance then asks', async () => {
    const [tenant, home] = [await newTenant(), await newTenant()]
    const [person, prepared] = [await newPerson(server, home), await home.member()]
    const proofOf = async (token: string) =>
      ok(await call('POST', '/auth/invitations/lookup?include=proof', { body: { token } })).proof
    const mailed = async (email: string) => (await invite(server, tenant.admin, { email })).token
    expect(await proofOf(await mailed(address()))).toBe('password')
    expect(await proofOf(await mailed(person.email))).toBe('password')
    const clean = await mailed(prepared.email)
    expect(await proofOf(clean)).toBe('new_password')
    expect(await accept(clean, { password })).toMatchObject(refusal('newPasswordNeeded'))
    const shown = await inviteShown((await newTenant()).admin, prepared.email)
    expect(await proofOf(shown)).toBe('none')
    expect(await accept(shown, { new_password: password })).toMatchObject(refusal('accountUnowned'))
  })

  test('gets the same answer for each kind of dead link', async () => {
    const tenant = await newTenant()
    const [late, used] = [
      await invite(server, tenant.admin, { email: address() }),
      await invite(server, tenant.admin, { email: address() }),
    ]
    ok(await accept(used.token, { password }))
    const removed = await newTenant()
    const lost = await invite(server, removed.admin, { email: address() })
    ok(await (await platformAdmin()).delete(`/org/tenants/${removed.id}`))
    clock.advance(8 * day)
    const unknown = `${late.token.slice(0, 32)}${'A'.repeat(32)}`
    for (const token of ['x', late.token, used.token, lost.token, unknown, 'A'.repeat(64), '-'.repeat(64)]) {
      expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
      expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
    }
  })

  test('finds closed registration no obstacle', async () => {
    const { admin } = await newTenant()
    const replica = await startApp({ signUp: 'closed' })
    const { token } = await invite(server, admin, { email: address() })
    expect(await accept(token, { password }, { at: replica })).toMatchObject({ status: 200 })
    await replica.app.close()
  })

  test('cannot try links without end', async () => {
    const replica = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const from = { at: replica, headers: newSource() }
    const answers = []
    for (let n = 0; n < 61; n += 1) {
      answers.push(await call('POST', '/auth/invitations/lookup', { body: { token: 'x' }, ...from }))
    }
    expect(answers.at(-1)).toMatchObject(refusal('tooManyRequests'))
    await replica.app.close()
  })
})

test('registering later takes the address, and the invitation is then for that account', async () => {
  const tenant = await newTenant()
  const email = address()
  const { token } = await invite(server, tenant.admin, { email })
  const username = unique('r')
  ok(await call('POST', '/auth/register', { body: { email, username, password } }))
  expect(await accept(token, { password })).toMatchObject(refusal('newPasswordNeeded'))
  const answer = await accept(token, { new_password: 'another good password' })
  expect(answer.status).toBe(200)
  const profile = ok(await call('GET', '/profile', { token: answer.data.access_token }))
  expect(await actionsOf({ userId: profile.id, tenantId: tenant.id })).toEqual(['invitation.accept'])
})
