import { randomUUID } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { auditRecords, newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { useMailServer } from '../../../../test/mail-queue.ts'
import { newPerson } from '../../../../test/people.ts'
import { proveTwice } from '../../../../test/second-factors.ts'

const server = useMailServer()

/** A minimal JPEG: a segment of the given size, and a frame header with the dimensions. */
const pictureOf = ({ side, bytes }: { side: number; bytes: number }): string => {
  const frame = Buffer.from('ffc0000b080000000001011100ffd9', 'hex')
  frame.writeUInt16BE(side, 5)
  frame.writeUInt16BE(8, 7)
  const filling = Buffer.alloc(bytes - frame.length - 6)
  const head = Buffer.from('ffd8ffe00000', 'hex')
  head.writeUInt16BE(filling.length + 2, 4)
  return `data:image/jpeg;base64,${Buffer.concat([head, filling, frame]).toString('base64')}`
}

describe('the own profile', () => {
  test('the profile has exactly the fields of a user, and none is null', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const { status, data } = await user.get('/profile')
    expect(status).toBe(200)
    expect(data).toEqual({
      id: user.userId,
      tenant_id: tenant.id,
      username: user.username,
      email: user.email,
      nickname: '',
      avatar: '',
      status: 1,
      last_login: expect.stringMatching(/^\d{4}-/),
    })
  })

  test('the profile tells on demand whether the present address is confirmed', async () => {
    const tenant = await newTenant()
    const [user, person] = [await tenant.userWith(), await newPerson(server, tenant)]
    const path = '/profile?include=email_confirmed'
    expect(ok(await user.get(path))).toEqual({ ...ok(await user.get('/profile')), email_confirmed: false })
    const own = async () => ok(await call('GET', path, { token: person.token }))
    expect(await own()).toMatchObject({ email_confirmed: true })
    ok(await tenant.admin.put(`/users/${person.userId}`, { email: `${unique()}@example.com` }))
    expect(await own()).toMatchObject({ email_confirmed: false })
    expect(await user.get('/profile?include=security')).toMatchObject(refusalOf('include'))
  })

  test('the profile tells on demand whether a second factor opened the session', async () => {
    const user = await (await newTenant()).userWith()
    const path = '/profile?include=has_factor'
    expect(ok(await user.get(path))).toEqual({ ...ok(await user.get('/profile')), has_factor: false })
    await proveTwice(user)
    const both = ok(await user.get('/profile?include=email_confirmed,has_factor'))
    expect(both).toMatchObject({ email_confirmed: false, has_factor: true })
  })

  test('the profile needs no permission', async () => {
    const tenant = await newTenant()
    const nobody = await tenant.userWith()
    expect(await nobody.get('/dashboard/stats')).toMatchObject({ status: 403 })
    expect(await nobody.get('/profile')).toMatchObject({ status: 200 })
  })

  test('the profile follows a change at once', async () => {
    const tenant = await newTenant()
    const { admin } = tenant
    const user = await tenant.member()
    await admin.put(`/users/${user.userId}`, { nickname: 'Nick' })
    expect(await user.get('/profile')).toMatchObject({ data: { nickname: 'Nick' } })
  })

  test('the own nickname changes without a permission, and nothing else, with one audit record', async () => {
    const tenant = await newTenant()
    const user = await tenant.userWith()
    const before = (await user.get('/profile')).data
    const body = { nickname: ' Nick ', email: 'other@example.com', status: 0, id: tenant.admin.userId }
    const { status, data } = await user.put('/profile', body)
    expect([status, data]).toEqual([200, { ...before, nickname: 'Nick' }])
    expect((await user.get('/profile')).data).toEqual(data)
    expect((await user.put('/profile', { nickname: 'Nick' })).data).toEqual(data)
    const records = await auditRecords(tenant.id, 'user', user.userId)
    expect(records.filter(({ action }) => action === 'user.update')).toHaveLength(1)
    expect((await user.put('/profile', { nickname: 'x'.repeat(65) })).status).toBe(400)
    expect((await call('PUT', '/profile', { body: { nickname: 'x' } })).status).toBe(401)
  })

  test('the own picture is a small JPEG, which lists show, and the log has its size alone when it is long', async () => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const avatar = pictureOf({ side: 96, bytes: 3000 })
    expect(ok(await user.put('/profile', { avatar }))).toMatchObject({ avatar, nickname: '' })
    expect(ok(await user.put('/profile', { nickname: 'Nick' })).avatar).toBe(avatar)
    expect(ok(await tenant.admin.get(`/users?search=${user.username}`)).items).toMatchObject([{ avatar }])
    expect(ok(await tenant.admin.put(`/users/${user.userId}`, { avatar: '' })).avatar).toBe(avatar)
    expect(ok(await user.put('/profile', { avatar: '' })).avatar).toBe('')
    const [removed, , set] = await auditRecords(tenant.id, 'user', user.userId)
    expect(set?.detail['avatar']).toEqual({
      from: '',
      to: { bytes: avatar.length + 2, sha256: expect.any(String) },
    })
    expect(removed?.detail['avatar']?.to).toBe('')
  })

  test.each([
    ['an address', 'https://example.com/a.png'],
    ['a picture that can hold scripts', 'data:image/svg+xml;base64,PHN2Zy8+'],
    [
      'something that is no JPEG',
      `data:image/jpeg;base64,${Buffer.from('GIF89a----------').toString('base64')}`,
    ],
    ['a JPEG without a frame', `data:image/jpeg;base64,${Buffer.from('ffd8ffd9', 'hex').toString('base64')}`],
    ['more than 4,096 characters', pictureOf({ side: 96, bytes: 3100 })],
    ['a picture that unfolds to more than 256 pixels', pictureOf({ side: 257, bytes: 200 })],
    ['null', null],
  ])('%s is refused as a picture with 400', async (_, avatar) => {
    const tenant = await newTenant()
    const user = await tenant.member()
    const answer = await user.put('/profile', { avatar })
    expect([answer.status, answer.data.errors[0].field]).toEqual([400, 'avatar'])
    expect(ok(await user.get('/profile')).avatar).toBe('')
  })

  test('a platform administrator changes their own nickname with any tenant in scope', async () => {
    const [root, tenant] = [await platformAdmin(), await newTenant()]
    const { data } = await root.put('/profile', { nickname: 'Root' }, { tenant: tenant.id })
    expect(data).toMatchObject({ id: root.userId, tenant_id: root.tenantId, nickname: 'Root' })
    expect((await tenant.admin.get('/profile')).data.nickname).toBe('')
    await root.put('/profile', { nickname: '' })
  })

  test('the profile without identity is 401', async () => {
    expect(await call('GET', '/profile')).toMatchObject({ status: 401, body: { code: 40101, data: null } })
    expect(await call('GET', '/profile', { token: 'nonsense' })).toMatchObject({
      status: 401,
      body: { code: 40102 },
    })
  })

  test('a platform administrator reads their own profile with any tenant in scope', async () => {
    const root = await platformAdmin()
    const { id } = await newTenant()
    expect(await root.get('/profile', { tenant: id })).toMatchObject({
      status: 200,
      data: { id: root.userId, tenant_id: root.tenantId },
    })
  })

  test('the profile is the own one, whatever tenant the header names', async () => {
    const root = await platformAdmin()
    const answer = await root.get('/profile', { tenant: randomUUID() })
    expect(answer).toMatchObject({ status: 200, data: { id: root.userId } })
  })
})
