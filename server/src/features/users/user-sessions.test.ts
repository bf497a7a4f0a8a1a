import { describe, expect, test } from 'vitest'
import { auditRecords, keyWith, newTenant, ok, platformAdmin, signIn } from '../../../test/factories.ts'
import { pingStatus, postRefresh } from '../../../test/accounts.ts'
import { refusal } from '../../../test/answers.ts'

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

  test('of another tenant, of a service account and of nobody are 404', async () => {
    const tenant = await newTenant()
    const stranger = await (await newTenant()).member()
    const { userId: accountId } = await keyWith(tenant.id, [])
    for (const id of [stranger.userId, accountId, 999_999_999]) {
      expect(await tenant.admin.get(`/users/${id}/sessions`)).toMatchObject(refusal('userUnknown'))
      expect(await tenant.admin.delete(`/users/${id}/sessions`)).toMatchObject(refusal('userUnknown'))
    }
    expect(await pingStatus(stranger.token)).toBe(200)
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

  test('of a user above the caller do not end, and a reader ends none', async () => {
    const tenant = await newTenant()
    const editor = await tenant.userWith('user:update')
    const reader = await tenant.userWith('user:read')
    const path = `/users/${tenant.admin.userId}/sessions`
    expect(await editor.delete(path)).toMatchObject(refusal('targetOutranksCaller'))
    expect(await reader.delete(path)).toMatchObject(refusal('permissionMissing'))
    expect(await pingStatus(tenant.admin.token)).toBe(200)
  })

  test('in the tenant in scope are those a platform administrator sees and ends', async () => {
    const root = await platformAdmin()
    const tenant = await newTenant()
    const user = await tenant.member()
    const path = `/users/${user.userId}/sessions`
    expect(ok(await root.get(path, { tenant: tenant.id }))).toHaveLength(1)
    ok(await root.delete(path, { tenant: tenant.id }))
    expect(await pingStatus(user.token)).toBe(401)
  })
})
