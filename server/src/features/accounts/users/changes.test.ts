import { describe, expect, test } from 'vitest'
import {
  auditRecords,
  countAuditRecords,
  newTenant,
  password,
  signIn,
  unique,
  type AuditRecord,
} from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { refusal, refusalOf } from '../../../../test/answers.ts'

const tenantWithMember = async () => {
  const tenant = await newTenant()
  const member = await tenant.member()
  return { tenant, member, path: `/users/${member.userId}` }
}

describe('changing a user', () => {
  test('sets e-mail, nickname and status, and answers the user as they are now', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const before = (await tenant.admin.get(path)).data
    const change = { email: `${unique('New')}@Example.com`, nickname: ' Nick ', status: 0 }
    const answer = await tenant.admin.put(path, change)
    expect(answer.data).toStrictEqual({ ...before, ...change, nickname: 'Nick' })
    expect((await tenant.admin.get(path)).data).toStrictEqual(answer.data)
    expect(await auditRecords(tenant.id, 'user', member.userId)).toMatchObject([
      {
        user_id: tenant.admin.userId,
        action: 'user.update',
        detail: {
          email: { from: member.email, to: change.email },
          nickname: { from: '', to: 'Nick' },
          status: { from: 1, to: 0 },
        },
      },
      { action: 'user.create' },
    ])
  })

  test('records only the fields that changed', async () => {
    const { tenant, member, path } = await tenantWithMember()
    await tenant.admin.put(path, { email: member.email, nickname: 'Nick', status: 1 })
    const [record] = await auditRecords(tenant.id, 'user', member.userId)
    expect(record?.detail).toStrictEqual({
      username: { from: member.username, to: member.username },
      nickname: { from: '', to: 'Nick' },
    })
  })

  test.each([{}, { username: 'other-name', id: 7 }])(
    'a change with the body %j changes nothing and leaves no record',
    async (body) => {
      const { tenant, path } = await tenantWithMember()
      const before = await tenant.admin.get(path)
      const records = await countAuditRecords(tenant.id)
      const answer = await tenant.admin.put(path, body)
      expect(answer.status).toBe(200)
      expect(answer.data).toStrictEqual(before.data)
      expect((await tenant.admin.get(path)).data).toStrictEqual(before.data)
      expect(await countAuditRecords(tenant.id)).toBe(records)
    },
  )

  test('an empty body is 200 also where a change would be refused', async () => {
    const tenant = await newTenant()
    const editor = await tenant.userWith('user:update', 'user:read')
    const path = `/users/${tenant.admin.userId}`
    expect(await editor.put(path, { nickname: 'x' })).toMatchObject(refusal('targetOutranksCaller'))
    expect(await editor.put(path, {})).toMatchObject({
      status: 200,
      data: { id: tenant.admin.userId, nickname: '' },
    })
  })

  test('a change to the present values leaves no record', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const records = await countAuditRecords(tenant.id)
    expect((await tenant.admin.put(path, { email: member.email, nickname: '', status: 1 })).status).toBe(200)
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('sets nothing that the specification does not list', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const other = await newTenant()
    const body = {
      nickname: 'n',
      id: 1,
      tenant_id: other.id,
      username: 'x',
      avatar: 'x',
      password: 'other password',
    }
    const { data } = await tenant.admin.put(path, body)
    expect(data).toMatchObject({
      id: member.userId,
      tenant_id: tenant.id,
      username: member.username,
      avatar: '',
    })
    expect((await signIn(member, password)).token).toBeTruthy()
  })

  test.each([
    ['nickname', ''],
    ['nickname', '😀'.repeat(64)],
  ])('accepts %s %j', async (field, value) => {
    const { tenant, path } = await tenantWithMember()
    await tenant.admin.put(path, { nickname: 'before' })
    expect((await tenant.admin.put(path, { [field]: value })).data[field]).toBe(value)
  })

  test.each([
    ['nickname', '😀'.repeat(65)],
    ['nickname', null],
    ['nickname', 7],
    ['email', 'nobody'],
    ['email', ''],
    ['email', `${'m'.repeat(243)}@example.com`],
    ['email', null],
    ['status', 2],
    ['status', '0'],
    ['status', false],
    ['status', null],
  ])('refuses %s %j, and changes nothing', async (field, value) => {
    const { tenant, path } = await tenantWithMember()
    const before = await tenant.admin.get(path)
    const answer = await tenant.admin.put(path, { nickname: 'changed', [field]: value })
    expect(answer).toMatchObject(refusalOf(field))
    expect((await tenant.admin.get(path)).data).toStrictEqual(before.data)
  })

  test('refuses an e-mail that another user has, in any case and tenant', async () => {
    const { tenant, path } = await tenantWithMember()
    const other = await newTenant()
    const records = await countAuditRecords(tenant.id)
    for (const email of [tenant.admin.email, other.admin.email]) {
      const answer = await tenant.admin.put(path, { nickname: 'changed', email: email.toUpperCase() })
      expect(answer).toMatchObject(refusal('emailTaken'))
    }
    expect((await tenant.admin.get(path)).data.nickname).toBe('')
    expect(await countAuditRecords(tenant.id)).toBe(records)
  })

  test('accepts the own e-mail in another case', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const email = member.email.toUpperCase()
    expect((await tenant.admin.put(path, { email })).data.email).toBe(email)
    expect((await member.get('/profile')).data.email).toBe(email)
  })

  test('a change of the e-mail moves the login at once, and frees the old one', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const email = `${unique('moved')}@example.com`
    await tenant.admin.put(path, { email })
    expect((await signIn({ ...member, email })).userId).toBe(member.userId)
    const old = await call('POST', '/auth/login', { body: { email: member.email, password } })
    expect(old).toMatchObject(refusal('credentialsWrong'))
    expect((await member.get('/profile')).status).toBe(200)
    const body = { email: member.email, username: unique(), password }
    expect((await tenant.admin.post('/users', body)).status).toBe(200)
  })

  test('is found by the new words and no longer by the old ones', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const count = async (word: string) => (await tenant.admin.get(`/users?search=${word}`)).data.total
    await tenant.admin.put(path, { email: 'moved-for-search@example.com', nickname: 'Zwölf' })
    const counts = await Promise.all(['moved-for-search', 'ZW%C3%96LF', member.username].map(count))
    expect(counts).toEqual([1, 1, 1])
    expect(await count(member.email)).toBe(0)
  })

  test('many changes at once end with one of them, each recorded on top of the one before', async () => {
    const { tenant, member, path } = await tenantWithMember()
    const nicknames = Array.from({ length: 12 }, (_, index) => `nick ${index}`)
    const answers = await Promise.all(nicknames.map((nickname) => tenant.admin.put(path, { nickname })))
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    const records = await auditRecords(tenant.id, 'user', member.userId)
    const steps = records.filter(({ action }) => action === 'user.update').toReversed()
    const from = (record: AuditRecord | undefined) => record?.detail['nickname']?.from
    const to = (record: AuditRecord | undefined) => record?.detail['nickname']?.to
    expect(steps).toHaveLength(12)
    steps.forEach((step, index) => expect(from(step)).toBe(index === 0 ? '' : to(steps[index - 1])))
    expect((await tenant.admin.get(path)).data.nickname).toBe(to(steps.at(-1)))
  })
})
