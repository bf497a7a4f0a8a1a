/** Decision 0265: SAML over HTTP, with a provider built on `samlify`. */
import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newTenant, ok, unique, type Tenant } from '../../../../test/factories.ts'
import { newApplication } from '../../../../test/front-door.ts'
import { clock, parts, service } from '../../../../test/harness.ts'
import { posted, rsaKey } from '../../../../../lab/saml.ts'
import { samlifyProvider } from '../../../../test/samlify.ts'
import { sha256 } from '../../../crypto/sha256.ts'
import { systemCtx } from '../../../start/parts.ts'
import { warnOfCertificates } from './certificates.service.ts'
import { strangersMetadata } from '../../../../test/saml.ts'
import { selectAttemptConnection } from './attempts.store.ts'
import type { SamlConfig } from './saml-connection.ts'
import { beginSaml, takeSamlAnswer } from './saml.service.ts'

const key = rsaKey()
const ctx = () => systemCtx(parts, 'test')

const get = (path: string) => fetch(`${service.url}${path}`, { redirect: 'manual' })

const post = (id: string, form: Record<string, string>) =>
  fetch(`${service.url}/sso/saml/${id}/acs`, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  })

const ourMetadataOf = async (id: string) => (await get(`/sso/saml/${id}/metadata`)).text()

const some = { ssoUrl: 'https://provider.example/sso', key, signs: 'both' } as const

/** The metadata of a new provider. */
const newMetadata = (ssoUrl: string = some.ssoUrl) => {
  const entityId = `https://${unique('p')}.example/entity`
  return {
    entityId,
    metadata: samlifyProvider({ ...some, ssoUrl, entityId, ours: strangersMetadata }).metadata,
  }
}

/** A SAML connection and its provider, which has the service's metadata. */
const connect = async (tenant: Tenant, applicationId: number | null = null) => {
  const { entityId, metadata } = newMetadata()
  const body = { type: 'saml', name: 'Any', metadata, application_id: applicationId }
  const made = ok(await tenant.admin.post('/connections', body))
  const provider = samlifyProvider({ ...some, entityId, ours: await ourMetadataOf(made.id) })
  return { id: made.id as string, tenantId: tenant.id, provider, made }
}

type Connection = Awaited<ReturnType<typeof connect>>

/** Begins a sign-in, and makes the provider answer. */
const begin = async ({ id, tenantId, provider }: Connection) => {
  const browser = randomBytes(32).toString('base64url')
  const interactionId = randomUUID()
  const connection = await selectAttemptConnection(parts.store.scoped({ tenantId }), tenantId, id)
  if (!connection) throw new Error('no connection')
  const { request, stateHash } = beginSaml(ctx(), connection, connection.config as SamlConfig)
  const until = new Date(parts.now().getTime() + 600_000)
  await parts.store.transaction({ tenantId }, (db) =>
    db.run(sql`
      insert into sso_attempts (tenant_id, id, connection_id, interaction_id, browser_hash, is_test, state_hash, expires_at)
      values (${tenantId}, ${randomUUID()}, ${id}, ${interactionId}, ${sha256(browser)}, false, ${stateHash}, ${until})`),
  )
  const requestId = await provider.readRequest(request.address)
  const answer = await provider.respond(requestId, 'ada@acme.example')
  return { browser, interactionId, requestId, answer }
}

const handleIn = (response: Response, { id }: Connection): string => {
  expect(response.status).toBe(303)
  const [path = '', handle = ''] = (response.headers.get('location') ?? '').split('?handle=')
  expect(path).toBe(`/sso/saml/${id}/answer`)
  return handle
}

const expectRefusal = async (response: Response) => {
  expect(response.status).toBe(400)
  expect(await response.text()).toContain('This sign-in has expired')
}

describe('our metadata', () => {
  test('is at the address that is our entity id', async () => {
    const { id } = await connect(await newTenant())
    const response = await get(`/sso/saml/${id}/metadata`)
    expect(response.headers.get('content-type')).toContain('application/samlmetadata+xml')
    const base = `${parts.config.publicUrl}/sso/saml/${id}`
    const text = await response.text()
    expect(text).toContain(`entityID="${base}/metadata"`)
    expect(text).toContain(`Location="${base}/acs"`)
  })

  test('metadata of an unknown connection is 404', async () => {
    expect((await get(`/sso/saml/${randomUUID()}/metadata`)).status).toBe(404)
    expect((await get('/sso/saml/1/metadata')).status).toBe(400)
  })
})

describe('an answer', () => {
  test('waits for the browser that began, and is taken once', async () => {
    const connection = await connect(await newTenant())
    const { browser, interactionId, answer } = await begin(connection)
    const handle = handleIn(await post(connection.id, { SAMLResponse: answer, RelayState: 'x' }), connection)
    expect(await takeSamlAnswer(ctx(), connection.id, { handle, browser: 'another' })).toBeUndefined()
    expect(await takeSamlAnswer(ctx(), randomUUID(), { handle, browser })).toBeUndefined()
    expect(await takeSamlAnswer(ctx(), connection.id, { handle, browser })).toEqual({
      tenantId: connection.tenantId,
      interactionId,
      isTest: false,
      outcome: { person: { subject: 'ada@acme.example', email: '', name: '', claimed: {} }, claims: [] },
    })
    expect(await takeSamlAnswer(ctx(), connection.id, { handle, browser })).toBeUndefined()
  })

  test('a refused answer waits as well, so that the provider learns nothing', async () => {
    const connection = await connect(await newTenant())
    const { browser, requestId } = await begin(connection)
    const forged = await samlifyProvider({
      entityId: connection.made.entity_id,
      ssoUrl: 'https://provider.example/sso',
      key: rsaKey(),
      ours: await ourMetadataOf(connection.id),
    }).respond(requestId, 'ada@acme.example')
    const handle = handleIn(await post(connection.id, { SAMLResponse: forged }), connection)
    expect(await takeSamlAnswer(ctx(), connection.id, { handle, browser })).toMatchObject({
      outcome: { refused: 'signature_invalid' },
    })
  })

  test('waits for 60 seconds', async () => {
    const connection = await connect(await newTenant())
    const { browser, answer } = await begin(connection)
    const handle = handleIn(await post(connection.id, { SAMLResponse: answer }), connection)
    clock.offsetMs = 61_000
    expect(await takeSamlAnswer(ctx(), connection.id, { handle, browser })).toBeUndefined()
  })

  test('spends its attempt: a second one is refused, also at the same time', async () => {
    const connection = await connect(await newTenant())
    const { answer } = await begin(connection)
    const responses = await Promise.all([1, 2, 3].map(() => post(connection.id, { SAMLResponse: answer })))
    expect(responses.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400, 400])
    await expectRefusal(await post(connection.id, { SAMLResponse: answer }))
  })

  test('comes within ten minutes', async () => {
    const connection = await connect(await newTenant())
    const { answer } = await begin(connection)
    clock.offsetMs = 601_000
    await expectRefusal(await post(connection.id, { SAMLResponse: answer }))
  })

  test('an answer for another connection is refused, in the same tenant and in another', async () => {
    const tenant = await newTenant()
    const [one, beside, other] = [
      await connect(tenant),
      await connect(tenant),
      await connect(await newTenant()),
    ]
    const { answer } = await begin(one)
    for (const { id } of [beside, other]) await expectRefusal(await post(id, { SAMLResponse: answer }))
    handleIn(await post(one.id, { SAMLResponse: answer }), one)
  })

  test('an answer by a disabled connection is refused', async () => {
    const connection = await connect(await newTenant())
    const { answer } = await begin(connection)
    await parts.store.transaction({ tenantId: connection.tenantId }, (db) =>
      db.run(sql`update connections set status = 'disabled' where id = ${connection.id}`),
    )
    await expectRefusal(await post(connection.id, { SAMLResponse: answer }))
  })
})

describe('a post', () => {
  test('an empty post, one without XML, and one to nobody are refused', async () => {
    const connection = await connect(await newTenant())
    await expectRefusal(await post(connection.id, { SAMLResponse: 'x' }))
    await expectRefusal(await post(randomUUID(), { SAMLResponse: posted('<a/>') }))
    expect((await post(connection.id, {})).status).toBe(400)
    expect((await post(connection.id, { SAMLResponse: 'A'.repeat(500_000) })).status).toBe(413)
    const few = Object.fromEntries(Array.from({ length: 99 }, (_, at) => [`p${at}`, '']))
    await expectRefusal(await post(connection.id, { ...few, SAMLResponse: 'x' }))
    const many = await post(connection.id, { ...few, one: '', SAMLResponse: 'x' })
    expect([many.status, await many.text()]).toEqual([400, expect.stringContaining('at most 100 parameters')])
  })

  test('an unsolicited response is not read, and the browser goes to the application', async () => {
    const unsolicited = posted('<samlp:Response xmlns:samlp="urn:oasis:names:tc:SAML:2.0:protocol" ID="_a"/>')
    const tenant = await newTenant()
    const home = 'https://app.example.com/start'
    const application = await newApplication({ home_url: home })
    const cases: [Connection, string][] = [
      [await connect(tenant), '/console/'],
      [await connect(tenant, application.id), home],
    ]
    for (const [{ id }, location] of cases) {
      const response = await post(id, { SAMLResponse: unsolicited })
      expect([response.status, response.headers.get('location')]).toEqual([303, location])
    }
  })
})

describe('a certificate that ends', () => {
  test('is told to managers 30 days before, once', async () => {
    const tenant = await newTenant()
    const manager = await tenant.userWith('sso:manage')
    const year = new Date().getUTCFullYear() + 1
    const { metadata } = newMetadata()
    const ending = metadata.replace(key.certificate, rsaKey(2048, year).certificate)
    expect(ending).not.toBe(metadata)
    ok(await tenant.admin.post('/connections', { type: 'saml', name: 'Any', metadata: ending }))
    const titles = async () => {
      const { items } = ok(await tenant.admin.get(`/notifications/user/${manager.userId}`))
      return items.filter(({ title }: { title: string }) => title === 'A sign-in certificate expires soon')
    }
    const atDay = (day: string) => {
      const now = () => new Date(day)
      return warnOfCertificates({ ...ctx(), parts: { ...parts, now } })
    }
    await atDay(`${year - 1}-12-01T23:59:59Z`)
    expect(await titles()).toEqual([])
    await atDay(`${year - 1}-12-02T00:00:01Z`)
    await atDay(`${year - 1}-12-02T00:00:01Z`)
    expect(await titles()).toHaveLength(1)
    expect((await titles())[0].content).toContain(`${year}-01-01`)
  })
})

describe('a connection', () => {
  const create = (tenant: Tenant, fields: object) =>
    tenant.admin.post('/connections', { type: 'saml', name: 'Any', ...fields })

  test('shows the fields that are read from its metadata, and the address for answers', async () => {
    const tenant = await newTenant()
    const { entityId, metadata } = newMetadata()
    const made = ok(await create(tenant, { metadata, groups_attribute: '' }))
    expect(made).toMatchObject({
      type: 'saml',
      status: 'draft',
      metadata,
      entity_id: entityId,
      sso_url: some.ssoUrl,
      certificates: [key.certificate],
      subject: 'name_id',
      email_attribute: 'email',
      name_attribute: 'name',
      groups_attribute: '',
      callback_url: `${parts.config.publicUrl}/sso/saml/${made.id}/acs`,
    })
    expect(made).not.toHaveProperty('issuer')
    expect(ok(await tenant.admin.get(`/connections/${made.id}`))).toEqual(made)
    expect(ok(await tenant.admin.get('/connections'))).toEqual([made])
  })

  test('is refused with unsafe metadata, with a word on what to send', async () => {
    const tenant = await newTenant()
    const { metadata } = newMetadata()
    const refused = async (fields: object, text: string) => {
      const { status, body } = await create(tenant, fields)
      expect([status, body.code]).toEqual([400, 40001])
      expect(body.message).toContain(text)
    }
    await refused({}, 'metadata: is required')
    await refused({ metadata: '<a/>' }, 'metadata: Send the metadata of one entity')
    await refused({ metadata: `<!DOCTYPE x>${metadata}` }, 'without DOCTYPE')
    await refused(
      { metadata: metadata.replace(key.certificate, rsaKey(1024).certificate) },
      '2,048 to 8,192 bits',
    )
    await refused({ metadata: newMetadata('http://provider.example/sso').metadata }, 'must be https')
    await refused({ type: 'oidc', metadata }, 'issuer: is required')
    expect(
      ok(await create(tenant, { metadata: newMetadata('http://127.0.0.1:9/sso').metadata })),
    ).toBeDefined()
  })

  test('takes new certificates, but no other entity and no other subject', async () => {
    const tenant = await newTenant()
    const { metadata } = newMetadata()
    const { id } = ok(await create(tenant, { metadata }))
    const fresh = rsaKey()
    const put = (fields: object) => tenant.admin.put(`/connections/${id}`, fields)
    const changed = ok(await put({ metadata: metadata.replace(key.certificate, fresh.certificate) }))
    expect(changed).toMatchObject({ certificates: [fresh.certificate], email_attribute: 'email' })
    expect(ok(await put({ email_attribute: 'mail' }))).toMatchObject({ email_attribute: 'mail' })
    for (const fields of [{ metadata: newMetadata().metadata }, { subject: 'email' }]) {
      expect((await put(fields)).body).toMatchObject({ code: 40001 })
    }
    const log = ok(await tenant.admin.get('/audit/logs?resource=connection'))
    expect(JSON.stringify(log)).toContain(fresh.certificate)
    ok(await tenant.admin.delete(`/connections/${id}`))
    expect((await get(`/sso/saml/${id}/metadata`)).status).toBe(404)
  })
})
