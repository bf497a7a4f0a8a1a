/** Imports that are left, mended or unreadable, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Page, Route } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, ok, signIn as signInByApi, unique, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const choose = (page: Page, text: string, name = 'staff.csv') =>
  page.locator('input[type=file]').setInputFiles({ name, mimeType: 'text/csv', buffer: Buffer.from(text) })

const countOf = async (prefix: string): Promise<number> =>
  ok(await tenant.admin.get(`/users?search=${prefix}`)).total

const downloaded = async (page: Page, button: string): Promise<string> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: button }).click(),
  ])
  return readFileSync(await download.path(), 'utf8')
}

test('an import stops when its page is left', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('l')
  const held: Route[] = []
  let sent = 0
  await page.route('**/api/v1/users', async (route) => {
    sent += 1
    if (sent > 3) held.push(route)
    else await route.continue()
  })
  await signIn(page, tenant.admin.email, 'users/import')
  const rows = Array.from({ length: 40 }, (_, number) => `${prefix}${number}@example.com,${prefix}${number}`)
  await choose(page, ['email,username', ...rows].join('\n'))
  await page.getByRole('button', { name: 'Create 40 users' }).click()
  await page.getByText('3 of 40 done').waitFor()
  await expectSoon(() => held.length).toBe(3)
  await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
  const question = page.getByRole('dialog', { name: 'Leave this page?' })
  await question.getByText('The import stops.').waitFor()
  await question.getByRole('button', { name: 'Leave' }).click()
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  const answers = held.map((route) =>
    page.waitForResponse((response) => response.request() === route.request()),
  )
  for (const route of held) await route.continue()
  await Promise.all(answers)
  expect(await countOf(prefix)).toBe(6)
  expect(sent).toBe(6)
  expect(complaints).toEqual([])
})

test('the file of failed rows, once mended, is imported without changes to its cells', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('f')
  const password = "'=a password of theirs"
  await signIn(page, tenant.admin.email, 'users/import')
  await choose(
    page,
    ['email,username,nickname,password', `${prefix}@example.com,${prefix},Lovelace, Ada,${password}`].join(
      '\n',
    ),
  )
  await page.getByText('0 of 1 row ready').waitFor()
  await page.getByText('The row has more or fewer cells than the header.').waitFor()
  await inspect(page, 'user-import-cells')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  // An address of another tenant: the page cannot know it before the service refuses it.
  const taken = (await newTenant()).admin.email
  await choose(page, `email,username,nickname,password\n${taken},${prefix},=Ada,${password}`)
  await page.getByRole('button', { name: 'Create 1 user' }).click()
  await page.getByText('0 users created, 1 row skipped.').waitFor()
  const failed = await downloaded(page, 'Download the rows that failed')
  const [, row = ''] = failed.split('\r\n')
  expect(failed).toMatch(/^\uFEFFreason,email,username,nickname,password\r\n/)
  // No cell begins like a formula.
  expect(row).toContain(`,"'=Ada","''=a password of theirs"`)
  await page.getByRole('button', { name: 'Choose another file' }).click()
  const email = `${prefix}@example.com`
  await choose(page, failed.replace(taken, email))
  await page.getByRole('button', { name: 'Create 1 user' }).click()
  await page.getByText('1 user created, 0 rows skipped.').waitFor()
  const [user] = ok(await tenant.admin.get(`/users?search=${prefix}`)).items as {
    id: number
    nickname: string
  }[]
  expect(user?.nickname).toBe('=Ada')
  const who = { userId: user?.id ?? 0, tenantId: tenant.id, email, username: prefix }
  expect((await signInByApi(who, password)).token).not.toBe('')
  expect(complaints).toEqual([])
})

test('a file with an open quotation mark is refused with its line, and accepted once it is mended', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'users/import')
  const file = (nickname: string) =>
    `email,username,nickname\na@example.com,ada,${nickname}\nb@example.com,bob,`
  await choose(page, file('"Ada'))
  await page.getByText('The quotation mark opened on line 2').waitFor()
  await inspect(page, 'user-import-quotes')
  await choose(page, file('"Ada"'))
  await page.getByText('2 of 2 rows ready').waitFor()
  expect(await page.getByText('This file can’t be imported').count()).toBe(0)
})

test('a failure to load the code for files is reported', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'users/import')
  await page.getByText('Drop a CSV file here').waitFor()
  await page.context().setOffline(true)
  await choose(page, 'email,username\na@example.com,ada')
  const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  const told = failure.getByText('The service can’t be reached')
  await told.waitFor()
  expect(await page.getByText('It isn’t UTF-8').count()).toBe(0)
  await page.reload().catch(() => undefined)
  await page.context().setOffline(false)
  await page.reload()
  await page.getByText('Drop a CSV file here').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Download a template' }).click()
  await told.waitFor()
})

test('faulty cells are mended in place, roles are mapped, and existing users are found before the run', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('m')
  const role = await tenant.role('user:read')
  await signIn(page, tenant.admin.email, 'users/import')
  const rows = [
    'email,username,roles',
    `${prefix}1@example.com,${prefix}1,Helpers`,
    '',
    `not an address,${prefix}2,`,
    `${tenant.admin.email.toUpperCase()},${prefix}3,`,
    `${prefix}1@example.com,${prefix}4,`,
  ]
  await choose(page, rows.join('\n'))
  await page.getByText('0 of 4 rows ready').waitFor()
  const table = page.getByRole('table', { name: 'Rows of the file' })
  const row = (line: string) =>
    table.getByRole('row').filter({ has: page.getByRole('cell', { name: line, exact: true }) })
  await row('2').getByText('Unknown role: “Helpers”.').waitFor()
  await row('5').getByText('This e-mail already belongs to a user here.').waitFor()
  await row('6').getByText('Duplicate of line 2.').waitFor()
  await inspect(page, 'user-import-repair')
  await page.getByRole('combobox', { name: 'Helpers' }).selectOption(role.name)
  await page.getByRole('textbox', { name: 'E-mail, line 4' }).fill(`${prefix}2@example.com`)
  await page.getByRole('textbox', { name: 'E-mail, line 6' }).fill(`${prefix}4@example.com`)
  await page.getByText('3 of 4 rows ready').waitFor()
  await page.getByRole('button', { name: 'Create 3 users' }).click()
  await page.getByText('3 users created, 1 row skipped.').waitFor()
  expect(await countOf(prefix)).toBe(3)
  await inspect(page, 'user-import-done')
  const question = page.getByRole('dialog', { name: 'Leave this page?' })
  await page.getByRole('main').getByRole('link', { name: 'Users', exact: true }).click()
  await question.getByText('You haven’t downloaded the result').waitFor()
  expect(await question.getByText('The import stops').count()).toBe(0)
  await page.keyboard.press('Escape')
  await downloaded(page, 'Download the result')
  await page.getByRole('main').getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
  const [first] = ok(await tenant.admin.get(`/users?search=${prefix}1`)).items as { id: number }[]
  const held = ok(await tenant.admin.get(`/rbac/users/${first?.id}/roles`)) as { name: string }[]
  expect(held.map(({ name }) => name)).toContain(role.name)
  expect(complaints).toEqual([])
})

test('users without passwords come in batches, and each refused row has its reason in the file of failed rows', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('b')
  const taken = (await newTenant()).admin.email
  const role = await tenant.role('user:read')
  const sizes: number[] = []
  await page.route('**/api/v1/users/import', async (route) => {
    sizes.push((route.request().postDataJSON() as { rows: unknown[] }).rows.length)
    await route.continue()
  })
  await signIn(page, tenant.admin.email, 'users/import')
  const rows = Array.from({ length: 149 }, (_, number) => `${prefix}${number}@example.com,,`)
  await choose(
    page,
    [
      'email,username,roles',
      ...rows,
      `${prefix}named@example.com,${prefix}named,${role.name}`,
      `${taken},,`,
    ].join('\n'),
  )
  await page.getByText('1 of 151 rows ready').waitFor()
  await page.getByText('Username: Fill in this field.').first().waitFor()
  await page.getByText('“Create without passwords” makes usernames from the e-mails').waitFor()
  await inspect(page, 'user-import-no-usernames')
  await page.getByText('Create without passwords', { exact: true }).click()
  await page.getByText('151 of 151 rows ready').waitFor()
  await page.getByText('These users have no password yet').waitFor()
  await inspect(page, 'user-import-without-passwords')
  await page.getByRole('button', { name: 'Create 151 users' }).click()
  await page.getByText('150 users created, 1 row skipped.').waitFor()
  expect(sizes).toEqual([100, 51])
  expect(await countOf(prefix)).toBe(150)
  const failed = (await downloaded(page, 'Download the rows that failed')).split('\r\n')
  expect(failed).toHaveLength(3)
  expect(failed[1]).toMatch(new RegExp(`^E-mail: .*,${taken},,$`))
  const [named] = ok(await tenant.admin.get(`/users?search=${prefix}named&include=roles`)).items as {
    username: string
    roles: { id: number }[]
  }[]
  expect(named?.username).toBe(`${prefix}named`)
  expect(named?.roles.map(({ id }) => id)).toContain(role.id)
  const result = await downloaded(page, 'Download the result')
  expect(result.split('\r\n')[0]).toBe('\uFEFFline,email,username,result,id,reason')
  expect(complaints).toEqual([])
})

test('rows beyond the limit of the caller wait for the next minute', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('w')
  const tooMany = { status: 'refused', user_id: 0, error: { code: 42901, message: 'Slow down', field: '' } }
  let sent = 0
  // The first answer is that to a caller whose limit ends behind the first row.
  await page.route('**/api/v1/users/import', async (route) => {
    sent += 1
    if (sent > 1) return route.continue()
    const response = await route.fetch({
      postData: JSON.stringify({ rows: [{ email: `${prefix}0@example.com` }] }),
    })
    const body = (await response.json()) as { data: { results: unknown[] } }
    body.data.results.push(tooMany)
    await route.fulfill({ response, json: body })
  })
  await signIn(page, tenant.admin.email, 'users/import')
  await page.clock.install()
  await choose(page, `email\n${prefix}0@example.com\n${prefix}1@example.com`)
  // A file without usernames and passwords opens on the kind that needs neither.
  await page.getByRole('button', { name: 'Invite 2 users' }).waitFor()
  await page.getByText('Create without passwords').click()
  await page.getByRole('button', { name: 'Create 2 users' }).click()
  await page.getByText('1 of 2 done').waitFor()
  await page.clock.fastForward(61_000)
  await page.getByText('2 users created, 0 rows skipped.').waitFor()
  expect([sent, await countOf(prefix)]).toEqual([2, 2])
  expect(complaints).toEqual([])
})
