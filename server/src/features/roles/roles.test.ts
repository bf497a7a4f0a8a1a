import { describe, expect, test } from 'vitest'
import { newTenant } from '../../../test/factories.ts'

describe('roles', () => {
  test('a system role cannot be deleted', async () => {
    const tenant = await newTenant()
    const roles = await tenant.admin.get('/rbac/roles')
    for (const role of roles.data) {
      expect(role.is_system).toBe(true)
      expect(await tenant.admin.delete(`/rbac/roles/${role.id}`)).toMatchObject({
        status: 403,
        body: { code: 40304 },
      })
    }
  })
})
