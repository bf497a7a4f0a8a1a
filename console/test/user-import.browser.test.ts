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
  await question.getByText('The import stops after what has begun').waitFor()
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
  await page.getByText('1 row, 0 of them without errors').waitFor()
  await page.getByText('The row has more or fewer cells than the first one.').waitFor()
  await inspect(page, 'user-import-cells')
  await page.getByRole('button', { name: 'Choose another file' }).click()
  await choose(page, `email,username,nickname,password\n${tenant.admin.email},${prefix},=Ada,${password}`)
  await page.getByRole('button', { name: 'Create 1 user' }).click()
  await page.getByText('0 created, 1 not.').waitFor()
  const failed = await downloaded(page, 'Download the rows that failed')
  const [, row = ''] = failed.split('\r\n')
  expect(failed).toMatch(/^\uFEFFreason,email,username,nickname,password\r\n/)
  // No cell begins like a formula.
  expect(row).toContain(`,"'=Ada","''=a password of theirs"`)
  await page.getByRole('button', { name: 'Choose another file' }).click()
  const email = `${prefix}@example.com`
  await choose(page, failed.replace(tenant.admin.email, email))
  await page.getByRole('button', { name: 'Create 1 user' }).click()
  await page.getByText('1 created, 0 not.').waitFor()
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
  await page.getByText('The quotation mark that opens in line 2').waitFor()
  await inspect(page, 'user-import-quotes')
  await choose(page, file('"Ada"'))
  await page.getByText('2 rows, 2 of them without errors').waitFor()
  expect(await page.getByText('This file cannot be imported').count()).toBe(0)
})

test('a failure to load the code for files is reported', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email, 'users/import')
  await page.getByText('Drop a CSV file here').waitFor()
  await page.context().setOffline(true)
  await choose(page, 'email,username\na@example.com,ada')
  const failure = page.getByRole('alert').filter({ hasText: 'Something went wrong' })
  const told = failure.getByText('The service cannot be reached')
  await told.waitFor()
  expect(await page.getByText('It is not UTF-8').count()).toBe(0)
  await page.reload().catch(() => undefined)
  await page.context().setOffline(false)
  await page.reload()
  await page.getByText('Drop a CSV file here').waitFor()
  await page.context().setOffline(true)
  await page.getByRole('button', { name: 'Download a template' }).click()
  await told.waitFor()
})
