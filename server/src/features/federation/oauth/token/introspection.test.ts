import { describe, expect, test } from 'vitest'
import { builtIn, keyWith, newTenant, ok, platformAdmin } from '../../../../../test/factories.ts'
import {
  claimsOf,
  credentialsOf,
  newApplication,
  newResource,
  oauthRefusal,
  openSession,
  postForm,
  postToken,
} from '../../../../../test/front-door.ts'

interface Key {
  userId: number
  token: string
}

const ask = (key: Key, token: string) =>
  postForm('/introspect', { client_id: `sa_${key.userId}`, client_secret: key.token, token })

const inactive = { status: 200, body: { active: false } }

describe('introspection', () => {
  test('tells a living token of the tenant, also one for a resource', async () => {
    const { id, admin } = await newTenant()
    const key = await keyWith(id, ['authz:check'])
    const resource = await newResource([])
    const application = await newApplication({ resource_ids: [resource.id] })
    const { access_token: token } = await openSession(admin, application, { resource, narrowedTo: [] })
    const { exp, sid } = claimsOf(token)
    expect((await ask(key, token)).body).toEqual({
      active: true,
      sub: String(admin.userId),
      tid: id,
      sid,
      aud: resource.identifier,
      client_id: application.clientId,
      scope: 'openid',
      token_type: 'Bearer',
      exp,
      username: admin.username,
    })
  })

  test('is as live as the API: the end of a session, of a key and of a user shows at once', async () => {
    const tenant = await newTenant()
    const { id, admin } = tenant
    const [key, other] = [await keyWith(id, ['authz:check']), await keyWith(id, [])]
    const application = await newApplication()
    const ended = await openSession(admin, application)
    ok(await admin.delete(`/auth/sessions/${String(claimsOf(ended.access_token)['sid'])}`))
    const user = await tenant.member()
    const disabled = await openSession(user, application)
    ok(await admin.put(`/users/${user.userId}`, { status: 0 }))
    const form = {
      grant_type: 'client_credentials',
      client_id: `sa_${other.userId}`,
      client_secret: other.token,
    }
    const issued = (await postToken(form)).body.access_token
    expect((await ask(key, issued)).body).toMatchObject({ active: true, sid: `key_${other.keyId}` })
    ok(await admin.delete(`/service-accounts/${other.userId}/keys/${other.keyId}`))
    for (const token of [ended.access_token, disabled.access_token, issued]) {
      expect(await ask(key, token)).toMatchObject(inactive)
    }
  })

  test('tells nothing about tokens of another tenant but to those who enter every tenant', async () => {
    const { admin } = await newTenant()
    const foreign = await newTenant()
    const [key, everywhere] = [
      await keyWith(foreign.id, ['authz:check']),
      await keyWith(builtIn.id, ['authz:check', 'tenant:enter']),
    ]
    const { access_token: token } = await openSession(admin, await newApplication())
    expect(await ask(key, token)).toMatchObject(inactive)
    expect((await ask(everywhere, token)).body).toMatchObject({ active: true })
  })

  test('tells nothing to a key without authz:check, nor to an application, nor about other tokens', async () => {
    const { id, admin } = await newTenant()
    const [powerless, key] = [await keyWith(id, []), await keyWith(id, ['authz:check'])]
    const application = await newApplication()
    const tokens = await openSession(admin, application)
    expect(await ask(powerless, tokens.access_token)).toMatchObject(inactive)
    for (const token of [tokens.id_token, tokens.refresh_token, key.token, 'x']) {
      expect(await ask(key, token)).toMatchObject(inactive)
    }
    const asked = await postForm('/introspect', { ...credentialsOf(application), token: tokens.access_token })
    expect(asked).toMatchObject(inactive)
  })

  test('refuses a caller who proves nothing', async () => {
    const { admin } = await newTenant()
    const wrong = await ask({ userId: 1, token: 'tnt_x' }, admin.token)
    expect(wrong).toMatchObject(oauthRefusal('invalid_client', 401))
    expect(wrong.headers.get('www-authenticate')).toBeNull()
    const headers = { authorization: `Basic ${Buffer.from('sa_1:tnt_x').toString('base64')}` }
    const basic = await postForm('/introspect', { token: admin.token }, { headers })
    expect([basic.status, basic.headers.get('www-authenticate')]).toEqual([401, 'Basic realm="Tenantry"'])
  })

  test('needs a token', async () => {
    const { id } = await newTenant()
    const key = await keyWith(id, ['authz:check'])
    expect(await ask(key, '')).toMatchObject(oauthRefusal('invalid_request'))
  })

  test('tells of a disabled tenant that its tokens are inactive', async () => {
    const [{ id, admin }, root] = [await newTenant(), await platformAdmin()]
    const everywhere = await keyWith(builtIn.id, ['authz:check', 'tenant:enter'])
    const { access_token: token } = await openSession(admin, await newApplication())
    ok(await root.put(`/org/tenants/${id}`, { status: 0 }))
    expect(await ask(everywhere, token)).toMatchObject(inactive)
  })
})
