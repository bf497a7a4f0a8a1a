/** An application that requires a permission of its users (docs/contract.md, "Sign in with Tenantry"). */
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../../test/answers.ts'
import {
  answerIn,
  interactionOf,
  openBrowser,
  requestFor,
  type Browser,
  type Request,
} from '../../../../../test/browser.ts'
import {
  assign,
  auditRecords,
  builtIn,
  clearCatalogue,
  keyWith,
  newRoleFor,
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
  type Caller,
  type KeyCaller,
  type Tenant,
} from '../../../../../test/factories.ts'
import {
  admit,
  changeApplication,
  claimsOf,
  credentialsOf,
  exchange,
  newApplication,
  newGrant,
  oauthRefusal,
  openSession,
  postForm,
  postToken,
  refresh,
} from '../../../../../test/front-door.ts'
import { call, startApp } from '../../../../../test/harness.ts'
import { insertMember } from '../../../../../test/people.ts'

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'

let tenant: Tenant
let guard: KeyCaller
let permission: { id: number; code: string }

const newPermission = async () =>
  ok(await (await platformAdmin()).post('/rbac/permissions', { code: `${unique('m')}:use`, name: 'Use' }))

beforeAll(async () => {
  tenant = await newTenant()
  guard = await keyWith(tenant.id, ['authz:check'])
  permission = await newPermission()
})
afterAll(clearCatalogue)

const newRequiring = (fields: object = {}) =>
  newApplication({ required_permission: permission.code, ...fields })

/** A user who holds the permission by a role, and the role. */
const newHolder = async (): Promise<{ user: Caller; roleId: number }> => {
  const [user, role] = [await tenant.member(), await tenant.role()]
  const root = await platformAdmin()
  const path = `/rbac/roles/${role.id}/permissions`
  ok(await root.put(path, { permission_ids: [permission.id] }, { tenant: tenant.id }))
  await assign(tenant.id, user.userId, role.id)
  return { user, roleId: role.id }
}

const takeRole = async ({ user, roleId }: Awaited<ReturnType<typeof newHolder>>): Promise<void> =>
  ok(
    await (await platformAdmin()).delete(`/rbac/users/${user.userId}/roles/${roleId}`, { tenant: tenant.id }),
  )

const signInAt = async (browser: Browser, request: Request, { email }: Caller) => {
  const id = interactionOf(await browser.authorize(request.params))
  return ok(await browser.act(id, 'password', { email, password }))
}

const denial = (redirectTo: string) => answerIn(redirectTo).params

const namesOf = (token: string) => {
  const { sub, sid } = claimsOf(token)
  return { user_id: Number(sub), session_id: String(sid) }
}

const permissionsOf = (token: string) => {
  const { user_id: userId, session_id: sessionId } = namesOf(token)
  return guard.get(`/authz/permissions?user_id=${userId}&session_id=${sessionId}`)
}

const check = async (token: string): Promise<boolean> =>
  ok(await guard.post('/authz/check', { ...namesOf(token), permissions: [permission.code] })).allowed

describe('the field', () => {
  test.each(['user:read', 'no:such', 'x', ''])(
    'refuses %j, which is no permission of the product',
    async (code) => {
      const root = await platformAdmin()
      const body = {
        name: 'Any',
        kind: 'web',
        redirect_uris: ['https://a.example.com/'],
        required_permission: code,
      }
      expect(await root.post('/applications', body)).toMatchObject(
        refusalOf('required_permission', 'unknownPermission'),
      )
      const { id } = await newApplication()
      expect(await root.put(`/applications/${id}`, { required_permission: code })).toMatchObject(
        refusalOf('required_permission', 'unknownPermission'),
      )
    },
  )

  test('changes with a record, and null takes the requirement away', async () => {
    const root = await platformAdmin()
    const { id } = await newApplication()
    ok(await root.put(`/applications/${id}`, { required_permission: permission.code }))
    const after = ok(await root.put(`/applications/${id}`, { required_permission: null }))
    expect(after.required_permission).toBeNull()
    const [last, first] = await auditRecords(builtIn.id, 'application', id)
    const change = { from: null, to: permission.code }
    expect([first?.detail, last?.detail]).toMatchObject([
      { required_permission: change },
      { required_permission: { from: permission.code, to: null } },
    ])
  })

  test('keeps a permission that was deleted since, until it changes', async () => {
    const root = await platformAdmin()
    const { id, code } = await newPermission()
    const application = await newApplication({ required_permission: code })
    ok(await root.delete(`/rbac/permissions/${id}`))
    const body = { name: 'New', required_permission: code }
    expect(ok(await root.put(`/applications/${application.id}`, body))).toMatchObject(body)
    expect(
      await root.post('/applications', {
        name: 'Any',
        kind: 'web',
        redirect_uris: ['https://a.example.com/'],
        required_permission: code,
      }),
    ).toMatchObject(refusalOf('required_permission', 'unknownPermission'))
  })
})

describe('a person who lacks the permission', () => {
  test('sees a page that names the tenant, and the application gets access_denied', async () => {
    const [user, application] = [await tenant.member(), await newRequiring()]
    const request = requestFor(application)
    const last = await signInAt(openBrowser(), request, user)
    expect(last).toMatchObject({
      step: 'done',
      is_unpermitted: true,
      tenants: [{ id: tenant.id, name: `Tenant ${tenant.slug}` }],
    })
    expect(denial(last.redirect_to)).toMatchObject({
      error: 'access_denied',
      state: request.params['state'],
    })
  })

  test('sees it in a signed-in browser as well, except with prompt=none', async () => {
    const [user, other, application] = [await tenant.member(), await newApplication(), await newRequiring()]
    const browser = openBrowser()
    await signInAt(browser, requestFor(other), user)
    const id = interactionOf(await browser.authorize(requestFor(application).params))
    const shown = ok(await browser.read(id))
    expect([shown.step, shown.is_unpermitted, denial(shown.redirect_to)['error']]).toEqual([
      'done',
      true,
      'access_denied',
    ])
    const silent = await browser.authorize(requestFor(application, { prompt: 'none' }).params)
    expect(denial(silent.location)['error']).toBe('access_denied')
  })

  test('sees it where the answer is a form, which the person sends', async () => {
    const [user, application] = [await tenant.member(), await newRequiring()]
    const browser = openBrowser()
    const last = await signInAt(browser, requestFor(application, { response_mode: 'form_post' }), user)
    expect(last).toMatchObject({ step: 'done', is_unpermitted: true })
    expect((await browser.open(last.redirect_to)).text).toContain('access_denied')
  })

  test('gets no code although a consent is remembered', async () => {
    const [user, application] = [await tenant.member(), await newRequiring({ is_third_party: true })]
    await newGrant(user, application)
    const last = await signInAt(openBrowser(), requestFor(application), user)
    expect(denial(last.redirect_to)['error']).toBe('access_denied')
  })

  test('refuses a device by that', async () => {
    const user = await tenant.member()
    const application = await newRequiring({
      kind: 'native',
      grant_types: ['authorization_code', 'refresh_token', deviceGrant],
    })
    const { body: device } = await postForm('/device_authorization', credentialsOf(application))
    const browser = openBrowser()
    const { id } = ok(await browser.call('POST', '/interactions', { user_code: device.user_code }))
    expect(ok(await browser.act(id, 'password', { email: user.email, password }))).toMatchObject({
      step: 'done',
      is_unpermitted: true,
      redirect_to: '',
    })
    const form = { ...credentialsOf(application), grant_type: deviceGrant, device_code: device.device_code }
    expect(await postToken(form)).toMatchObject(oauthRefusal('access_denied'))
  })

  test('enters no other tenant, and chooses again where a tenant was only remembered', async () => {
    const second = await newTenant()
    const { user } = await newHolder()
    const browser = openBrowser()
    const plain = await newApplication()
    await signInAt(browser, requestFor(plain), user)
    await insertMember(user, second)
    const one = interactionOf(
      await browser.authorize(requestFor(plain, { prompt: 'select_account', tenant: second.slug }).params),
    )
    ok(await browser.act(one, 'password', { email: user.email, password }))
    // The sign-in remembers the second tenant, where the user lacks the permission.
    const application = await newRequiring()
    const id = interactionOf(await browser.authorize(requestFor(application).params))
    const asked = ok(await browser.read(id))
    expect([asked.step, asked.tenants.length]).toEqual(['tenant', 2])
    const chosen = ok(await browser.act(id, 'tenant', { tenant_id: tenant.id }))
    expect(Object.keys(denial(chosen.redirect_to))).toContain('code')
    const again = interactionOf(
      await browser.authorize(requestFor(application, { prompt: 'select_account' }).params),
    )
    ok(await browser.act(again, 'password', { email: user.email, password }))
    const refused = ok(await browser.act(again, 'tenant', { tenant_id: second.id }))
    expect([refused.is_unpermitted, denial(refused.redirect_to)['error']]).toEqual([true, 'access_denied'])
  })
})

test('a holder enters, although the set of the session lacks the permission', async () => {
  const { user } = await newHolder()
  const application = await newRequiring()
  const request = requestFor(application, { scope: 'openid other:scope' })
  const narrowed = await openSession(user, application, { narrowedTo: [] })
  expect(ok(await permissionsOf(narrowed.access_token)).permissions).toEqual([])
  expect((await refresh(application, narrowed.refresh_token)).status).toBe(200)
  const last = await signInAt(
    openBrowser(),
    { ...request, params: { ...request.params, scope: 'openid' } },
    user,
  )
  expect(Object.keys(denial(last.redirect_to))).toContain('code')
})

/** The acts that take the permission from the user of a session. */
const losses: [string, (scene: Awaited<ReturnType<typeof newScene>>) => Promise<void>][] = [
  ['loses the role', takeRole],
  [
    'is served by an application that begins to require another permission',
    async ({ application }) => {
      const { code } = await newPermission()
      await changeApplication(application, { required_permission: code })
    },
  ],
  [
    'held a permission that is deleted',
    async ({ user, application }) => {
      const { id, code } = await newPermission()
      await newRoleFor(user, [id])
      await changeApplication(application, { required_permission: code })
      ok(await (await platformAdmin()).delete(`/rbac/permissions/${id}`))
    },
  ],
]

const newScene = async (fields: object = {}) => {
  const holder = await newHolder()
  const application = await newRequiring(fields)
  return { ...holder, application, session: await openSession(holder.user, application) }
}

describe.each(losses)('the session of a user who %s', (_how, lose) => {
  test('is 404 at /authz/permissions, invalid_grant at refresh, and no at /authz/check', async () => {
    const scene = await newScene()
    const { application, session } = scene
    const replica = await startApp()
    ok(await permissionsOf(session.access_token))
    expect(await check(session.access_token)).toBe(true)
    await lose(scene)
    expect(await permissionsOf(session.access_token)).toMatchObject(refusal('sessionUnknown'))
    expect(await check(session.access_token)).toBe(false)
    expect(await refresh(application, session.refresh_token)).toMatchObject(oauthRefusal('invalid_grant'))
    expect(await refresh(application, session.refresh_token, {}, { at: replica })).toMatchObject(
      oauthRefusal('invalid_grant'),
    )
  })

  test('is 401 at this API and at userinfo, and inactive', async () => {
    const scene = await newScene({ tenantry_api: true })
    const { session } = scene
    const headers = { authorization: `Bearer ${session.access_token}` }
    const userinfo = () => postForm('/userinfo', {}, { headers })
    const isActive = async () =>
      (
        await postForm('/introspect', {
          client_id: `sa_${guard.userId}`,
          client_secret: guard.token,
          token: session.access_token,
        })
      ).body.active
    const status = async () => (await call('GET', '/profile', { token: session.access_token })).status
    expect([await status(), (await userinfo()).status, await isActive()]).toEqual([200, 200, true])
    await lose(scene)
    expect([await status(), (await userinfo()).status, await isActive()]).toEqual([401, 401, false])
  })

  test('opens no session with a code that it got before', async () => {
    const scene = await newScene()
    const admitted = await admit(scene.user, scene.application)
    await lose(scene)
    expect(await exchange(scene.application, admitted)).toMatchObject(oauthRefusal('invalid_grant'))
  })
})

test('a session goes on when its user has the permission again', async () => {
  const scene = await newScene()
  await takeRole(scene)
  expect(await refresh(scene.application, scene.session.refresh_token)).toMatchObject(
    oauthRefusal('invalid_grant'),
  )
  await assign(tenant.id, scene.user.userId, scene.roleId)
  expect((await refresh(scene.application, scene.session.refresh_token)).status).toBe(200)
})
