import sql from 'sql-template-tag'
import { afterEach, describe, expect, test } from 'vitest'
import { refusalOf } from '../../../../test/answers.ts'
import {
  auditRecords,
  builtIn,
  newTenant,
  ok,
  password,
  platformAdmin,
  unique,
} from '../../../../test/factories.ts'
import { call, parts } from '../../../../test/harness.ts'
import { postLogin } from '../../../../test/accounts.ts'
import { deliver, mailerAt, sendDueMails, useMailServer } from '../../../../test/mail-queue.ts'

const server = useMailServer()

const png = (length: number) => {
  const file = Buffer.alloc(length)
  file.write('89504e470d0a1a0a0000000d49484452', 'hex')
  file.writeUInt32BE(16, 16)
  file.writeUInt32BE(16, 20)
  return `data:image/png;base64,${file.toString('base64')}`
}

const whole = {
  product: 'Ü'.repeat(64),
  from_name: 'Acme Post',
  color: '#00fF7a',
  logo: png(32_768),
  support_url: 'https://acme.example/~[help]?a=b&c=(d;e)#!$%*+,-.:@^_`{|}',
  footer: 'x'.repeat(500),
  new_device_notice: true,
}

const put = async (value: unknown) => (await platformAdmin()).put('/settings/global/mail', { value })

afterEach(() => parts.store.scoped({}).run(sql`delete from global_settings where key = 'mail'`))

const forgot = (email: string) => call('POST', '/auth/password/forgot', { body: { email } })

describe('the setting of e-mails', () => {
  test.each([[whole], [{}], [{ color: '', logo: '', support_url: '', footer: '' }]])(
    'is stored as it is, with a record',
    async (value) => {
      ok(await put(value))
      const root = await platformAdmin()
      expect(ok(await root.get('/settings/global/mail')).value).toEqual(value)
      const records = await auditRecords(builtIn.id, 'setting', 'mail')
      expect(records.at(0)?.action).toMatch(/^setting\.(?:create|update)$/)
    },
  )

  test.each([null, [], 'Acme'])('is no %j', async (value) => {
    expect(await put(value)).toMatchObject(refusalOf('value'))
  })

  const unsound: [object, string][] = [
    [{ name: 'Acme' }, 'is not allowed here'],
    [{ constructor: '' }, 'is not allowed here'],
    [{ product: '' }, 'must have at least 1 characters'],
    [{ product: 'x'.repeat(65) }, 'must have at most 64 characters'],
    [{ product: 7 }, 'must be of the type string'],
    [{ product: 'Acme\r\nBcc: a@b.example' }, 'must be one line'],
    [{ product: 'Ac\u0001me' }, 'must be one line'],
    [{ product: 'Ac\u2028me' }, 'must be one line'],
    [{ product: 'Acme\u202E' }, 'must be one line'],
    [{ product: 'Ac\u200Bme' }, 'must be one line'],
    [{ from_name: '' }, 'must have at least 1 characters'],
    [{ from_name: 'x'.repeat(65) }, 'must have at most 64 characters'],
    ...['<', '>', '@', '"', ',', ';', ':'].map((char): [object, string] => [
      { from_name: `Ac${char}me` },
      'must fit the pattern',
    ]),
    ...['\n', '\t'].map((char): [object, string] => [{ from_name: `Ac${char}me` }, 'must be one line']),
    [{ color: 'red' }, 'must fit the pattern'],
    [{ color: '#fff' }, 'must fit the pattern'],
    [{ color: '#00ff7a\n' }, 'must fit the pattern'],
    [{ color: '#00ff7a;background:url(x)' }, 'must fit the pattern'],
    [{ logo: 'https://acme.example/logo.png' }, 'must be a data URL of a PNG or JPEG'],
    [{ logo: png(32_769) }, 'must be a data URL'],
    [{ logo: 'data:image/svg+xml;base64,PHN2Zz4=' }, 'must be a data URL'],
    [{ logo: 1 }, 'must be of the type string'],
    [{ support_url: 'http://acme.example' }, 'must fit the pattern'],
    [{ support_url: 'javascript:alert(1)' }, 'must fit the pattern'],
    [{ support_url: 'https://ada:secret@acme.example' }, 'must be an https address without a user'],
    [{ support_url: 'https://acme.example:port' }, 'must be an https address without a user'],
    ...['<', '>', '"', "'", '\\', ' ', 'é', '\n'].map((char): [object, string] => [
      { support_url: `https://acme.example/${char}` },
      'must fit the pattern',
    ]),
    [{ support_url: `https://acme.example/${'x'.repeat(500)}` }, 'must have at most 500 characters'],
    [{ footer: 'x'.repeat(501) }, 'must have at most 500 characters'],
    [{ footer: 'one\ntwo' }, 'must be one line'],
    [{ new_device_notice: 'false' }, 'must be of the type boolean'],
  ]
  test.each(unsound.map(([value, message]) => [JSON.stringify(value).slice(0, 60), value, message] as const))(
    'has no field %s',
    async (_shown, value, message) => {
      const answer = await put(value)
      const [name = ''] = Object.keys(value)
      expect(answer).toMatchObject(refusalOf(`value/${name}`))
      expect(answer.body.message).toContain(message)
    },
  )

  test('is none of a tenant: whoever has signed up would write in the name of the installation', async () => {
    const { admin } = await newTenant()
    expect(await admin.put('/settings/tenant/mail', { value: whole })).toMatchObject(refusalOf('key'))
    const root = await platformAdmin()
    expect(await root.put('/settings/tenant/mail', { value: {} })).toMatchObject(refusalOf('key'))
    expect((await admin.put('/settings/global/mail', { value: {} })).status).toBe(403)
  })
})

describe('an e-mail', () => {
  test('is in the name of the product, with its logo as an inline part', async () => {
    const { email } = await (await newTenant()).member()
    ok(await put({ ...whole, product: 'Acme <Post>', logo: png(64) }))
    await forgot(email)
    await deliver(server)
    const { source = '', link } = server.to(email).at(-1) ?? {}
    expect(source).toMatch(/^From: Acme Post <[^>]+@[^>]+>\r?$/m)
    expect(source).toMatch(/^Content-Type: multipart\/alternative/m)
    expect(source).toMatch(/^Content-Type: text\/plain/m)
    expect(source).toMatch(/^Content-Type: image\/png; name=logo\.png\r?$/m)
    expect(source).toMatch(/^Content-Id: <logo>\r?$/im)
    expect(source).toMatch(/^Content-Disposition: inline/m)
    expect(source).toContain('src="cid:logo" alt="Acme &lt;Post&gt;"')
    expect(source).not.toMatch(/Tenantry(?!-)/)
    expect(link).toContain('/sign-in/reset-password#token=')
  })

  test('follows the setting at once, and is as before without it', async () => {
    const { email } = await (await newTenant()).member()
    const sent = async () => {
      await forgot(email)
      await deliver(server)
      return server.to(email).at(-1)?.source ?? ''
    }
    ok(await put({ from_name: 'First' }))
    expect(await sent()).toContain('From: First <')
    ok(await put({ from_name: 'Second' }))
    expect(await sent()).toContain('From: Second <')
    ok(await (await platformAdmin()).delete('/settings/global/mail'))
    expect(await sent()).toContain('This e-mail comes from Tenantry at')
  })

  test('is sent although somebody broke the setting in the database', async () => {
    const { email } = await (await newTenant()).member()
    await parts.store.scoped({}).run(sql`
      insert into global_settings (key, value, updated_at) values ('mail', '{"from_name":"a\\nb","logo":1}', now())`)
    await forgot(email)
    await deliver(server)
    expect(server.to(email).at(-1)?.subject).toBe('Reset your password')
  })

  test('has a link to the page that TENANTRY_LINK_PAGES names, with the token in the fragment', async () => {
    const { email } = await (await newTenant()).member()
    const linkPages = { reset: 'https://app.example.com/reset?from=mail' }
    await forgot(email)
    await sendDueMails({
      ...parts,
      config: { ...parts.config, linkPages },
      mailer: mailerAt(`smtp://127.0.0.1:${server.port}`),
    })
    expect(server.to(email).at(-1)?.link).toMatch(
      /^https:\/\/app\.example\.com\/reset\?from=mail#token=[\w-]{43}$/,
    )
  })
})

describe('the notice of a new device', () => {
  const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'
  const safari =
    'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Safari/604.1'
  const signIn = (email: string, agent: string) =>
    postLogin(email, password, { headers: { 'user-agent': agent, 'accept-language': 'en' } })

  const person = async () => {
    const username = unique()
    const email = `${username}@example.com`
    ok(await (await newTenant()).admin.post('/users', { email, username, password }))
    ok(await signIn(email, firefox))
    return email
  }
  const subjects = async (email: string) => {
    await deliver(server)
    return server.to(email).map(({ subject }) => subject)
  }

  test('is off with new_device_notice false, and the device is known afterwards', async () => {
    const email = await person()
    ok(await put({ new_device_notice: false }))
    ok(await signIn(email, safari))
    expect(await subjects(email)).toEqual([])
    ok(await put({}))
    ok(await signIn(email, safari))
    expect(await subjects(email)).toEqual([])
    ok(await signIn(email, 'Mozilla/5.0 (Windows NT 10.0) Gecko/20100101 Firefox/140.0'))
    expect(await subjects(email)).toEqual(['New sign-in to your account'])
  })

  test('is the only one that can be silenced', async () => {
    ok(await put({ new_device_notice: false }))
    const user = await (await newTenant()).member()
    ok(await user.post('/password', { old_password: password, new_password: 'another good password' }))
    expect(await subjects(user.email)).toEqual(['Your password was changed'])
  })
})
