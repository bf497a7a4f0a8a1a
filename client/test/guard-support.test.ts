/** Support sessions at a guard: somebody works as a user of the product. */
import { afterAll, expect, test } from 'vitest'
import { clearCatalogue, keyWith, ok } from '../../server/test/factories.ts'
import { useMailServer } from '../../server/test/mail-queue.ts'
import { inProduct } from '../../server/test/support-products.ts'
import { signedIn } from '../src/guard/guard.ts'
import { guardWith, outdated, visit } from './guarded.ts'

useMailServer()
afterAll(clearCatalogue)

test('a guard refuses the tokens of support sessions, unless its option admits them with the actor', async () => {
  const { tenant, user, staff, permission, other, id, getCode, exchange } = await inProduct()
  const { access_token: token } = (await exchange(await getCode(), { scope: permission.code })).body
  const key = (await keyWith(tenant.id, ['authz:check'])).token
  expect(await visit(guardWith({ key }).guard, signedIn())(token)).toEqual({
    status: 401,
    error: 'tokenInvalid',
  })
  const { guard } = guardWith({ key, support: true })
  const actor = { userId: staff.userId, tenantId: staff.tenantId, name: staff.username, kind: 'platform' }
  const { status, caller } = (await visit(guard, permission.code)(token)) as any
  expect([status, caller.userId, caller.permissions]).toEqual([200, user.userId, [permission.code]])
  expect(caller.actor).toEqual(actor)
  expect((await visit(guard, other.code)(token)).status).toBe(403)
  ok(await staff.delete(`/support/sessions/${id}`))
  await outdated()
  expect(await visit(guard, signedIn())(token)).toEqual({ status: 401, error: 'sessionOver' })
})

test('a caller without a support session has no actor, whatever the option', async () => {
  const { tenant, user, permission } = await inProduct()
  const key = (await keyWith(tenant.id, ['authz:check'])).token
  const { caller } = (await visit(
    guardWith({ key, support: true }).guard,
    permission.code,
  )(user.token)) as any
  expect('actor' in caller).toBe(false)
})
