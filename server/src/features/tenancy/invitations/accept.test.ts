import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { actionsOf, newSource, pingStatus, postLogin, recordsOf } from '../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import {
  assign,
  auditRecords,
  builtIn,
  keyWith,
  newTenant,
  ok,
  password,
  permissionIds,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { call, parts, startApp } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import {
  accept,
  claimsOf,
  invite,
  inviteShown,
  lookUp,
  newPerson,
  type Person,
} from '../../../../test/people.ts'
import { addTotp, postFactor, withTokens } from '../../../../test/second-factors.ts'

const next = 'another good password'

const server = useMailServer()

const address = () => `${unique('i')}@example.com`

const isOwned = async (email: string): Promise<boolean | undefined> => {
  const row = await parts.store.scoped({}).one<{ is_owned: boolean }>(sql`
    select coalesce(proved_email = email_folded, false) and has_own_password as is_owned
    from accounts where email = ${email}`)
  return row?.is_owned
}

const rolesOf = async ({ admin }: Tenant, userId: number): Promise<string[]> =>
  ok(await admin.get(`/rbac/users/${userId}/roles`)).map(({ name }: { name: string }) => name)

describe('accepting without an account', () => {
  test('makes an account with an owner, and a user with the roles, signed in to the tenant', async () => {
    const tenant = await newTenant()
    const role = await tenant.role('user:read')
    const email = address()
    const { id, token } = await invite(server, tenant.admin, { email, role_ids: [role.id], nickname: 'Ada' })
    const username = unique('ada')
    const answer = await accept(token, { username, password })
    expect(answer).toMatchObject({ status: 200, data: { expires_in: 7200 } })
    const { userId, tenantId } = claimsOf(answer.data.access_token)
    expect(tenantId).toBe(tenant.id)
    const profile = ok(await call('GET', '/profile', { token: answer.data.access_token }))
    expect(profile).toMatchObject({ id: userId, username, email, nickname: 'Ada' })
    expect(profile.last_login).not.toBe('')
    expect(await rolesOf(tenant, userId)).toEqual(['member', role.name])
    expect(await isOwned(email)).toBe(true)
    expect((await postLogin(email)).status).toBe(200)
    const [record] = await auditRecords(tenant.id, 'invitation', id)
    expect(record).toMatchObject({
      action: 'invitation.accept',
      user_id: userId,
      detail: {
        email: { from: null, to: email },
        username: { from: null, to: username },
        roles: { from: null, to: ['member', role.name] },
        invited_by: { from: null, to: tenant.admin.userId },
      },
    })
  })

  test('makes a user of the built-in tenant, where the first administrator invites', async () => {
    const email = address()
    const { token } = await invite(server, await platformAdmin(), { email })
    const { access_token } = ok(await accept(token, { password }))
    expect(claimsOf(access_token).tenantId).toBe(builtIn.id)
  })

  test('a link that was shown makes an account without an owner', async () => {
    const { admin } = await newTenant()
    const email = address()
    expect((await accept(await inviteShown(admin, email), { password })).status).toBe(200)
    expect(await isOwned(email)).toBe(false)
  })

  test('takes a password by the rules, and the own nickname goes first', async () => {
    const { admin } = await newTenant()
    const { token } = await invite(server, admin, { email: address(), nickname: 'Ada' })
    expect(await accept(token, {})).toMatchObject(refusalOf('password'))
    expect(await accept(token, { password: 'short' })).toMatchObject(refusalOf('password'))
    expect(await accept(token, { username: 'x', password })).toMatchObject(refusalOf('username'))
    const { data } = await accept(token, { password, nickname: 'Grace' })
    expect(ok(await call('GET', '/profile', { token: data.access_token })).nickname).toBe('Grace')
  })

  test('is 409 for a taken username, and the link is unspent', async () => {
    const tenant = await newTenant()
    const { username } = await tenant.member()
    const { token } = await invite(server, tenant.admin, { email: address() })
    expect(await accept(token, { username: username.toUpperCase(), password })).toMatchObject(
      refusal('usernameTaken'),
    )
    expect((await accept(token, { password })).status).toBe(200)
  })

  test('one of several acceptances at once succeeds', async () => {
    const { admin } = await newTenant()
    const { token } = await invite(server, admin, { email: address() })
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(token, { password })))
    expect(tally(answers)).toEqual({ 200: 1, 400: 7 })
    expect(ok(await admin.get('/users')).total).toBe(2)
  })

  test('invitations of several tenants accepted at once make one account of the address', async () => {
    const tenants = await Promise.all(Array.from({ length: 4 }, () => newTenant()))
    const email = address()
    const tokens = []
    for (const { admin } of tenants) tokens.push((await invite(server, admin, { email })).token)
    const answers = await Promise.all(tokens.map((token) => accept(token, { password })))
    expect(tally(answers)[200]).toBeGreaterThanOrEqual(1)
    for (const { status } of answers) expect([200, 409]).toContain(status)
    const refused = tokens.filter((_token, n) => answers[n]?.status !== 200)
    for (const token of refused) expect((await accept(token, { password })).status).toBe(200)
  })
})

const pairOf = ({ token, refreshToken }: Person) => ({ access_token: token, refresh_token: refreshToken })

describe('accepting with an account', () => {
  test('makes a second membership of an owner, by the password', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const { email, token: old } = await newPerson(server, home)
    const { token } = await invite(server, tenant.admin, { email })
    const answer = await accept(token, { password })
    expect(claimsOf(answer.data.access_token).tenantId).toBe(tenant.id)
    for (const one of [answer.data.access_token, old]) expect(await pingStatus(one)).toBe(200)
    expect((await postLogin(email)).status).toBe(200)
  })

  test('accepting by password opens no session before the second step', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const app = await addTotp(withTokens(await home.member(), pairOf(person)))
    const { token } = await invite(server, tenant.admin, { email: person.email })
    const answer = await accept(token, { password })
    expect(answer).toMatchObject({ status: 401, body: { code: 40108 } })
    const { challenge } = answer.data
    const signedIn = ok(await postFactor({ challenge, code: app.nextCode() }))
    expect(claimsOf(signedIn.access_token).tenantId).toBe(tenant.id)
    expect(await pingStatus(signedIn.access_token)).toBe(200)
  })

  test('accepting by a wrong password is 401, counts and is recorded, and leaves the link unspent', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const { token } = await invite(server, tenant.admin, { email: person.email })
    const replica = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const from = { at: replica, headers: newSource() }
    const guess = () => accept(token, { password: 'wrong' }, from)
    expect(await guess()).toMatchObject(refusal('credentialsWrong'))
    expect((await actionsOf(person)).at(-1)).toBe('auth.login_failed')
    for (let n = 1; n < 10; n += 1) await guess()
    expect(await guess()).toMatchObject(refusal('tooManyFailures'))
    expect(await postLogin(person.email, password, from)).toMatchObject(refusal('tooManyFailures'))
    expect(await accept(token, {})).toMatchObject(refusalOf('password'))
    expect((await accept(token, { password })).status).toBe(200)
    await replica.app.close()
  })

  test('accepting in a session of the person takes no password, and belongs to the same sign-in', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const { token } = await invite(server, tenant.admin, { email: person.email })
    const answer = await accept(token, {}, { token: person.token })
    expect(answer.status).toBe(200)
    ok(await call('POST', '/auth/logout', { token: person.token }))
    expect(await pingStatus(answer.data.access_token)).toBe(401)
  })

  test('accepting as another person or key is 403, with a dead token 401, and leaves the link unspent', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const stranger = await newPerson(server, home)
    const { token } = await invite(server, tenant.admin, { email: person.email })
    const fresh = await invite(server, tenant.admin, { email: address() })
    const body = { password }
    for (const link of [token, fresh.token]) {
      expect(await accept(link, body, { token: stranger.token })).toMatchObject(
        refusal('invitationOfAnother'),
      )
    }
    const key = await keyWith(tenant.id, ['user:create'])
    expect(await accept(token, body, { token: key.token })).toMatchObject(refusal('permissionMissing'))
    ok(await call('POST', '/auth/logout', { token: stranger.token }))
    expect(await accept(token, body, { token: stranger.token })).toMatchObject(refusal('tokenInvalid'))
    expect((await accept(token, body)).status).toBe(200)
    expect((await accept(fresh.token, body)).status).toBe(200)
  })

  test('is 409 for a person who is a user of the tenant by then', async () => {
    const tenant = await newTenant()
    const email = address()
    const { token } = await invite(server, tenant.admin, { email })
    ok(await tenant.admin.post('/users', { email, username: unique('u'), password }))
    expect(await accept(token, { new_password: next })).toMatchObject(refusal('emailTaken'))
    expect((await postLogin(email)).status).toBe(200)
  })

  test('is tried once by each of many at the same time, and one membership comes about', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    const { email } = await newPerson(server, home)
    const { token } = await invite(server, tenant.admin, { email })
    const answers = await Promise.all(Array.from({ length: 8 }, () => accept(token, { password })))
    expect(tally(answers)).toEqual({ 200: 1, 400: 7 })
  })
})

describe('an account that somebody else prepared', () => {
  test('gains no membership by its password, nor by a session of the preparer', async () => {
    const [attacker, tenant] = [await newTenant(), await newTenant()]
    const prepared = await attacker.member()
    const { token } = await invite(server, tenant.admin, { email: prepared.email })
    expect(await accept(token, { password })).toMatchObject(refusal('newPasswordNeeded'))
    expect(await accept(token, { password }, { token: prepared.token })).toMatchObject(
      refusal('newPasswordNeeded'),
    )
    expect(ok(await tenant.admin.get('/users')).total).toBe(1)
  })

  test('starts clean by the mailed link: new password, no session, no open link of the preparer', async () => {
    const [attacker, tenant] = [await newTenant(), await newTenant()]
    const prepared = await attacker.member()
    ok(await prepared.post('/auth/email', { email: address(), password }))
    const { token } = await invite(server, tenant.admin, { email: prepared.email })
    const answer = await accept(token, { new_password: next })
    expect(answer.status).toBe(200)
    expect(await pingStatus(answer.data.access_token)).toBe(200)
    expect(await pingStatus(prepared.token)).toBe(401)
    expect(await postLogin(prepared.email)).toMatchObject(refusal('credentialsWrong'))
    expect((await postLogin(prepared.email, next)).status).toBe(200)
    expect(await isOwned(prepared.email)).toBe(true)
    const links = await parts.store.scoped({}).many(sql`
      select 1 from account_links l join accounts a on a.id = l.account_id where a.email = ${prepared.email}`)
    expect(links).toEqual([])
    expect(await recordsOf(prepared)).toContainEqual(
      expect.objectContaining({ action: 'auth.password_reset', ip: '', user_agent: '' }),
    )
  })

  test('is 409 by a link that was only shown, with any password, and the link is unspent', async () => {
    const [attacker, tenant] = [await newTenant(), await newTenant()]
    const prepared = await attacker.member()
    const token = await inviteShown(tenant.admin, prepared.email)
    for (const body of [{ password }, { new_password: next }]) {
      expect(await accept(token, body)).toMatchObject(refusal('accountUnowned'))
      expect(await accept(token, body, { token: prepared.token })).toMatchObject(refusal('accountUnowned'))
    }
    expect((await postLogin(prepared.email)).status).toBe(200)
    expect((await lookUp(token)).status).toBe(200)
  })

  test('cannot be made by taking the ownership away between proof and acceptance', async () => {
    const [home, tenant] = [await newTenant(), await newTenant()]
    for (let round = 0; round < 5; round += 1) {
      const person = await newPerson(server, home)
      const { token } = await invite(server, tenant.admin, { email: person.email })
      const [moved, accepted] = await Promise.all([
        home.admin.put(`/users/${person.userId}`, { email: address() }),
        accept(token, { password }),
      ])
      // Either the person has a second membership and keeps the address, or the invitation creates a new account.
      expect([200, 403]).toContain(moved.status)
      const { userId } = accepted.status === 200 ? claimsOf(accepted.data.access_token) : { userId: 0 }
      const user = userId === 0 ? undefined : ok(await tenant.admin.get(`/users/${userId}`))
      expect(user?.email ?? person.email).toBe(person.email)
    }
  })
})

describe('an invitation at its acceptance', () => {
  const invitedBy = async (inviter: Caller, roleIds: number[] = []) =>
    (await invite(server, inviter, { email: address(), role_ids: roleIds })).token

  test('is dead when its inviter is disabled, deleted or may not create users any more', async () => {
    const tenant = await newTenant()
    const ends: ((inviter: Caller) => Promise<unknown>)[] = [
      async ({ userId }) => ok(await tenant.admin.put(`/users/${userId}`, { status: 0 })),
      async ({ userId }) => ok(await tenant.admin.delete(`/users/${userId}`)),
      async ({ userId }) => {
        const [role] = ok(await tenant.admin.get(`/rbac/users/${userId}/roles`))
        ok(await tenant.admin.delete(`/rbac/users/${userId}/roles/${role.id}`))
      },
    ]
    for (const end of ends) {
      const inviter = await tenant.userWith('user:create')
      const token = await invitedBy(inviter)
      await end(inviter)
      expect(await lookUp(token)).toMatchObject(refusal('linkDead'))
      expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
    }
    expect(ok(await tenant.admin.get('/invitations?status=accepted')).total).toBe(0)
  })

  test('carries no role with a permission that its inviter has lost', async () => {
    const tenant = await newTenant()
    const inviter = await tenant.userWith('user:create', 'user:read', 'audit:read')
    const [kept, lost, gone] = [
      await tenant.role('user:read'),
      await tenant.role('audit:read'),
      await tenant.role('user:read'),
    ]
    const token = await invitedBy(inviter, [kept.id, lost.id, gone.id])
    const [role] = ok(await tenant.admin.get(`/rbac/users/${inviter.userId}/roles`))
    const permission_ids = permissionIds('user:create', 'user:read')
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids }))
    ok(await tenant.admin.delete(`/rbac/roles/${gone.id}`))
    const { userId } = claimsOf(ok(await accept(token, { password })).access_token)
    expect(await rolesOf(tenant, userId)).toEqual(['member', kept.name])
  })

  test('carries no role that has grown beyond its inviter', async () => {
    const tenant = await newTenant()
    const inviter = await tenant.userWith('user:create', 'user:read')
    const role = await tenant.role('user:read')
    const token = await invitedBy(inviter, [role.id])
    const permission_ids = permissionIds('user:read', 'audit:read')
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids }))
    const { userId } = claimsOf(ok(await accept(token, { password })).access_token)
    expect(await rolesOf(tenant, userId)).toEqual(['member'])
  })

  test('is never accepted after the loss of its inviter, under a race of the two', async () => {
    const tenant = await newTenant()
    for (let round = 0; round < 5; round += 1) {
      const inviter = await tenant.userWith('user:create', 'audit:read')
      const strong = await tenant.role('audit:read')
      const token = await invitedBy(inviter, [strong.id])
      const [role] = ok(await tenant.admin.get(`/rbac/users/${inviter.userId}/roles`))
      const [taken, accepted] = await Promise.all([
        tenant.admin.delete(`/rbac/users/${inviter.userId}/roles/${role.id}`),
        accept(token, { password }),
      ])
      expect(taken.status).toBe(200)
      expect([200, 400]).toContain(accepted.status)
      // An acceptance after the loss would be the newest record.
      const [last] = ok(await tenant.admin.get('/audit/logs?page_size=1')).items
      expect(last.action).toBe('role.unassign')
    }
  })

  test('an invitation is dead once its platform administrator may not enter the tenant any more', async () => {
    const tenant = await newTenant()
    const inviter = await builtIn.member()
    await assign(builtIn.id, inviter.userId, systemRoleId('platform-admin'))
    const email = address()
    ok(await inviter.post('/invitations', { email }, { tenant: tenant.id }))
    await deliver(server)
    const token = server.to(email).at(-1)?.token ?? ''
    const root = await platformAdmin()
    const role = systemRoleId('platform-admin')
    ok(await root.delete(`/rbac/users/${inviter.userId}/roles/${role}`))
    await assign(builtIn.id, inviter.userId, systemRoleId('admin'))
    expect(await accept(token, { password })).toMatchObject(refusal('linkDead'))
  })

  test('an invitation into a disabled tenant is 403, and works once the tenant is enabled', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const token = await invitedBy(tenant.admin)
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 0 }))
    expect(await accept(token, { password })).toMatchObject(refusal('tenantDisabled'))
    ok(await root.put(`/org/tenants/${tenant.id}`, { status: 1 }))
    expect((await accept(token, { password })).status).toBe(200)
  })
})

describe('the administrators of one tenant', () => {
  const personOfTwo = async () => {
    const [home, away] = [await newTenant(), await newTenant()]
    const person = await newPerson(server, home)
    const { token } = await invite(server, away.admin, { email: person.email })
    const there = claimsOf(ok(await accept(token, { password })).access_token)
    return { home, away, person, there }
  }

  test('cannot change the e-mail of a person of several tenants', async () => {
    const { home, away, person, there } = await personOfTwo()
    const change = { email: address() }
    expect(await home.admin.put(`/users/${person.userId}`, change)).toMatchObject(refusal('emailOfPerson'))
    expect(await away.admin.put(`/users/${there.userId}`, change)).toMatchObject(refusal('emailOfPerson'))
    expect((await home.admin.put(`/users/${person.userId}`, { nickname: 'Ada' })).status).toBe(200)
    ok(await away.admin.delete(`/users/${there.userId}`))
    expect((await home.admin.put(`/users/${person.userId}`, change)).status).toBe(200)
  })

  test('end that membership alone, and the account goes with the last one', async () => {
    const { home, away, person, there } = await personOfTwo()
    ok(await home.admin.delete(`/users/${person.userId}`))
    expect(claimsOf((await postLogin(person.email)).data.access_token)).toMatchObject({ tenantId: away.id })
    ok(await away.admin.put(`/users/${there.userId}`, { status: 0 }))
    expect(await postLogin(person.email)).toMatchObject(refusal('accountDisabled'))
    ok(await away.admin.delete(`/users/${there.userId}`))
    expect(await postLogin(person.email)).toMatchObject(refusal('credentialsWrong'))
    const fresh = { email: person.email, username: unique('u'), password }
    expect((await home.admin.post('/users', fresh)).status).toBe(200)
  })

  test('a removed tenant takes the account along only with its last living membership', async () => {
    const root = await platformAdmin()
    const { home, away, person, there } = await personOfTwo()
    ok(await root.delete(`/org/tenants/${home.id}`))
    expect(claimsOf((await postLogin(person.email)).data.access_token)).toMatchObject({ tenantId: away.id })
    ok(await away.admin.delete(`/users/${there.userId}`))
    const email = person.email
    expect((await away.admin.post('/users', { email, username: unique('u'), password })).status).toBe(200)
  })

  test('creating a user with the address of an account elsewhere is 409, and tells to invite', async () => {
    const { home } = await personOfTwo()
    const { email } = await (await newTenant()).member()
    const answer = await home.admin.post('/users', { email, username: unique('u'), password })
    expect(answer).toMatchObject({
      ...refusal('emailTaken'),
      body: { message: expect.stringContaining('invite') },
    })
  })
})
