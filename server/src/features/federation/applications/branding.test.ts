import { expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { newTenant, ok, platformAdmin } from '../../../../test/factories.ts'

const png = (side: number, length: number) => {
  const file = Buffer.alloc(length)
  file.write('89504e470d0a1a0a0000000d49484452', 'hex')
  file.writeUInt32BE(side, 16)
  file.writeUInt32BE(side, 20)
  return `data:image/png;base64,${file.toString('base64')}`
}

test('a tenant has a name, a logo and a color for the pages of the sign-in', async () => {
  const { admin } = await newTenant()
  const logo = png(1024, 32_768)
  for (const value of [
    { name: 'ü'.repeat(64), logo, color: '#00fF7a' },
    { name: '', logo: '', color: '' },
    {},
  ]) {
    ok(await admin.put('/settings/tenant/branding', { value }))
    expect(ok(await admin.get('/settings/tenant/branding')).value).toEqual(value)
  }
})

test.each([null, 'Shop', []])('%j is no branding of a tenant', async (value) => {
  const { admin } = await newTenant()
  expect(await admin.put('/settings/tenant/branding', { value })).toMatchObject(refusalOf('value'))
})

const unsound: object[] = [
  { name: 'x'.repeat(65) },
  { name: 7 },
  { name: 'Sh\u202Eop' },
  { name: 'Sh\u200Bop' },
  { name: 'Shop\nPay here' },
  { color: 'red' },
  { color: '#fff' },
  { color: '#00ff7a\n' },
  { color: '#00ff7a;background:url(x)' },
  { logo: 'https://shop.example.com/logo.png' },
  { logo: png(1025, 64) },
  { logo: png(16, 32_769) },
  { logo: 'data:image/svg+xml;base64,PHN2Zz4=' },
  { link: 'https://shop.example.com' },
  { __proto__x: '' },
  { constructor: '' },
]

test.each(unsound)('a branding of a tenant has no field %j', async (value) => {
  const { admin } = await newTenant()
  const [name = ''] = Object.keys(value)
  expect(await admin.put('/settings/tenant/branding', { value })).toMatchObject(refusalOf(`value/${name}`))
})

test('the installation has no branding of tenants', async () => {
  const root = await platformAdmin()
  expect(await root.put('/settings/global/branding', { value: {} })).toMatchObject(refusalOf('key'))
})

test('the setting of clients that register themselves is true or false, of a tenant and of the installation', async () => {
  const { admin } = await newTenant()
  const root = await platformAdmin()
  const key = 'auth.unregistered_applications'
  for (const value of ['true', 1, null, {}]) {
    expect(await admin.put(`/settings/tenant/${key}`, { value })).toMatchObject(refusalOf('value'))
    expect(await root.put(`/settings/global/${key}`, { value })).toMatchObject(refusalOf('value'))
  }
  for (const value of [true, false]) {
    ok(await admin.put(`/settings/tenant/${key}`, { value }))
    ok(await root.put(`/settings/global/${key}`, { value }))
  }
  ok(await root.delete(`/settings/global/${key}`))
})
