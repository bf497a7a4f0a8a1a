import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { newTenant, signIn } from '../../../../test/factories.ts'
import { clock, parts } from '../../../../test/harness.ts'
import { pingStatus, postRefresh } from '../../../../test/accounts.ts'
import { sweepSessions } from './sessions.service.ts'

const day = 24 * 3600 * 1000

describe('expired sessions', () => {
  test('expired sessions are deleted in every tenant, and living ones stay', async () => {
    const tenants = [await newTenant(), await newTenant()]
    const users = await Promise.all(tenants.map((tenant) => tenant.member()))
    clock.advance(-8 * day)
    await Promise.all(users.map((user) => signIn(user)))
    clock.advance(8 * day)
    const count = async (tenantId: string, userId: number) =>
      (await parts.store.scoped({ tenantId }).many(sql`select id from sessions where user_id = ${userId}`))
        .length
    for (const { tenantId, userId } of users) expect(await count(tenantId, userId)).toBe(2)
    await sweepSessions(parts)
    for (const { tenantId, userId, token, refreshToken } of users) {
      expect(await count(tenantId, userId)).toBe(1)
      expect(await pingStatus(token)).toBe(200)
      expect(await postRefresh(refreshToken)).toMatchObject({ status: 200 })
    }
  })
})
