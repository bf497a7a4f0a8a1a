import { beforeAll, describe, expect, test } from 'vitest'
import {
  auditRecords,
  keyWith,
  newTenant,
  newUser,
  ok,
  password,
  platformAdmin,
  signIn,
  unique,
  type Caller,
  type Tenant,
} from '../../../../test/factories.ts'
import { pingStatus, postRefresh } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import {
  answerIn,
  interactionOf,
  openBrowser,
  requestFor,
  type Browser,
  type Request,
} from '../../../../test/browser.ts'
import { newDirectory, type TestDirectory } from '../../../../test/directories.ts'
import {
  exchange,
  newApplication,
  oauthRefusal,
  refresh,
  type TestApplication,
} from '../../../../test/front-door.ts'
import { insertMember } from '../../../../test/people.ts'

describe('the sessions of a user', () => {
  test('are shown to user:read, and the own current one is marked', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    await signIn(user)
    const reader = await tenant.userWith('user:read')
    const sessions = ok(await reader.get(`/users/${user.userId}/sessions`))
    expect(sessions).toHaveLength(2)
    for (const session of sessions) expect(session).toMatchObject({ tenant_id: tenant.id, is_current: false })
    expect(ok(await reader.get(`/users/${reader.userId}/sessions`))).toMatchObject([{ is_current: true }])
    expect(await user.get(`/users/${user.userId}/sessions`)).toMatchObject(refusal('permissionMissing'))
  })

  test('the sessions of a service account and of an unknown user are 404', async () => {
    const tenant = await newTenant()
    const { userId: accountId } = await keyWith(tenant.id, [])
    for (const id of [accountId, 999_999_999]) {
      expect(await tenant.admin.get(`/users/${id}/sessions`)).toMatchObject(refusal('userUnknown'))
      expect(await tenant.admin.delete(`/users/${id}/sessions`)).toMatchObject(refusal('userUnknown'))
    }
  })

  test('end at once by user:update, with one record, and leave those of others', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const again = await signIn(user)
    const editor = await tenant.userWith('user:update', 'dashboard:read')
    expect(await editor.delete(`/users/${user.userId}/sessions`)).toMatchObject({
      status: 200,
      body: { data: null },
    })
    for (const { token, refreshToken } of [user, again]) {
      expect(await pingStatus(token)).toBe(401)
      expect(await postRefresh(refreshToken)).toMatchObject(refusal('refreshTokenInvalid'))
    }
    expect(await pingStatus(editor.token)).toBe(200)
    expect(await pingStatus((await signIn(user)).token)).toBe(200)
    const [record] = await auditRecords(tenant.id, 'user', user.userId)
    expect(record).toMatchObject({ action: 'user.sessions_end', user_id: editor.userId })
  })

  test('a caller ends no sessions of a user above, and a reader ends none', async () => {
    const tenant = await newTenant()
    const editor = await tenant.userWith('user:update')
    const reader = await tenant.userWith('user:read')
    const path = `/users/${tenant.admin.userId}/sessions`
    expect(await editor.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await reader.delete(path)).toMatchObject(refusal('permissionMissing'))
    expect(await pingStatus(tenant.admin.token)).toBe(200)
  })

  test('a platform administrator sees and ends the sessions of the tenant in scope', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    const user = await tenant.member()
    const path = `/users/${user.userId}/sessions`
    expect(ok(await root.get(path, { tenant: tenant.id }))).toHaveLength(1)
    ok(await root.delete(path, { tenant: tenant.id }))
    expect(await pingStatus(user.token)).toBe(401)
  })
})

describe('the sign-in of a browser', () => {
  let application: TestApplication
  let at: TestDirectory
  let tenant: Tenant
  let other: Tenant
  beforeAll(async () => {
    await platformAdmin()
    application = await newApplication()
    at = await newDirectory()
    tenant = at.tenant
    other = await newTenant()
  })

  /** A person who is a user of both tenants. A test can push the user from the directory. */
  const newPerson = async (): Promise<Caller> => {
    const username = unique('u')
    const email = `${username}@${at.domain}`
    const { id: userId } = ok(await tenant.admin.post('/users', { email, username, password }))
    const person = await signIn({ userId, tenantId: tenant.id, email, username })
    await insertMember(person, other)
    return person
  }

  const asked = (to: Tenant, changes = {}) => requestFor(application, { tenant: to.id, ...changes })

  const typePassword = async (browser: Browser, { params }: Request, { email }: Caller): Promise<unknown> =>
    ok(await browser.act(interactionOf(await browser.authorize(params)), 'password', { email, password }))
      .step

  const signedIn = async (person: Caller, to: Tenant): Promise<Browser> => {
    const browser = openBrowser()
    expect(await typePassword(browser, asked(to), person)).toBe('done')
    return browser
  }

  /** Authorizes an application without showing a page (`prompt=none`). */
  const silently = async (browser: Browser, to: Tenant, request = asked(to, { prompt: 'none' })) =>
    answerIn((await browser.authorize(request.params)).location).params

  /** The refresh token of a new session. */
  const openSession = async (browser: Browser, to: Tenant): Promise<string> => {
    const request = asked(to, { prompt: 'none' })
    const { code = '' } = await silently(browser, to, request)
    return (await exchange(application, { code, verifier: request.verifier })).body.refresh_token
  }

  const directorySays = async ({ email }: Caller, ...switches: boolean[]): Promise<void> => {
    const { id } = await at.push({ userName: email })
    for (const value of switches) await at.patch(`/Users/${id}`, { op: 'replace', path: 'active', value })
  }

  const pathOf = ({ userId }: Caller) => `/users/${userId}`

  test.each<[string, (person: Caller) => Promise<unknown>]>([
    ['the end of the sessions', async (who) => ok(await tenant.admin.delete(`${pathOf(who)}/sessions`))],
    [
      'status 0, also before 1',
      async (who) => {
        for (const status of [0, 1]) ok(await tenant.admin.put(pathOf(who), { status }))
      },
    ],
    ['the switch of the directory, off and on', (who) => directorySays(who, false, true)],
    ['the deletion of the user', async (who) => ok(await tenant.admin.delete(pathOf(who)))],
    [
      'the deletion of the resource',
      async ({ email }) => at.send('DELETE', `/Users/${(await at.push({ userName: email })).id}`),
    ],
  ])('a sign-in that opened a session in the tenant ends by %s, in other tenants too', async (_act, end) => {
    const person = await newPerson()
    const stolen = await signedIn(person, tenant)
    const beside = await signedIn(person, other)
    const ended = [await openSession(stolen, tenant), await openSession(stolen, other)]
    const kept = await openSession(beside, other)
    await end(person)
    for (const token of ended) {
      expect(await refresh(application, token)).toMatchObject(oauthRefusal('invalid_grant'))
    }
    for (const to of [tenant, other]) {
      expect(await silently(stolen, to)).toMatchObject({ error: 'login_required' })
    }
    expect((await refresh(application, kept)).status).toBe(200)
    expect(await silently(beside, other)).toMatchObject({ code: expect.any(String) })
  })

  test('is listed and ends without a session in the tenant too, unless it has only led elsewhere', async () => {
    const person = await newPerson()
    const [moved, undecided] = [await signedIn(person, tenant), openBrowser()]
    await openSession(moved, other)
    expect(await typePassword(undecided, requestFor(application), person)).toBe('tenant')
    const beside = await signedIn(person, other)
    const path = `${pathOf(person)}/sessions`
    const listed: { tenant_id: string }[] = ok(await tenant.admin.get(path))
    expect(listed.map(({ tenant_id: id }) => id).toSorted()).toEqual(['', '', tenant.id])
    ok(await tenant.admin.delete(path))
    expect(ok(await tenant.admin.get(path))).toEqual([])
    for (const browser of [moved, undecided]) {
      expect(await silently(browser, tenant)).toMatchObject({ error: 'login_required' })
    }
    expect(await silently(beside, other)).toMatchObject({ code: expect.any(String) })
  })

  test('stays valid in other tenants when the person leaves one', async () => {
    const person = await newPerson()
    const browser = await signedIn(person, tenant)
    const token = await openSession(browser, other)
    ok(await person.delete(`/auth/memberships/${tenant.id}`))
    expect((await refresh(application, token)).status).toBe(200)
  })

  test('ends with a changed password, and with the factors that an administrator removes', async () => {
    const person = await newUser(tenant.id)
    for (const act of [
      () => person.post('/password', { old_password: password, new_password: password }),
      () => tenant.admin.delete(`${pathOf(person)}/factors`),
    ]) {
      const browser = await signedIn(person, tenant)
      ok(await act())
      expect(await silently(browser, tenant)).toMatchObject({ error: 'login_required' })
    }
  })
})
