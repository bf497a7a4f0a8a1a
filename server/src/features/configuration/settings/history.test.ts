import { describe, expect, test } from 'vitest'
import { refusal, refusalOf, tally } from '../../../../test/answers.ts'
import { newTenant, ok, platformAdmin, unique } from '../../../../test/factories.ts'

describe.each(['tenant', 'global'])('the history of a %s setting', (scope) => {
  const writer = async () => (scope === 'tenant' ? (await newTenant()).admin : platformAdmin())

  test('counts versions over a deletion, keeps the last 20, and gives an old value back', async () => {
    const who = await writer()
    const at = `/settings/${scope}/${unique('h')}`
    for (let round = 1; round <= 22; round += 1) ok(await who.put(at, { value: round }))
    ok(await who.put(at, { value: 22 }))
    ok(await who.delete(at))
    ok(await who.put(at, { value: 'again' }))
    const { items, total } = (await who.get(`${at}/history?page_size=200`)).data
    expect([items.length, total]).toEqual([20, 20])
    expect(items.slice(0, 3)).toMatchObject([
      { version: 24, value: 'again', is_deleted: false, changed_by: who.userId, reverted_from: null },
      { version: 23, value: null, is_deleted: true },
      { version: 22, value: 22 },
    ])
    const older = (await who.get(`${at}/history?before_version=7&page_size=5`)).data.items
    expect(older.map(({ version }: { version: number }) => version)).toEqual([6, 5])
    ok(await who.post(`${at}/revert`, { version: 22 }))
    expect((await who.get(at)).data.value).toBe(22)
    const [newest] = (await who.get(`${at}/history`)).data.items
    expect(newest).toMatchObject({ version: 25, reverted_from: 22 })
    const records = async () => (await who.get('/audit/logs?action=setting.revert')).data.items
    const [revert] = await records()
    expect(revert.detail).toMatchObject({ value: { from: 'again', to: 22 }, reverted_from: { to: 22 } })
    ok(await who.post(`${at}/revert`, { version: 25 }))
    expect((await records())[0].id).toBe(revert.id)
    expect(await who.post(`${at}/revert`, { version: 23 })).toMatchObject(refusalOf('version'))
    expect(await who.post(`${at}/revert`, { version: 2 })).toMatchObject(refusal('settingVersionUnknown'))
  })

  test('lets one of several writers with the same version win', async () => {
    const who = await writer()
    const at = `/settings/${scope}/${unique('m')}`
    const fresh = { headers: { 'if-match': '"1"' } }
    expect(await who.put(at, { value: 0 }, fresh)).toMatchObject(refusal('versionOutdated'))
    ok(await who.put(at, { value: 0 }))
    expect((await who.get(at)).headers.get('etag')).toBe('"1"')
    const answers = await Promise.all([1, 2, 3, 4].map((value) => who.put(at, { value }, fresh)))
    expect(tally(answers)).toEqual({ 200: 1, 412: 3 })
    expect(await who.delete(at, fresh)).toMatchObject(refusal('versionOutdated'))
    expect(await who.post(`${at}/revert`, { version: 1 }, fresh)).toMatchObject(refusal('versionOutdated'))
    ok(await who.delete(at, { headers: { 'if-match': '"2"' } }))
  })
})

test('the history of global values is for setting:global, and reverting needs what writing needs', async () => {
  const [tenant, root] = [await newTenant(), await platformAdmin()]
  const key = unique('g')
  ok(await root.put(`/settings/global/${key}`, { value: 1 }))
  expect((await tenant.admin.get(`/settings/global/${key}/history`)).status).toBe(403)
  expect((await tenant.admin.post(`/settings/global/${key}/revert`, { version: 1 })).status).toBe(403)
  ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: 1 }))
  const reader = await tenant.userWith('setting:read')
  expect((await reader.get(`/settings/tenant/${key}/history`)).data.total).toBe(1)
  expect((await reader.post(`/settings/tenant/${key}/revert`, { version: 1 })).status).toBe(403)
  const other = (await newTenant()).admin
  expect((await other.get(`/settings/tenant/${key}/history`)).data.items).toEqual([])
  expect((await other.post(`/settings/tenant/${key}/revert`, { version: 1 })).status).toBe(404)
})
