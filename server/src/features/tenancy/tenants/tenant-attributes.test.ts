import { expect, test } from 'vitest'
import { refusal, refusalOf } from '../../../../test/answers.ts'
import { declareAttribute } from '../../../../test/declared-attributes.ts'
import { auditRecords, builtIn, newTenant, ok, platformAdmin } from '../../../../test/factories.ts'

test('administrators read and write what the declaration lets them, of their own tenant alone', async () => {
  const [one, other, root] = [await newTenant(), await newTenant(), await platformAdmin()]
  const note = await declareAttribute({ subject: 'tenant', administrators: 'write' })
  const plan = await declareAttribute({ subject: 'tenant', administrators: 'read' })
  const margin = await declareAttribute({ subject: 'tenant' })
  const path = `/org/tenants/${one.id}/attributes`
  const all = { [note]: 'n', [plan]: 'gold', [margin]: 'm' }
  expect(ok(await root.patch(path, all))).toEqual(all)
  expect((await root.get(path)).data).toEqual(all)
  expect((await one.admin.get(path)).data).toEqual({ [note]: 'n', [plan]: 'gold' })
  expect(await one.admin.patch(path, { [plan]: 'free' })).toMatchObject(refusal('permissionMissing'))
  expect(await one.admin.patch(path, { [margin]: 'x' })).toMatchObject(refusalOf(margin))
  ok(await one.admin.patch(path, { [note]: 'mine' }))
  for (const call of [other.admin.get(path), other.admin.patch(path, {})]) {
    expect(await call).toMatchObject(refusal('tenantUnknown'))
  }
  const member = await one.member()
  for (const call of [member.get(path), member.patch(path, {})]) {
    expect(await call).toMatchObject(refusal('permissionMissing'))
  }
  const unknown = '/org/tenants/00000000-0000-4000-8000-00000000dead/attributes'
  expect(await root.get(unknown)).toMatchObject(refusal('tenantUnknown'))
  expect(await root.patch(unknown, {})).toMatchObject(refusal('tenantUnknown'))
  const [ofPlatform] = await auditRecords(builtIn.id, 'tenant', one.id)
  expect(ofPlatform?.detail).toMatchObject({
    [`attribute.${plan}`]: { from: null, to: 'gold' },
    attributes_withheld: { from: null, to: ['[hidden]'] },
  })
  const [ofTenant] = await auditRecords(one.id, 'tenant', one.id)
  expect(ofTenant).toMatchObject({ action: 'tenant.update', user_id: one.admin.userId })
  expect(ofTenant?.detail).toMatchObject({ [`attribute.${note}`]: { from: 'n', to: 'mine' } })
})
