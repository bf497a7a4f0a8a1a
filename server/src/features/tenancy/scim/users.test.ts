/** Users of a directory, over HTTP. */
import { setTimeout } from 'node:timers/promises'
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  errorSchema,
  listSchema,
  newDirectory,
  scim,
  type TestDirectory,
} from '../../../../test/directories.ts'
import { refusal } from '../../../../test/answers.ts'
import {
  auditRecords,
  countAuditRecords,
  keyWith,
  newTenant,
  newUser,
  ok,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { onPostgres } from '../../../../test/test-database.ts'
import { lockAuthorityAgainstChange, lockTenantAuthority } from '../../../access/tenancy.store.ts'

let own: TestDirectory
beforeAll(async () => {
  own = await newDirectory()
})

const address = (at = own) => `${unique('p')}@${at.domain}`

const failure = (status: number, scimType?: string) => ({
  status,
  body: {
    schemas: [errorSchema],
    status: String(status),
    ...(scimType && { scimType }),
    detail: expect.any(String),
  },
})

/** The tenant's user of an address. */
const userBehind = async ({ tenant }: TestDirectory, email: string) => {
  const { items } = ok(await tenant.admin.get(`/users?search=${encodeURIComponent(email)}`))
  return items[0] as { id: number; username: string; nickname: string; email: string; status: number }
}

describe('a user', () => {
  test('is created with an account, and shows what was kept', async () => {
    const email = address()
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const { status, body, headers } = await own.send('POST', '/Users', {
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      userName: email,
      externalId: 'e-1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada Lovelace',
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      password: 'correct horse',
      title: 'Countess',
      [enterprise]: { department: 'Engines', manager: { value: '7' } },
    })
    expect([status, headers.get('content-type')]).toEqual([201, 'application/scim+json; charset=utf-8'])
    expect(headers.get('location')).toBe(body.meta.location)
    expect(body).toEqual({
      schemas: ['urn:ietf:params:scim:schemas:core:2.0:User', enterprise],
      id: expect.any(String),
      userName: email,
      externalId: 'e-1',
      name: { givenName: 'Ada', familyName: 'Lovelace' },
      displayName: 'Ada Lovelace',
      emails: [{ value: email, type: 'work', primary: true }],
      active: true,
      [enterprise]: { department: 'Engines', manager: { value: '7' } },
      meta: {
        resourceType: 'User',
        created: expect.any(String),
        lastModified: expect.any(String),
        location: expect.stringMatching(/\/scim\/v2\/Users\/[0-9a-f-]{36}$/),
      },
    })
    const user = await userBehind(own, email)
    expect(user).toMatchObject({ nickname: 'Ada Lovelace', email, status: 1 })
    const [record] = await auditRecords(own.tenant.id, 'user', user.id)
    expect(record).toMatchObject({ action: 'user.create', user_id: own.key.userId })
    expect(record?.detail).toMatchObject({ source: { from: null, to: 'scim' } })
    expect(await own.send('GET', `/Users/${body.id}`)).toMatchObject({ status: 200, body })
  })

  test('a user with an address in no verified domain is refused', async () => {
    for (const email of ['a@elsewhere.example', `a@sub.${own.domain}`, `a@x${own.domain}`]) {
      expect(await own.send('POST', '/Users', { userName: email })).toMatchObject(
        failure(400, 'invalidValue'),
      )
    }
    expect(await own.send('POST', '/Users', { userName: 'nobody' })).toMatchObject(
      failure(400, 'invalidValue'),
    )
    expect(await own.send('POST', '/Users', {})).toMatchObject(failure(400, 'invalidValue'))
    expect(await own.send('POST', '/Users', [])).toMatchObject(failure(400, 'invalidSyntax'))
  })

  test('is unique by userName without case, externalId and address', async () => {
    const { userName } = await own.push({ externalId: unique() })
    const again = await own.send('POST', '/Users', {
      userName: userName.toUpperCase(),
      emails: [{ value: address() }],
    })
    expect(again).toMatchObject(failure(409, 'uniqueness'))
    const { externalId } = await own.push({ externalId: unique() })
    const other = { userName: address(), externalId }
    expect(await own.send('POST', '/Users', other)).toMatchObject(failure(409, 'uniqueness'))
    const sameAddress = { userName: unique('n'), emails: [{ value: userName }] }
    expect(await own.send('POST', '/Users', sameAddress)).toMatchObject(failure(409, 'uniqueness'))
  })

  test('users with equal usernames and with one address, pushed at once, get what a push in turn gives', async () => {
    const name = unique('n')
    const names = [name, `${name}!`, `${name}?`, `${name}*`]
    const users = names.map((userName) => ({ userName, email: address() }))
    const pushed = await Promise.all(
      users.map(({ userName, email }) =>
        own.send('POST', '/Users', { userName, emails: [{ value: email }] }),
      ),
    )
    expect(pushed.map(({ status }) => status)).toEqual([201, 201, 201, 201])
    const behind = await Promise.all(users.map(({ email }) => userBehind(own, email)))
    const usernames = behind.map(({ username }) => username).toSorted()
    expect(usernames).toEqual([name, `${name}2`, `${name}3`, `${name}4`])
    const one = { emails: [{ value: address() }] }
    const same = await Promise.all(
      [unique('n'), unique('n')].map((userName) => own.send('POST', '/Users', { ...one, userName })),
    )
    expect(same.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
  })

  test.runIf(onPostgres)('is pushed beside other pushes, and waits for a change of authority', async () => {
    const during = (lock: typeof lockTenantAuthority, work: () => Promise<unknown>) =>
      parts.store.transaction({ tenantId: own.tenant.id }, async (db) => {
        await lock(db, own.tenant.id)
        await work()
      })
    await during(lockAuthorityAgainstChange, () => own.push())
    let pushing: Promise<unknown> | undefined
    await during(lockTenantAuthority, async () => {
      let isAnswered = false
      pushing = own.push().finally(() => (isAnswered = true))
      await setTimeout(200)
      expect(isAnswered).toBe(false)
    })
    await pushing
  })

  test('becomes the resource of a user of the tenant, and keeps roles and username', async () => {
    const at = await newDirectory()
    const user = await newUser(at.tenant.id)
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${`${user.username}@${at.domain}`}, email_folded = ${`${user.username}@${at.domain}`}
      where email_folded = ${user.email}`)
    const before = await countAuditRecords(at.tenant.id)
    const { id } = await at.push({ userName: `${user.username}@${at.domain}`, displayName: 'New' })
    expect(await countAuditRecords(at.tenant.id)).toBe(before + 1)
    expect(ok(await at.tenant.admin.get(`/users/${user.userId}`))).toMatchObject({
      nickname: 'New',
      status: 1,
    })
    expect((await at.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    expect((await user.get('/profile')).status).toBe(401)
  })

  test('gets a nickname from the parts of the name, where there is no displayName', async () => {
    const named = { formatted: 'Nora B. Field', givenName: 'Nora', familyName: 'Field' }
    const { id, userName } = await own.push({ name: named })
    expect((await userBehind(own, userName)).nickname).toBe('Nora B. Field')
    await own.patch(`/Users/${id}`, { op: 'remove', path: 'name.formatted' })
    expect((await userBehind(own, userName)).nickname).toBe('Nora Field')
    await own.patch(`/Users/${id}`, { op: 'add', path: 'displayName', value: 'N\u202Eo\nra' })
    expect((await userBehind(own, userName)).nickname).toBe('No ra')
  })

  test('a resource for an account elsewhere has no user', async () => {
    const at = await newDirectory()
    const elsewhere = await newUser((await newTenant()).id)
    const email = `${elsewhere.username}@${at.domain}`
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${email}, email_folded = ${email} where email_folded = ${elsewhere.email}`)
    const { id } = await at.push({ userName: email })
    expect(await userBehind(at, email)).toBeUndefined()
    expect((await at.patch(`/Users/${id}`, { op: 'replace', path: 'active', value: false })).status).toBe(200)
    expect((await elsewhere.get('/profile')).status).toBe(200)
    expect((await at.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await elsewhere.get('/profile')).status).toBe(200)
  })

  test('a user of another directory, and a user that no directory pushed, are 404', async () => {
    const other = await newDirectory()
    const { id } = await own.push()
    const change = { schemas: [], Operations: [{ op: 'replace', path: 'active', value: false }] }
    for (const path of [`/Users/${id}`, `/Users/${own.tenant.admin.userId}`, '/Users/x', '/Users/%00']) {
      for (const [method, body] of [
        ['GET'],
        ['PUT', { userName: address(other) }],
        ['PATCH', change],
        ['DELETE'],
      ] as const) {
        const answer = await other.send(method, path, body)
        expect([answer.status, answer.body.schemas]).toEqual([path.includes('%') ? 400 : 404, [errorSchema]])
      }
    }
    expect((await other.send('GET', '/Users')).body).toMatchObject({ totalResults: 0 })
  })
})

describe('active: false', () => {
  const signedIn = async (at: TestDirectory) => {
    const user = await newUser(at.tenant.id)
    const email = `${user.username}@${at.domain}`
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${email}, email_folded = ${email} where email_folded = ${user.email}`)
    const { id } = await at.push({ userName: email })
    return { ...user, email, resource: id }
  }

  test.each([
    ['Entra ID', { op: 'Replace', path: 'active', value: 'False' }],
    ['Okta', { op: 'replace', value: { active: false } }],
  ])('the form of %s disables at once, and true enables', async (_provider, operation) => {
    const user = await signedIn(own)
    expect((await user.get('/profile')).status).toBe(200)
    const answer = await own.patch(`/Users/${user.resource}`, operation)
    expect(answer).toMatchObject({ status: 200, body: { active: false } })
    expect((await user.get('/profile')).status).toBe(401)
    expect((await userBehind(own, user.email)).status).toBe(0)
    const on = await own.patch(`/Users/${user.resource}`, { op: 'replace', path: 'active', value: true })
    expect(on.body.active).toBe(true)
    expect((await userBehind(own, user.email)).status).toBe(1)
    expect((await user.get('/profile')).status).toBe(401)
  })

  test('counts beside operations about attributes that are not kept', async () => {
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const user = await signedIn(own)
    const boss = { op: 'Add', path: `${enterprise}:manager`, value: 'boss-1' }
    const tag = { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:acme:2.0:User:tag', value: '77' }
    expect((await own.patch(`/Users/${user.resource}`, boss, tag)).body[enterprise]).toEqual({
      manager: { value: 'boss-1' },
    })
    const { status, body } = await own.patch(
      `/Users/${user.resource}`,
      { op: 'Replace', path: 'active', value: 'False' },
      { op: 'Remove', path: `${enterprise}:manager[value eq "boss-1"]` },
      tag,
    )
    expect([status, body.active, body[enterprise]]).toEqual([200, false, undefined])
    expect((await user.get('/profile')).status).toBe(401)
  })

  test('the directory and the administrators both have to enable a user', async () => {
    const user = await signedIn(own)
    const { admin } = own.tenant
    const set = (active: boolean) =>
      own.patch(`/Users/${user.resource}`, { op: 'replace', path: 'active', value: active })
    const status = async () => ok(await admin.get(`/users/${user.userId}`)).status
    // After the administrator disables the user, the directory cannot enable the user.
    ok(await admin.put(`/users/${user.userId}`, { status: 0 }))
    expect((await set(false)).body.active).toBe(false)
    expect((await set(true)).body.active).toBe(true)
    expect(await status()).toBe(0)
    ok(await admin.put(`/users/${user.userId}`, { status: 1 }))
    expect(await status()).toBe(1)
    // After the directory disables the user, no administrator can enable the user.
    await set(false)
    expect(await admin.put(`/users/${user.userId}`, { status: 1 })).toMatchObject(refusal('userShutOut'))
    ok(await admin.put(`/users/${user.userId}`, { nickname: 'x' }))
    ok(await admin.put(`/users/${user.userId}`, { status: 0 }))
    await set(true)
    expect(await status()).toBe(0)
  })

  test('a directory disables an administrator, whom the key does not outrank', async () => {
    const at = await newDirectory()
    const { admin } = at.tenant
    const email = `${admin.username}@${at.domain}`
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${email}, email_folded = ${email} where email_folded = ${admin.email}`)
    const { id } = await at.push({ userName: email })
    expect((await at.send('DELETE', `/Users/${id}`)).status).toBe(204)
    expect((await admin.get('/profile')).status).toBe(401)
    expect((await at.send('GET', `/Users/${id}`)).status).toBe(404)
  })

  test('does not reach break-glass users', async () => {
    const at = await newDirectory()
    const user = await newUser(at.tenant.id)
    await parts.store.scoped({ tenantId: at.tenant.id }).run(sql`
      insert into sso_exemptions (tenant_id, user_id, account_id, created_at) values (${at.tenant.id}, ${user.userId}, 0, now())`)
    const email = `${user.username}@${at.domain}`
    await parts.store.scoped({}).run(sql`
      update accounts set email = ${email}, email_folded = ${email} where email_folded = ${user.email}`)
    expect(await at.send('POST', '/Users', { userName: email, active: false })).toMatchObject(
      failure(409, 'uniqueness'),
    )
    expect((await user.get('/profile')).status).toBe(200)
  })
})

describe('a change', () => {
  test('a change to the same values leaves no record, and keeps the time', async () => {
    const email = address()
    const { id, meta } = await own.push({ userName: email, displayName: 'Ada', active: true })
    const before = await countAuditRecords(own.tenant.id)
    const operation = { op: 'Replace', value: { displayName: 'Ada', active: 'True', userName: email, id } }
    expect((await own.patch(`/Users/${id}`, operation)).body.meta).toEqual(meta)
    await own.send('PUT', `/Users/${id}`, { id, userName: email, displayName: 'Ada', active: true })
    expect(await countAuditRecords(own.tenant.id)).toBe(before)
    const { body } = await own.patch(`/Users/${id}`, { op: 'replace', path: 'displayName', value: 'Al' })
    expect(body.displayName).toBe('Al')
    expect(await countAuditRecords(own.tenant.id)).toBe(before + 1)
  })

  test('moves the address of an account that nobody owns, and of no other one', async () => {
    const at = await newDirectory()
    const [first, second, third] = [address(at), address(at), address(at)]
    const { id } = await at.push({ userName: first, emails: [{ value: first, primary: true }] })
    const move = (value: string) =>
      at.patch(`/Users/${id}`, { op: 'replace', path: 'emails', value: [{ value }] })
    expect((await move(second)).status).toBe(200)
    expect(await userBehind(at, second)).toMatchObject({ email: second })
    expect(await move('x@elsewhere.example')).toMatchObject(failure(400, 'invalidValue'))
    await parts.store
      .scoped({})
      .run(sql`update accounts set has_own_password = true where email_folded = ${second}`)
    expect((await move(third)).status).toBe(200)
    expect(await userBehind(at, second)).toMatchObject({ email: second })
    expect(await userBehind(at, third)).toBeUndefined()
  })

  test('is all or none', async () => {
    const { id } = await own.push({ displayName: 'Ada' })
    const answer = await own.patch(
      `/Users/${id}`,
      { op: 'replace', path: 'displayName', value: 'Al' },
      { op: 'add', path: 'nonsense', value: 1 },
    )
    expect(answer).toMatchObject(failure(400, 'invalidPath'))
    expect((await own.send('GET', `/Users/${id}`)).body.displayName).toBe('Ada')
  })

  test('a PUT without active keeps the switch', async () => {
    const email = address()
    const { id } = await own.push({ userName: email, active: false, displayName: 'x' })
    const { body } = await own.send('PUT', `/Users/${id}`, { userName: email })
    expect(body).toMatchObject({ active: false })
    expect(body).not.toHaveProperty('displayName')
    const other = await own.send('PUT', `/Users/${id}`, { id: own.connectionId, userName: email })
    expect(other).toMatchObject(failure(400, 'mutability'))
  })
})

describe('a list', () => {
  let at: TestDirectory
  const found = async (filter: string, more = '') => {
    const { status, body } = await at.send('GET', `/Users?filter=${encodeURIComponent(filter)}${more}`)
    if (status !== 200) return body.scimType
    return body.Resources.map(({ displayName }: { displayName: string }) => displayName).join(' ')
  }
  beforeAll(async () => {
    at = await newDirectory()
    const enterprise = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'
    const person = (displayName: string, more: object) =>
      at.push({ userName: `${displayName}@${at.domain}`, displayName, ...more })
    await person('Ada', {
      externalId: 'Ext1',
      name: { familyName: 'Løvelace' },
      emails: [
        { value: `Ada@${at.domain}`, type: 'work', primary: true },
        { value: 'x_%@home.example', type: 'home' },
      ],
      [enterprise]: { department: 'Engines', manager: { value: 'M7' } },
    })
    await person('Bob', { active: false })
    await person('Cid', { externalId: 'Ext3' })
  })

  test.each([
    ['userName eq "ADA@%"', 'Ada'],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "ada@%"', 'Ada'],
    ['USERNAME SW "a"', 'Ada'],
    ['displayName ne "ada"', 'Bob Cid'],
    ['displayName co "I"', 'Cid'],
    ['displayName ew "b" or displayName eq "ADA"', 'Ada Bob'],
    ['externalId eq "Ext1"', 'Ada'],
    ['externalId eq "ext1"', ''],
    ['externalId pr', 'Ada Cid'],
    ['not (externalId pr)', 'Bob'],
    ['externalId eq null', 'Bob'],
    ['active eq true', 'Ada Cid'],
    ['active ne true', 'Bob'],
    ['active eq "True"', 'Ada Cid'],
    ['emails[primary eq "true"]', 'Ada'],
    ['name.familyName eq "LØVELACE"', 'Ada'],
    ['name pr', 'Ada'],
    ['not (name.familyName eq "x")', 'Ada Bob Cid'],
    ['emails.value eq "ada@%"', 'Ada'],
    ['emails eq "ada@%"', 'Ada'],
    ['emails co "x_%"', 'Ada'],
    ['emails co "xx%"', ''],
    ['emails[type eq "work" and value eq "ada@%"]', 'Ada'],
    ['emails[type eq "home" and value eq "ada@%"]', ''],
    ['emails[type eq "work"].value sw "ada"', 'Ada'],
    ['emails[type eq "work"].value sw "x"', ''],
    ['emails[primary eq true]', 'Ada'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department eq "engines"', 'Ada'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager.value eq "M7"', 'Ada'],
    ['urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:manager eq "m7"', ''],
    ['meta.created gt "2000-01-01T00:00:00Z" and displayName eq "Bob"', 'Bob'],
    ['meta.lastModified lt "2000-01-01T00:00:00Z"', ''],
    ['id eq "nothing"', ''],
    ['groups pr', ''],
    ['title eq "x"', 'invalidFilter'],
    ['name eq "x"', 'invalidFilter'],
    ['active eq "x"', 'invalidFilter'],
    ['active gt true', 'invalidFilter'],
    ['displayName gt "x"', 'invalidFilter'],
    ['displayName eq 1', 'invalidFilter'],
    ['meta.created gt "yesterday"', 'invalidFilter'],
    ['meta.created co "2000"', 'invalidFilter'],
    ['emails[value eq "x"', 'invalidFilter'],
    ['emails[groups pr]', 'invalidFilter'],
    [String.raw`displayName eq "\u0000"`, 'invalidFilter'],
    [String.raw`emails[value co "\ud800"]`, 'invalidFilter'],
    ['displayName eq "x\'; drop table users; --"', ''],
    ['constructor pr', 'invalidFilter'],
    ['name.constructor pr', 'invalidFilter'],
  ])('the filter %s selects the expected users', async (filter, expected) => {
    const real = filter.includes('@%') ? filter.replace('@%', `@${at.domain}`) : filter
    expect(await found(real)).toBe(expected)
  })

  test('has pages with an exact total, in the order of creation', async () => {
    const page = async (query: string) => (await at.send('GET', `/Users${query}`)).body
    expect(await page('')).toMatchObject({
      schemas: [listSchema],
      totalResults: 3,
      startIndex: 1,
      itemsPerPage: 3,
    })
    expect(await page('?startIndex=2&count=1')).toMatchObject({
      totalResults: 3,
      startIndex: 2,
      itemsPerPage: 1,
      Resources: [{ displayName: 'Bob' }],
    })
    expect(await page('?count=0')).toMatchObject({ totalResults: 3, itemsPerPage: 0, Resources: [] })
    expect(await page('?startIndex=-7&count=-1')).toMatchObject({ startIndex: 1, itemsPerPage: 0 })
    expect(await page('?startIndex=99&count=9999')).toMatchObject({ totalResults: 3, itemsPerPage: 0 })
    expect(await page('?count=x')).toMatchObject({ scimType: 'invalidValue' })
    expect(await page('?count=1&count=2')).toMatchObject({ status: '400' })
  })

  test('shows the attributes that are asked for', async () => {
    const first = async (query: string) => (await at.send('GET', `/Users?count=1&${query}`)).body.Resources[0]
    expect(Object.keys(await first('attributes=userName'))).toEqual(['schemas', 'id', 'userName'])
    expect((await first('attributes=name.familyName')).name).toEqual({ familyName: 'Løvelace' })
    expect(await first('attributes=emails.type')).toMatchObject({
      emails: [{ type: 'work' }, { type: 'home' }],
    })
    const without = await first('excludedAttributes=emails,meta,id')
    expect(without).toHaveProperty('id')
    expect(without).not.toHaveProperty('emails')
  })
})

describe('a caller', () => {
  test('needs a key with scim:provision that a connection names', async () => {
    const { tenant } = own
    expect((await call('GET', '//scim/v2/Users')).status).toBe(401)
    expect(await scim('tnt_x', 'GET', '/Users')).toMatchObject(failure(401))
    expect(await scim(tenant.admin.token, 'GET', '/Users')).toMatchObject(failure(403))
    expect(await scim((await keyWith(tenant.id, ['user:read'])).token, 'GET', '/Users')).toMatchObject(
      failure(403),
    )
    const second = await keyWith(tenant.id, ['scim:provision'])
    for (const [method, path, body] of [
      ['GET', '/Users'],
      ['GET', '/Schemas'],
      ['POST', '/Users', { userName: address() }],
      ['DELETE', `/Users/${(await own.push()).id}`],
      ['POST', '/Groups', { displayName: 'x' }],
    ] as const) {
      expect(await scim(second.token, method, path, body)).toMatchObject(failure(403))
    }
  })

  test('names no tenant', async () => {
    const { body } = await call('GET', '//scim/v2/Users', { token: own.key.token, tenant: own.tenant.id })
    expect(body).toMatchObject({ status: '400' })
  })

  test('is refused while the tenant is disabled', async () => {
    const [root, at] = [await platformAdmin(), await newDirectory()]
    ok(await root.put(`/org/tenants/${at.tenant.id}`, { status: 0 }))
    expect(await at.send('GET', '/Users')).toMatchObject(failure(403))
  })
})

test('the parts of the standard that are absent are 501', async () => {
  for (const [method, path] of [
    ['GET', '/Me'],
    ['POST', '/Bulk'],
    ['POST', '/.search'],
    ['POST', '/Users/.search'],
  ] as const) {
    expect(await own.send(method, path, method === 'POST' ? {} : undefined)).toMatchObject(failure(501))
  }
})

test('unknown paths and methods are errors of SCIM', async () => {
  for (const [method, path, status, allow] of [
    ['GET', '', 404, null],
    ['GET', '/', 404, null],
    ['GET', '/Nothing', 404, null],
    ['POST', '/Users/x/y', 404, null],
    ['GET', '/Users/?count=1', 404, null],
    ['POST', '/Users/?count=1', 404, null],
    ['PUT', '/Users', 405, 'GET, POST'],
    ['DELETE', '/Schemas', 405, 'GET'],
  ] as const) {
    const { body, headers, ...answer } = await call(method, `//scim/v2${path}`, { token: own.key.token })
    expect([path, answer.status, body]).toEqual([path, status, failure(status).body])
    expect(headers.get('content-type')).toBe('application/scim+json; charset=utf-8')
    expect(headers.get('allow')).toBe(allow)
    expect(headers.get('x-trace-id')).toMatch(/./)
  }
  expect((await call('GET', '//scim/v2x')).body).toMatchObject({ code: 40401 })
})

test('documents describe the service', async () => {
  const { body } = await own.send('GET', '/ServiceProviderConfig')
  expect(body).toMatchObject({
    patch: { supported: true },
    filter: { supported: true, maxResults: 200 },
    bulk: { supported: false },
  })
  for (const path of ['/ResourceTypes', '/Schemas']) {
    const { body: list } = await own.send('GET', path)
    expect(list.totalResults).toBe(list.Resources.length)
    for (const { id } of list.Resources) {
      expect((await own.send('GET', `${path}/${id}`)).body).toMatchObject({ id })
    }
  }
  expect((await own.send('GET', '/Schemas/urn:x')).status).toBe(404)
})
