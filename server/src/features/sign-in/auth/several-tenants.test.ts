import { describe, expect, test } from 'vitest'
import { newTenant, password, unique } from '../../../../test/factories.ts'
import { call } from '../../../../test/harness.ts'
import { recordsOf } from '../../../../test/accounts.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { insertMember } from '../../../../test/people.ts'

const server = useMailServer()

const personOfTwo = async () => {
  const [home, away] = [await newTenant(), await newTenant()]
  const person = await home.member()
  return { home, away, person, there: { userId: await insertMember(person, away), tenantId: away.id } }
}

const sourceOf = ({ action, ip, user_agent: agent, user_id: userId }: Record<string, unknown>) => ({
  action,
  userId,
  isPlaced: ip !== '' || agent !== '',
})

describe('a person in several tenants', () => {
  test('a password change leaves a record in each, and the address only in that of the session', async () => {
    const { person, there } = await personOfTwo()
    await person.post('/password', { old_password: password, new_password: 'another good password' })
    const action = 'auth.password_change'
    expect((await recordsOf(person)).map(sourceOf)).toContainEqual({
      action,
      userId: person.userId,
      isPlaced: true,
    })
    expect((await recordsOf(there)).map(sourceOf)).toEqual([
      { action, userId: there.userId, isPlaced: false },
    ])
  })

  test('a reset leaves a record in each, and a request for it in one', async () => {
    const { person, there } = await personOfTwo()
    await call('POST', '/auth/password/forgot', { body: { email: person.email } })
    await deliver(server)
    const token = server.to(person.email).findLast(({ link }) => link !== undefined)?.token
    await call('POST', '/auth/password/reset', { body: { token, new_password: 'another good password' } })
    const records = [...(await recordsOf(person)), ...(await recordsOf(there))].map(sourceOf)
    const placed = (action: string) =>
      records.filter((one) => one.action === action).map(({ isPlaced }) => isPlaced)
    expect(placed('auth.password_forgot')).toEqual([true])
    expect(placed('auth.password_reset')).toEqual([true, false])
  })

  test('a changed address is found in each at once', async () => {
    const { home, away, person, there } = await personOfTwo()
    const email = `${unique('new')}@example.com`
    await person.post('/auth/email', { email, password })
    await deliver(server)
    const token = server.to(email).at(-1)?.token
    expect(await person.post('/auth/email/verify', { token })).toMatchObject({ status: 200 })
    for (const { admin } of [home, away]) {
      expect((await admin.get(`/users?search=${email}`)).data.total).toBe(1)
      expect((await admin.get(`/users?search=${person.email}`)).data.total).toBe(0)
    }
    const action = 'auth.email_change'
    expect((await recordsOf(there)).map(sourceOf)).toEqual([
      { action, userId: there.userId, isPlaced: false },
    ])
  })
})
