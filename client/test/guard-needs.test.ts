/** The permissions that a route asks for: several, one of several, or none. */
import { expect, test } from 'vitest'
import { newTenant, ok, platformAdmin } from '../../server/test/factories.ts'
import { allOf, anyOf, signedIn, type Needed } from '../src/guard/guard.ts'
import { code, guardWith, newProduct, visit } from './guarded.ts'

const newCallers = async () => {
  const { tenant, user, backend } = await newProduct()
  const { guard, lines } = guardWith({ key: backend.token })
  const [both, neither] = [await tenant.userWith(code, 'user:read'), await tenant.userWith()]
  const statusOf = async (on: Needed, { token }: { token: string }) => (await visit(guard, on)(token)).status
  return { tenant, user, backend, guard, lines, both, neither, statusOf }
}

test('allOf asks for each of its permissions, and the refusal names those that are missing', async () => {
  const { guard, user, both, neither, statusOf } = await newCallers()
  const need = allOf(code, 'user:read')
  expect(await statusOf(need, both)).toBe(200)
  for (const caller of [user, neither]) expect(await statusOf(need, caller)).toBe(403)
  const headers = { authorization: `Bearer ${user.token}` }
  const verdict = await guard.request(need)(new Request('https://product.example.com', { headers }))
  if (!(verdict instanceof Response)) throw new Error('the request came in')
  expect(await verdict.json()).toEqual({
    error: 'permissionMissing',
    message: 'You lack the permission user:read',
  })
  expect(verdict.headers.get('www-authenticate')).toBe(
    `Bearer error="insufficient_scope", scope="${code} user:read"`,
  )
})

test('anyOf asks for one of its permissions', async () => {
  const { user, both, neither, statusOf } = await newCallers()
  const need = anyOf('user:read', code)
  for (const caller of [user, both]) expect(await statusOf(need, caller)).toBe(200)
  expect(await statusOf(need, neither)).toBe(403)
})

test('signedIn admits every user, and nobody without a valid token, a session or an enabled tenant', async () => {
  const { neither, tenant, statusOf } = await newCallers()
  expect(await statusOf(signedIn(), neither)).toBe(200)
  expect(await statusOf(signedIn(), { token: neither.refreshToken })).toBe(401)
  const gone = await tenant.member()
  ok(await gone.post('/auth/logout'))
  expect(await statusOf(signedIn(), gone)).toBe(401)

  const [root, closed] = [await platformAdmin(), await newTenant()]
  const into = visit(guardWith({ key: root.token }).guard, signedIn())
  ok(await root.put(`/org/tenants/${closed.id}`, { status: 0 }))
  expect(await into(closed.admin.token)).toEqual({ status: 403, error: 'permissionMissing' })
})

test('a route with a code that the catalogue lacks is 500, also where others of its codes are enough', async () => {
  const { user, lines, statusOf } = await newCallers()
  for (const need of [anyOf(code, 'invoice:raed'), allOf('invoice:raed', code)]) {
    expect(await statusOf(need, user)).toBe(500)
  }
  expect(lines).toHaveLength(1)
})

test('a route without a need does not start', () => {
  const { guard } = guardWith({ key: 'any' })
  for (const need of [allOf, anyOf]) expect(() => need()).toThrow('needs a permission code')
  expect(() => guard.request(undefined as unknown as string)).toThrow(TypeError)
})
