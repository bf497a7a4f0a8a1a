import { randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique, type Caller, type Tenant } from '../../../../test/factories.ts'
import { parts, startApp, type Running } from '../../../../test/harness.ts'
import { startNameServer, type NameServer } from '../../../../../lab/name-server.ts'
import { permissions } from '../../../access/permissions.ts'
import { textsBy } from '../../../outbound/texts.ts'
import { systemCtx } from '../../../start/parts.ts'
import { recheckDomains } from './lapse.service.ts'

/** The TXT records of the name server. */
const texts: Record<string, string[][] | 'fails'> = {}
let names: NameServer
let at: Running

beforeAll(async () => {
  names = await startNameServer({}, texts)
  at = await startApp({}, undefined, { readTexts: textsBy([names.server]) })
})
afterAll(async () => {
  await at.app.close()
  await names.stop()
})

const newDomain = () => `${unique('d')}.example.com`

const add = async (by: Caller, domain = newDomain()) => {
  const made = ok(await by.post('/domains', { domain }, { at }))
  return made as { id: number; domain: string; record_name: string; record_value: string }
}
const verify = (by: Caller, { id }: { id: number }) => by.post(`/domains/${id}/verify`, undefined, { at })

/** A domain whose record is in DNS. */
const proved = async (by: Caller, domain?: string) => {
  const made = await add(by, domain)
  const others = texts[made.record_name]
  texts[made.record_name] = [...(Array.isArray(others) ? others : []), [made.record_value]]
  expect((await verify(by, made)).data).toMatchObject({ status: 'verified' })
  return made
}

const refusalOf = (status: number, code: number) => ({ status, body: { code } })

/** Runs maintenance `day` days from now. */
const maintain = async (day: number) => {
  const now = () => new Date(Date.now() + day * (dayMs + 1000))
  await recheckDomains({
    ...systemCtx(parts, 'maintenance'),
    parts: { ...parts, readTexts: textsBy([names.server]), now },
  })
}
const dayMs = 86_400_000

const actionsOf = async ({ admin }: Tenant): Promise<string[]> =>
  ok(await admin.get('/audit/logs?resource=domain')).items.map((one: { action: string }) => one.action)

describe('a domain', () => {
  test('is verified by its TXT record among others, whose strings are joined', async () => {
    const tenant = await newTenant()
    const made = await add(tenant.admin)
    expect(made.record_name).toBe(`_tenantry-challenge.${made.domain}`)
    expect(made.record_value).toMatch(/^tenantry-domain-verification=[\w-]{22}$/)
    expect((await verify(tenant.admin, made)).data).toMatchObject({ status: 'pending', verified_at: '' })
    const value = made.record_value
    texts[made.record_name] = [['v=spf1 -all'], [value.slice(0, 40), value.slice(40)]]
    expect((await verify(tenant.admin, made)).data).toMatchObject({ status: 'verified' })
    expect(await actionsOf(tenant)).toEqual(['domain.verify', 'domain.create'])
  })

  test('is not verified by a longer text, a part of it, or the text of another tenant', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const mine = await add(one.admin)
    const theirs = await add(other.admin, mine.domain)
    texts[mine.record_name] = [
      [`${mine.record_value}x`],
      [mine.record_value.slice(0, -1)],
      [theirs.record_value],
      [mine.record_value.toUpperCase()],
      [`${' '.repeat(300)}${mine.record_value}`],
    ]
    expect((await verify(one.admin, mine)).data).toMatchObject({ status: 'pending' })
  })

  test.each(['"TEXT"', ' TEXT ', `" TEXT"\t`])(
    'is verified by its text as %j, as some forms send it',
    async (form) => {
      const { admin } = await newTenant()
      const made = await add(admin)
      texts[made.record_name] = [[form.replace('TEXT', made.record_value)]]
      expect((await verify(admin, made)).data).toMatchObject({ status: 'verified' })
    },
  )

  test('a pending domain shows the first texts in DNS, or that no server answers', async () => {
    const { admin } = await newTenant()
    const made = await add(admin)
    const found = async () => (await verify(admin, made)).data.found
    expect(await found()).toEqual([])
    texts[made.record_name] = [
      ['v=spf1 ', '-all'],
      ['y'.repeat(200), 'z'.repeat(200)],
    ]
    expect(await found()).toEqual(['v=spf1 -all', `${'y'.repeat(200)}${'z'.repeat(55)}`])
    texts[made.record_name] = Array.from({ length: 11 }, (_, count) => [`${count}`])
    expect(await found()).toHaveLength(10)
    texts[made.record_name] = 'fails'
    expect(await found()).toBeNull()
  })

  test.each([
    ['Acme-NAME.Example.COM', 'acme-NAME.example.com'],
    ['NAME.example.com.', 'NAME.example.com'],
  ])('is folded: %s', async (sent, stored) => {
    const { admin } = await newTenant()
    const name = unique('d')
    const made = await add(admin, sent.replace('NAME', name.toUpperCase()))
    expect(made.domain).toBe(stored.replace('NAME', name))
    expect(await admin.post('/domains', { domain: made.domain }, { at })).toMatchObject(refusalOf(409, 40960))
  })

  test.each([
    'example',
    '1.2.3.4',
    'exa_mple.com',
    'https://example.com',
    'example.com..',
    '-a.com',
    'a..com',
    'exämple.com',
    '*.example.com',
  ])('is refused where its name is none: %s', async (domain) => {
    const { admin } = await newTenant()
    expect(await admin.post('/domains', { domain }, { at })).toMatchObject(refusalOf(400, 40001))
  })

  test.each(['co.uk', 'github.io', 'gmail.com', 'qq.com'])(
    'is refused where anybody has names or addresses: %s',
    async (domain) => {
      const { admin } = await newTenant()
      expect(await admin.post('/domains', { domain }, { at })).toMatchObject(refusalOf(400, 40061))
    },
  )

  test('is there once in a tenant, which has 20 at most', async () => {
    const tenant = await newTenant()
    const { domain } = await add(tenant.admin)
    expect(await tenant.admin.post('/domains', { domain }, { at })).toMatchObject(refusalOf(409, 40960))
    for (let count = 1; count < 20; count += 1) await add(tenant.admin)
    expect(await tenant.admin.post('/domains', { domain: newDomain() }, { at })).toMatchObject(
      refusalOf(400, 40060),
    )
    expect(ok(await tenant.admin.get('/domains', { at }))).toHaveLength(20)
  })
})

describe('a verified domain', () => {
  test('has one tenant, also when two prove it at the same time, and is free once it is deleted', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const mine = await add(one.admin)
    const theirs = await add(other.admin, mine.domain)
    texts[mine.record_name] = [[mine.record_value], [theirs.record_value]]
    const answers = await Promise.all([verify(one.admin, mine), verify(other.admin, theirs)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409])
    const [winner, loser] = answers[0]?.status === 200 ? [one, other] : [other, one]
    const [won, lost] = winner === one ? [mine, theirs] : [theirs, mine]
    expect(await verify(loser.admin, lost)).toMatchObject(refusalOf(409, 40961))
    ok(await winner.admin.delete(`/domains/${won.id}`, { at }))
    expect((await verify(loser.admin, lost)).data).toMatchObject({ status: 'verified' })
  })

  test('leaves its subdomains to others', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const { domain } = await proved(one.admin)
    const theirs = await proved(other.admin, `sub.${domain}`)
    expect(theirs.domain).toBe(`sub.${domain}`)
  })

  test('is free at once when its tenant is removed', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const mine = await proved(one.admin)
    ok(await (await platformAdmin()).delete(`/org/tenants/${one.id}`))
    const theirs = await add(other.admin, mine.domain)
    texts[theirs.record_name] = [[theirs.record_value]]
    expect((await verify(other.admin, theirs)).status).toBe(200)
  })

  test('lapses after 7 days of answers without its record, and another tenant may prove it', async () => {
    const [one, other] = [await newTenant(), await newTenant()]
    const manager = await one.userWith('sso:manage')
    const mine = await proved(one.admin)
    texts[mine.record_name] = []
    for (let day = 1; day <= 8; day += 1) {
      expect(ok(await one.admin.get('/domains', { at }))[0]).toMatchObject({ status: 'verified' })
      await maintain(day)
    }
    const admin = one.admin
    const sign = ok(await admin.get('/domains', { at }))[0]
    expect(sign).toMatchObject({ status: 'lapsed' })
    expect(await actionsOf(one)).toContain('domain.lapse')
    const notes = ok(await admin.get(`/notifications/user/${manager.userId}`, { at })).items
    expect(notes.map(({ title }: { title: string }) => title)).toContain('A domain has lapsed')
    const theirs = await proved(other.admin, mine.domain)
    texts[mine.record_name] = [[mine.record_value], [theirs.record_value]]
    expect(await verify(one.admin, mine)).toMatchObject(refusalOf(409, 40961))
  })

  test('does not lapse while no server answers, or once the record is there again', async () => {
    const tenant = await newTenant()
    const mine = await proved(tenant.admin)
    texts[mine.record_name] = []
    await maintain(1)
    texts[mine.record_name] = 'fails'
    for (let day = 2; day < 11; day += 1) await maintain(day)
    const status = async () => ok(await tenant.admin.get('/domains', { at }))[0].status
    expect(await status()).toBe('verified')
    texts[mine.record_name] = [[mine.record_value]]
    await maintain(11)
    texts[mine.record_name] = []
    await maintain(12)
    expect(await status()).toBe('verified')
  }, 120_000)
})

describe('a change of domains', () => {
  test('needs every permission that a user of the tenant can hold', async () => {
    const tenant = await newTenant()
    const mine = await proved(tenant.admin)
    const codes = permissions.map(({ code }) => code)
    const clerk = await tenant.userWith('sso:manage', 'sso:read', 'user:update')
    expect(codes).toContain('sso:manage')
    for (const refused of [
      clerk.post('/domains', { domain: newDomain() }, { at }),
      verify(clerk, mine),
      clerk.delete(`/domains/${mine.id}`, { at }),
    ]) {
      expect(await refused).toMatchObject(refusalOf(403, 40306))
    }
    expect(ok(await clerk.get('/domains', { at }))).toHaveLength(1)
  })

  test('notifies the other managers', async () => {
    const tenant = await newTenant()
    const clerk = await tenant.userWith('sso:manage')
    const { domain } = await proved(tenant.admin)
    const titles = async (userId: number) =>
      ok(await tenant.admin.get(`/notifications/user/${userId}`)).items.map(
        (one: { title: string; content: string }) => [one.title, one.content.includes(domain)],
      )
    expect(await titles(clerk.userId)).toEqual([
      ['A domain was verified', true],
      ['A domain was added', true],
    ])
    expect(await titles(tenant.admin.userId)).toEqual([])
  })

  test('looks at DNS 20 times a minute for a tenant', async () => {
    const limited = await startApp({ rateLimit: true }, undefined, { readTexts: async () => [] })
    const { admin } = await newTenant()
    const { id } = await add(admin)
    const statuses: number[] = []
    for (let count = 0; count < 21; count += 1) {
      statuses.push((await admin.post(`/domains/${id}/verify`, undefined, { at: limited })).status)
    }
    await limited.app.close()
    expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
  })
})

test('rows of one tenant name no owner in another', async () => {
  const [one, other] = [await newTenant(), await newTenant()]
  const statement = sql`insert into domain_owners values (${`${randomUUID()}.example.com`}, ${other.id})`
  await expect(parts.store.scoped({ tenantId: one.id }).run(statement)).rejects.toThrow('row-level security')
})
