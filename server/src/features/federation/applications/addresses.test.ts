/** The forms of addresses, character by character, so that no two parsers read different hosts from one address. */
import { expect, test } from 'vitest'
import { application } from '../../../../test/applications.ts'
import { refusalOf } from '../../../../test/answers.ts'
import { ok, platformAdmin } from '../../../../test/factories.ts'

const create = async (fields: object) => (await platformAdmin()).post('/applications', application(fields))

const good = [
  'https://shop.example.com/callback',
  'https://shop.example.com',
  'https://SHOP.example.com:8443/a/b?c=d&e=%2F',
  'https://[2001:db8::1]/cb',
  'https://192.0.2.7/cb',
  'https://localhost/cb',
  'http://localhost:3000/cb',
  'http://127.0.0.1/cb',
  'http://[::1]:8080/',
]

const goodForNative = [
  'com.example.app:/cb',
  'com.example.app://cb',
  'org.example-2.app:/cb?x=1',
  'myapp:/cb',
  'cursor://anysphere.cursor-deeplink/cb',
]

const bad = [
  '',
  ' ',
  'shop.example.com/cb',
  '//shop.example.com/cb',
  '/cb',
  'https:/shop.example.com/cb',
  'https:shop.example.com',
  'https:///cb',
  'https:\\\\shop.example.com\\cb',
  'https://shop.example.com\\@evil.example.com',
  'HTTPS://shop.example.com/cb',
  'https://shop.example.com/cb#',
  'https://shop.example.com/cb#part',
  'https://user@shop.example.com/cb',
  'https://user:pass@shop.example.com/cb',
  'https://@shop.example.com/cb',
  'https://*.example.com/cb',
  'https://shop.example.com/*',
  'https://shop.example.com/cb?x=*',
  'https://shop..example.com/cb',
  'https://.example.com/cb',
  'https://shop.example.com:/cb',
  'https://shop.example.com:99999/cb',
  'https://shop.example.com:0x1bb/cb',
  'https://sh%6fp.example.com/cb',
  'https://shöp.example.com/cb',
  'https://shop.example.com/ü',
  'https://shop.example.com/c b',
  'https://shop.example.com/cb\n',
  '\thttps://shop.example.com/cb',
  ' https://shop.example.com/cb',
  'https://shop.example.com/%zz',
  'https://shop.example.com/cb"<script>',
  'https://0x7f.1/cb',
  'https://2130706433/cb',
  'https://127.1/cb',
  'http://shop.example.com/cb',
  'http://LOCALHOST/cb',
  'http://127.0.0.2/cb',
  'http://127.1/cb',
  'http://[::ffff:127.0.0.1]/cb',
  'http://localhost.example.com/cb',
  'http://127.0.0.1.example.com/cb',
  'http://localhost@evil.example.com/cb',
  'http://0.0.0.0/cb',
  'ftp://shop.example.com/cb',
  'javascript:alert(1)',
  'javascript://shop.example.com/%0aalert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'javascript:/alert(1)',
  'data:/x',
  'file:/etc/passwd',
  'mailto:/me',
  'ms-msdt:/x',
  'myapp:cb',
  'com.example.app:cb',
  'com.example.app',
  'com.example.app:/cb#x',
  'com.example.app://user@cb',
  'Com.Example.App:/cb',
  '.example:/cb',
  'com..example:/cb',
  `https://shop.example.com/${'a'.repeat(500)}`,
]

const fields = ['redirect_uris', 'post_logout_redirect_uris']

test.each(good)('%j is a redirect address of every kind of application, as it is', async (uri) => {
  for (const kind of ['web', 'browser', 'native']) {
    const made = ok(await create({ kind, redirect_uris: [uri], post_logout_redirect_uris: [uri] }))
    expect(fields.map((field) => made[field])).toEqual([[uri], [uri]])
  }
})

test.each(goodForNative)('%j is a redirect address only of a native application', async (uri) => {
  expect(ok(await create({ kind: 'native', redirect_uris: [uri] })).redirect_uris).toEqual([uri])
  for (const kind of ['web', 'browser']) {
    expect(await create({ kind, redirect_uris: [uri] })).toMatchObject(refusalOf('redirect_uris.0'))
  }
})

test.each(bad)('%j is no redirect address, and nothing to go to after logout', async (uri) => {
  for (const kind of ['web', 'browser', 'native']) {
    for (const field of fields) {
      const answer = await create({ kind, [field]: [good[0], uri] })
      expect(answer).toMatchObject(refusalOf(`${field}.1`))
    }
  }
})

test.each(['https://shop.example.com', 'http://localhost:5173', 'https://shop.example.com:8443'])(
  '%j is an allowed origin',
  async (origin) => {
    expect(ok(await create({ kind: 'browser', allowed_origins: [origin] })).allowed_origins).toEqual([origin])
  },
)

test.each([
  'https://shop.example.com:443',
  'https://shop.example.com/',
  'https://SHOP.example.com',
  'http://shop.example.com',
  'https://*.example.com',
  'null',
  '*',
  '',
])('%j is no allowed origin', async (origin) => {
  const answer = await create({ kind: 'browser', allowed_origins: [origin] })
  expect(answer).toMatchObject(refusalOf('allowed_origins.0'))
})

test.each([
  ['backchannel_logout_uri', 'https://shop.example.com/logout?a=b'],
  ['backchannel_logout_uri', 'http://shop:3000/logout'],
  ['backchannel_logout_uri', ''],
  ['home_url', 'https://shop.example.com/#/start'],
  ['home_url', 'http://localhost:3000'],
  ['home_url', ''],
])('%s may be %j', async (field, address) => {
  expect(ok(await create({ [field]: address }))[field]).toBe(address)
})

test.each([
  ['backchannel_logout_uri', 'https://shop.example.com/logout#x'],
  ['backchannel_logout_uri', 'https://user@shop.example.com/logout'],
  ['backchannel_logout_uri', 'http://127.1/logout'],
  ['backchannel_logout_uri', 'com.example.app:/logout'],
  ['home_url', 'http://shop.example.com'],
  ['home_url', 'javascript:alert(1)'],
  ['home_url', 'https://shop.example.com/#"><script>'],
])('%s cannot be %j', async (field, address) => {
  expect(await create({ [field]: address })).toMatchObject(refusalOf(field))
})
