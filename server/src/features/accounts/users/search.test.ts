import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, unique, type Tenant } from '../../../../test/factories.ts'

interface Item {
  nickname: string
}

/** Nicknames to search for. A careless pattern would also find the decoys. */
const nicknames = [
  'Ada Lovelace',
  'Ärger mit Öl',
  'Straße',
  'İstanbul',
  'Işık',
  'ﬁnal',
  '100% sure',
  '100x decoys',
  'a_b',
  'axb decoys',
  String.raw`c:\temp`,
  'c:temp',
  "o'hara; drop table users; --",
  '名前',
  '😀 grin',
  'می\u200Cخواهم',
]

describe('searching users', () => {
  let tenant: Tenant

  beforeAll(async () => {
    tenant = await newTenant()
    for (const nickname of nicknames) {
      const username = unique('x')
      const body = { username, email: `${username}@example.com`, password, nickname }
      ok(await tenant.admin.post('/users', body))
    }
  })

  const search = async (keyword: string, more = '') =>
    (await tenant.admin.get(`/users?page_size=200&search=${encodeURIComponent(keyword)}${more}`)).data

  const found = async (keyword: string): Promise<string[]> =>
    (await search(keyword)).items.map((user: Item) => user.nickname)

  test.each([
    ['ada l', 'Ada Lovelace'],
    ['A LOVE', 'Ada Lovelace'],
    ['ärger mit öl', 'Ärger mit Öl'],
    ['ÄRGER MIT ÖL', 'Ärger mit Öl'],
    ['a\u0308rger mit o\u0308l', 'Ärger mit Öl'],
    ['STRAẞE', 'Straße'],
    ['straße', 'Straße'],
    ['İSTANBUL', 'İstanbul'],
    ['i\u0307stanbul', 'İstanbul'],
    ['işık', 'Işık'],
    ['FINAL', 'ﬁnal'],
    ['名', '名前'],
    ['میخواهم', 'می\u200Cخواهم'],
    ['Lo\u200Bvelace', 'Ada Lovelace'],
    ['😀', '😀 grin'],
    ['drop table users; --', "o'hara; drop table users; --"],
  ])('%j finds %j: case and Unicode form do not matter', async (keyword, nickname) => {
    expect(await found(keyword)).toEqual([nickname])
  })

  test.each([
    ['%', ['100% sure']],
    ['100% s', ['100% sure']],
    ['_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', [String.raw`c:\temp`]],
    [String.raw`c:\t`, [String.raw`c:\temp`]],
    [String.raw`\%`, []],
    [String.raw`\\`, []],
    ['%%', []],
    ['a%b', []],
    ['*', []],
  ])('%j is taken literally', async (keyword, nicknamesFound) => {
    expect(await found(keyword)).toEqual(nicknamesFound)
  })

  test('looks into username, e-mail and nickname', async () => {
    const tenantOfThree = await newTenant()
    const mark = unique('mark')
    const users = [
      { username: `${mark}-1`, email: `${unique()}@example.com` },
      { username: unique(), email: `${mark}-2@example.com` },
      { username: unique(), email: `${unique()}@example.com`, nickname: `is ${mark.toUpperCase()}` },
      { username: unique(), email: `${unique()}@example.com`, nickname: 'someone else' },
    ]
    for (const user of users) ok(await tenantOfThree.admin.post('/users', { ...user, password }))
    const { data } = await tenantOfThree.admin.get(`/users?search=${mark}`)
    expect(data.total).toBe(3)
    expect(data.items.map((user: { username: string }) => user.username)).toEqual(
      users.slice(0, 3).map((user) => user.username),
    )
  })

  test('a keyword that runs from one field into the next finds no user', async () => {
    const { username, email } = tenant.admin
    expect((await search(`${username}${email}`)).total).toBe(0)
    expect((await search(`${username}\n${email}`)).total).toBe(0)
    expect((await search(`${username} ${email}`)).total).toBe(0)
    expect(await found('\n')).toEqual([])
  })

  test('an empty keyword finds every user, an unknown one none', async () => {
    expect((await search('')).total).toBe(nicknames.length + 1)
    expect(await search(unique('nobody'))).toEqual({ items: [], total: 0, page: 1 })
  })

  test('combines with the filter by status and with pages', async () => {
    const two = await search('decoys', '&status=1')
    expect(two.total).toBe(2)
    expect((await search('decoys', '&status=0')).total).toBe(0)
    const second = (await tenant.admin.get('/users?search=decoys&page=2&page_size=1')).data
    expect(second).toMatchObject({ total: 2, page: 2, items: [{ nickname: 'axb decoys' }] })
  })

  test('stays within the tenant', async () => {
    const other = await newTenant()
    expect((await other.admin.get('/users?search=lovelace')).data.total).toBe(0)
  })

  test('a NUL byte in a keyword is 400', async () => {
    expect((await tenant.admin.get('/users?search=a%00b')).status).toBe(400)
  })
})
