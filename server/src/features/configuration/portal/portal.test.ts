import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import { newApplication } from '../../../../test/applications.ts'
import { newTenant, ok, platformAdmin, type Caller } from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { deliver, useMailServer } from '../../../../test/mail-queue.ts'
import { openBrowser } from '../../../../test/browser.ts'
import { portalPages } from './portal.schemas.ts'

const mails = useMailServer()

const png = (length: number, side = 16) => {
  const file = Buffer.alloc(length)
  file.write('89504e470d0a1a0a0000000d49484452', 'hex')
  file.writeUInt32BE(side, 16)
  file.writeUInt32BE(side, 20)
  return `data:image/png;base64,${file.toString('base64')}`
}

const whole = {
  product: 'Acme Cloud',
  logo: png(64),
  logo_dark: png(65),
  icon: png(66),
  color: '#1f8a70',
  home_url: 'https://app.acme.example/start?a=b',
  help_url: 'https://help.acme.example/',
  pages: ['users', 'roles'],
}
const empty = {
  product: '',
  logo: '',
  logo_dark: '',
  icon: '',
  color: '',
  home_url: '',
  help_url: '',
  pages: null,
  return_to: null,
}

const put = async (value: unknown) =>
  (await platformAdmin()).put('/settings/global/tenantry.portal', { value })

afterEach(() =>
  parts.store.scoped({}).run(sql`delete from global_settings where key in ('mail', 'tenantry.portal')`),
)

describe('the portal', () => {
  test('is stored as it is, and everybody who is signed in reads it', async () => {
    const { admin } = await newTenant()
    expect(ok(await admin.get('/portal'))).toEqual(empty)
    for (const value of [whole, {}, { pages: null }, { pages: [...portalPages] }, { color: '', logo: '' }]) {
      ok(await put(value))
      expect(ok(await (await platformAdmin()).get('/settings/global/tenantry.portal')).value).toEqual(value)
      expect(ok(await admin.get('/portal'))).toEqual({ ...empty, ...value })
    }
    expect((await call('GET', '/portal')).status).toBe(401)
  })

  test('is none of a tenant, and nobody writes it without setting:global', async () => {
    const { admin } = await newTenant()
    expect(await admin.put('/settings/tenant/tenantry.portal', { value: whole })).toMatchObject(
      refusalOf('key'),
    )
    expect((await admin.put('/settings/global/tenantry.portal', { value: whole })).status).toBe(403)
  })

  test('has no effect if somebody broke it in the database', async () => {
    const { admin } = await newTenant()
    await parts.store.scoped({}).run(sql`
      insert into global_settings (key, value, updated_at)
      values ('tenantry.portal', '{"product":"Acme","home_url":"javascript:alert(1)"}', now())`)
    expect(ok(await admin.get('/portal'))).toEqual(empty)
  })

  const unsound: object[] = [
    { product: '' },
    { product: 'x'.repeat(65) },
    { product: 'Ac\u202Eme' },
    { logo: 'https://acme.example/logo.png' },
    { logo_dark: png(32_769) },
    { icon: 'data:image/svg+xml;base64,PHN2Zz4=' },
    { icon: png(64, 1025) },
    { color: 'red' },
    { color: '#fff' },
    { color: '#ffffff80' },
    { color: '#00ff7a;background:url(x)' },
    { home_url: 'http://app.acme.example' },
    { home_url: 'javascript:alert(1)' },
    { home_url: '//app.acme.example' },
    { home_url: String.raw`https:\\app.acme.example` },
    { home_url: String.raw`https://app.acme.example\@evil.example` },
    { home_url: 'https://ada@app.acme.example' },
    { home_url: 'https://ada:secret@app.acme.example' },
    { home_url: 'https://app.acme.example:port' },
    { help_url: 'http://help.acme.example' },
    { help_url: 'https://help.acme.example/"><script>' },
    { help_url: `https://help.acme.example/${'x'.repeat(500)}` },
    { theme: 'dark' },
  ]
  test.each(unsound)('has no field %j', async (value) => {
    const [name = ''] = Object.keys(value)
    expect(await put(value)).toMatchObject(refusalOf(`value/${name}`))
  })

  test.each(['profile', 'sign-in', '', '/users', 'users/1', 'USERS'])('has no page %j', async (page) => {
    expect(await put({ pages: ['users', page] })).toMatchObject(refusalOf('value/pages/1'))
  })
})

describe('the way back', () => {
  const wayBack = async (caller: Caller, to: string): Promise<unknown> =>
    ok(await caller.get(`/portal?return_to=${encodeURIComponent(to)}`)).return_to

  test('leads to the exact origin of the product', async () => {
    const { admin } = await newTenant()
    ok(await put(whole))
    for (const path of ['', '/', '/team?tab=1', '/team#people', ':443/x']) {
      const url = `https://app.acme.example${path}`
      expect(await wayBack(admin, url)).toEqual({ name: 'Acme Cloud', url: new URL(url).href })
    }
  })

  const foreign = [
    'https://evil.example/',
    'http://app.acme.example/',
    'https://app.acme.example:8443/',
    'https://app.acme.example.evil.example/',
    'https://evil.app.acme.example/',
    'https://acme.example/',
    'https://app.acme.example@evil.example/',
    'https://evil.example@app.acme.example/',
    'https://@app.acme.example/',
    'https://a:b@app.acme.example/',
    '//app.acme.example/',
    '///app.acme.example/',
    '/console/',
    'app.acme.example',
    String.raw`https:\\app.acme.example\team`,
    String.raw`https://app.acme.example\@evil.example`,
    String.raw`https://evil.example\@app.acme.example`,
    String.raw`\\app.acme.example`,
    'https:app.acme.example',
    'https:/app.acme.example',
    'https:///app.acme.example',
    ' https://app.acme.example/',
    'https://app.acme.example/\n',
    'https://app.acme.example/\t',
    'ht\ntps://app.acme.example/',
    'https://аpp.acme.example/',
    'https://app。acme.example/',
    'https://app.acme.example/"onclick="x',
    'blob:https://app.acme.example/x',
    'filesystem:https://app.acme.example/x',
    'view-source:https://app.acme.example/',
    'javascript:location="https://app.acme.example/"',
    'data:text/html,https://app.acme.example/',
    '',
  ]
  test.each(foreign)('never leads to %j', async (to) => {
    const { admin } = await newTenant()
    ok(await put(whole))
    expect(await wayBack(admin, to)).toBeNull()
  })

  test('leads to the home page of an enabled own application, and of no other', async () => {
    const { admin } = await newTenant()
    const root = await platformAdmin()
    const own = await newApplication({ home_url: 'https://shop.example.com:8443/#/start' })
    await newApplication({ home_url: 'https://third.example.com/', is_third_party: true })
    const url = 'https://shop.example.com:8443/orders'
    expect(await wayBack(admin, url)).toEqual({ name: own.name, url })
    expect(await wayBack(root, url)).toEqual({ name: own.name, url })
    expect(await wayBack(admin, 'https://shop.example.com/orders')).toBeNull()
    expect(await wayBack(admin, 'https://third.example.com/')).toBeNull()
    ok(await root.put(`/applications/${own.id}`, { status: 0 }))
    expect(await wayBack(admin, url)).toBeNull()
  })

  test('is no longer than an address', async () => {
    const { admin } = await newTenant()
    const answer = await admin.get(`/portal?return_to=https://app.acme.example/${'x'.repeat(2048)}`)
    expect(answer).toMatchObject(refusalOf('return_to'))
  })
})

describe('the hosted pages', () => {
  const look = async (tenant = '') => ok(await openBrowser().call('POST', '/look', { tenant })).branding
  const { product: name, logo, logo_dark, icon, color } = whole

  test('have name, logo and colour of the portal where the branding says nothing else', async () => {
    const [plain, branded] = [await newTenant(), await newTenant()]
    ok(await put(whole))
    ok(
      await branded.admin.put('/settings/tenant/branding', {
        value: { name: 'Globex', logo: '', color: '' },
      }),
    )
    expect(await look()).toEqual({ name, logo, logo_dark, icon, color })
    expect(await look(plain.slug)).toEqual({ name, logo, logo_dark, icon, color })
    expect(await look(branded.slug)).toEqual({ name: 'Globex', logo, logo_dark, icon, color })
    const { text } = await openBrowser().authorize({})
    expect(text).toContain(`<bdi>${name}</bdi>`)
    expect(text).toContain(logo)
    expect(text).not.toContain('Tenantry')
    const value = { logo: png(70), color: '#aa0000' }
    ok(await branded.admin.put('/settings/tenant/branding', { value }))
    expect(await look(branded.slug)).toEqual({ name, ...value, logo_dark: '', icon })
  })
})

describe('e-mails', () => {
  const sent = async () => {
    const { email } = await (await newTenant()).member()
    ok(await call('POST', '/auth/password/forgot', { body: { email } }))
    await deliver(mails)
    return mails.to(email).at(-1)?.source ?? ''
  }

  test('have name, logo and colour of the portal where the setting says nothing else', async () => {
    ok(await put(whole))
    const plain = await sent()
    expect(plain).toContain('This e-mail comes from Acme Cloud.')
    expect(plain).toContain('src="cid:logo" alt="Acme Cloud"')
    expect(plain).toContain('background:#1f8a70;color:')
    const root = await platformAdmin()
    ok(
      await root.put('/settings/global/mail', {
        value: { product: 'Acme Post', color: '#aa0000', logo: '' },
      }),
    )
    const own = await sent()
    expect(own).toContain('This e-mail comes from Acme Post.')
    expect(own).toContain('src="cid:logo" alt="Acme Post"')
    expect(own).toContain('background:#aa0000;color:')
  })
})
