import { decodeJwt, decodeProtectedHeader } from 'jose'
import sql from 'sql-template-tag'
import { afterAll, expect, test } from 'vitest'
import { newApplication, newResource, queuedLogouts } from '../../../../test/applications.ts'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { clearCatalogue, keyWith, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { call, parts, service } from '../../../../test/harness.ts'
import { clientIdOf } from '../../federation/oauth/clients/client-authentication.service.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { allowed } from '../../../../test/support.ts'
import { inProduct, postToken, supportUri, type Application } from '../../../../test/support-products.ts'

useMailServer()
afterAll(clearCatalogue)

test('an application has a page for support only as a web application of the installation', async () => {
  const root = await platformAdmin()
  const body = { name: unique(), redirect_uris: ['https://shop.example.com/callback'] }
  for (const fields of [
    { kind: 'browser', support_uri: supportUri },
    { kind: 'web', is_third_party: true, support_uri: supportUri },
    { kind: 'web', support_uri: 'http://shop.example.com/' },
  ]) {
    expect(await root.post('/applications', { ...body, ...fields })).toMatchObject(refusalOf('support_uri'))
  }
  expect(ok(await root.post('/applications', { ...body, kind: 'web' })).support_uri).toBe('')
})

test('a product gets a token of the support session, which names both and works nowhere else', async () => {
  const { tenant, user, staff, permission, other, application, id, open, getCode, exchange, admin } =
    await inProduct()
  const url = new URL(ok(await open()).redirect_to)
  expect(url.href.startsWith(supportUri)).toBe(true)
  expect(url.searchParams.get('iss')).toBe(parts.config.issuer)
  const { status, body } = await exchange(await getCode(), { scope: `openid ${permission.code}` })
  expect(status).toBe(200)
  expect(Object.keys(body).toSorted()).toEqual([
    'access_token',
    'expires_in',
    'issued_token_type',
    'scope',
    'token_type',
  ])
  expect(body.scope).toBe(`openid ${permission.code}`)
  const token = body.access_token as string
  const claims = decodeJwt(token)
  expect(decodeProtectedHeader(token).typ).toBe('at+jwt')
  expect(claims).toMatchObject({
    sub: String(user.userId),
    tid: tenant.id,
    client_id: application.client_id,
    aud: `${parts.config.audience}#support`,
    act: { sub: String(staff.userId), tid: staff.tenantId, name: staff.username },
    support: { id, kind: 'act' },
  })
  expect((await call('GET', '/profile', { token })).status).toBe(401)
  const userinfo = await call('GET', '//oauth2/userinfo', { token })
  expect(userinfo.body).toMatchObject({ sub: String(user.userId) })
  const flags = await call('POST', '//ofrep/v1/evaluate/flags', { token, body: { context: {} } })
  expect(flags.status).toBe(200)
  const key = await keyWith(tenant.id, ['authz:check'])
  const sessionId = String(claims['sid'])
  const about = `user_id=${user.userId}&session_id=${sessionId}`
  const acting = { id: staff.userId, tenant_id: staff.tenantId, name: staff.username, kind: 'platform' }
  expect(ok(await key.get(`/authz/permissions?${about}&include=actor`))).toMatchObject({
    permissions: [permission.code],
    actor: acting,
  })
  const question = { permissions: [permission.code, other.code], user_id: user.userId, session_id: sessionId }
  expect(ok(await key.post('/authz/check?include=actor', question))).toMatchObject({
    results: [{ allowed: true }, { allowed: false }],
    actor: acting,
  })
  expect(ok(await key.get(`/authz/permissions?user_id=${user.userId}&include=actor`)).actor).toBeNull()
  const introspected = await fetch(`${service.url}/oauth2/introspect`, {
    method: 'POST',
    body: new URLSearchParams({
      token,
      client_id: clientIdOf(key.userId),
      client_secret: key.token,
    }),
  })
  expect(await introspected.json()).toMatchObject({
    active: true,
    act: { sub: String(staff.userId) },
    support: { id, kind: 'act' },
  })
  ok(await user.delete(`/support/sessions/${id}`))
  expect((await call('GET', '//oauth2/userinfo', { token })).status).toBe(401)
  expect(await key.get(`/authz/permissions?${about}`)).toMatchObject(refusal('sessionUnknown'))
  const opened = ok(await admin.get('/audit/logs?action=support.open&include=actor')).items
  expect(opened[0]).toMatchObject({ actor: { id: staff.userId, kind: 'platform' } })
})

test('a code works once, for its application, with its verifier, within 60 seconds', async () => {
  const { tenant, application, getCode, exchange, user, session } = await inProduct({
    backchannel_logout_uri: 'http://127.0.0.1:9/support',
  })
  const code = await getCode()
  const answers = await Promise.all([exchange(code), exchange(code)])
  expect(tally(answers)).toEqual({ 200: 1, 400: 1 })
  const token = answers.find(({ status }) => status === 200)?.body.access_token as string
  expect((await call('POST', '//ofrep/v1/evaluate/flags', { token, body: { context: {} } })).status).toBe(401)
  expect((await session.get('/ping')).status).toBe(200)
  expect(await queuedLogouts('http://127.0.0.1:9/support')).toHaveLength(1)
  const grant = { status: 400, body: { error: 'invalid_grant' } }
  const verifier = 'x'.repeat(43)
  expect(await exchange(await getCode(), { code_verifier: verifier })).toMatchObject(grant)
  const foreign: Application = await newApplication({ support_uri: supportUri })
  const stolen = await getCode()
  const fields = { subject_token: stolen, code_verifier: verifier }
  expect(await postToken(foreign, fields)).toMatchObject(grant)
  expect((await exchange(stolen)).status).toBe(200)
  const late = await getCode()
  await parts.store.scoped({ tenantId: tenant.id }).run(sql`
    update support_openings set code_until = statement_timestamp() where tenant_id = ${tenant.id} and used_at is null`)
  expect(await exchange(late)).toMatchObject(grant)
  const past = await getCode()
  ok(await user.delete('/auth/sessions'))
  expect(await exchange(past)).toMatchObject(grant)
  expect(application.client_id).not.toBe(foreign.client_id)
})

test('another type, an actor token, a closed application and wrong scopes are refused by name', async () => {
  const { application, getCode, exchange } = await inProduct()
  const wrong = (error: string) => ({ status: 400, body: { error } })
  expect(await exchange('any', { subject_token_type: 'urn:x' })).toMatchObject(wrong('invalid_request'))
  expect(await exchange('any', { actor_token: 'any' })).toMatchObject(wrong('invalid_request'))
  expect(await exchange('any')).toMatchObject(wrong('invalid_grant'))
  const code = await getCode()
  expect(await exchange(code, { scope: 'no:such' })).toMatchObject(wrong('invalid_scope'))
  expect(await exchange(code)).toMatchObject(wrong('invalid_grant'))
  expect(await exchange(await getCode(), { resource: 'https://no.example.com/' })).toMatchObject(
    wrong('invalid_target'),
  )
  ok(await (await platformAdmin()).put(`/applications/${application.id}`, { support_uri: '' }))
  expect(await exchange(await getCode().catch(() => 'none'))).toMatchObject(wrong('unauthorized_client'))
})

test('a resource narrows the session, and its tokens have its audience', async () => {
  const { permission, application, getCode, exchange, user, tenant } = await inProduct()
  const resource = await newResource(permission.id)
  ok(await (await platformAdmin()).put(`/applications/${application.id}`, { resource_ids: [resource.id] }))
  const { body } = await exchange(await getCode(), { resource: resource.identifier })
  const claims = decodeJwt(body.access_token)
  expect(claims.aud).toBe(`${resource.identifier}#support`)
  const key = await keyWith(tenant.id, ['authz:check'])
  const about = `user_id=${user.userId}&session_id=${String(claims['sid'])}`
  expect(ok(await key.get(`/authz/permissions?${about}`)).permissions).toEqual([permission.code])
})

test('only the actor opens a product, in the session that started the support', async () => {
  const { user, admin, open, staff, tenant } = await inProduct()
  expect(await open(user)).toMatchObject(refusal('supportUnknown'))
  expect(await open(admin)).toMatchObject(refusal('supportUnknown'))
  const other = await tenant.member()
  const id = await allowed(staff, other)
  const body = { application_id: 1, code_challenge: 'x'.repeat(43) }
  expect(await staff.post(`/support/sessions/${id}/code`, body)).toMatchObject(refusal('supportStatusWrong'))
})
