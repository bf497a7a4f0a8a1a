/** Errors and lists in Chinese, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { newTenant, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { openReview } from '../../server/test/reviews.ts'
import { proveTwice } from '../../server/test/second-factors.ts'
import { inspect, open, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const enter = async (path: string, { email } = tenant.admin): Promise<Page> => {
  const { page } = await visit({ locale: 'zh-CN' })
  await open(page, path)
  await page.getByLabel('邮箱').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: '密码' }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByRole('button', { name: '账户' }).waitFor()
  return page
}

/** Latin letters other than the entered ones would be the service's English. */
const expectChinese = async (page: Page): Promise<void> => {
  const errors = await page.locator('.mantine-InputWrapper-error').allTextContents()
  expect(errors.filter((text) => /[a-z]{3}/.test(text))).toEqual([])
  expect(errors.length).toBeGreaterThan(0)
}

test('a form shows its own faults before sending, and the faults that only the service finds', async () => {
  const page = await enter('users')
  let sent = 0
  page.on('request', (request) => (sent += request.method() === 'POST' ? 1 : 0))
  await page.getByRole('button', { name: '更多' }).click()
  await page.getByRole('menuitem', { name: '创建用户' }).click()
  const dialog = page.getByRole('dialog')
  const create = dialog.getByRole('button', { name: '创建用户' })
  await dialog.getByLabel('邮箱').fill('ada@host')
  await dialog.getByLabel('用户名').fill('李雷')
  await dialog.getByLabel('昵称').fill('x'.repeat(65))
  await dialog.getByRole('textbox', { name: '密码' }).fill('short')
  await create.click()
  await dialog.getByText('请输入有效的邮箱。').waitFor()
  await dialog.getByText('用户名需为 3 至 64').waitFor()
  await dialog.getByText('最多 64 个字符。').waitFor()
  await dialog.getByText('请使用 8 至 128 个字符。').waitFor()
  await inspect(page, 'form-faults-zh')
  await expectChinese(page)
  expect(sent).toBe(0)
  // The service refuses this pattern, but forms accept it.
  await dialog.getByLabel('邮箱').fill(`ada..${unique()}@example.com`)
  await dialog.getByLabel('用户名').fill(unique())
  await dialog.getByLabel('昵称').fill('')
  await dialog.getByRole('textbox', { name: '密码' }).fill(password)
  await create.click()
  await dialog.getByText('服务不接受所输入的内容。').waitFor()
  await expectChinese(page)
  expect(sent).toBe(1)
})

test('the forms of tenants and roles state the rules for names', async () => {
  const root = await enter('tenants', await platformAdmin())
  await root.getByRole('button', { name: '创建组织' }).click()
  await root.getByRole('dialog').getByRole('textbox', { name: '名称', exact: true }).fill('  ')
  await root.getByRole('dialog').getByLabel('标识').fill('Not A Slug')
  await root.getByRole('dialog').getByRole('textbox', { name: '邮箱' }).fill('a@example.com')
  await root.getByRole('dialog').getByRole('button', { name: '创建组织' }).click()
  await root.getByText('名称需为 1 至 128 个字符。').waitFor()
  await root.getByText('标识需为 1 至 64 个').waitFor()
  await expectChinese(root)
  const page = await enter('roles')
  await page.getByRole('button', { name: '创建角色' }).click()
  await page.getByRole('dialog').getByLabel('名称').fill('x'.repeat(65))
  await page.getByRole('dialog').getByLabel('描述').fill('x'.repeat(256))
  await page.getByRole('dialog').getByRole('button', { name: '创建角色' }).click()
  await page.getByText('名称需为 1 至 64 个字符。').waitFor()
  await page.getByText('最多 255 个字符。').waitFor()
  await expectChinese(page)
})

test('a row of an import names the field that the service refused', async () => {
  const page = await enter('users/import')
  const name = unique()
  await page.locator('input[type=file]').setInputFiles({
    name: 'staff.csv',
    mimeType: 'text/csv',
    buffer: Buffer.from(`email,username\nada..${name}@example.com,${name}`),
  })
  await page.getByRole('button', { name: '创建 1 个用户' }).click()
  await page.getByText('邮箱：服务不接受所输入的内容。').waitFor()
  expect(await page.getByText('must be').count()).toBe(0)
})

test.each([
  [40011, 400, '没有空间存放更多设置'],
  [40407, 404, '该用户已不再拥有此角色'],
  [59999, 500, '无法识别收到的响应'],
])('the error %i is explained', async (code, status, text) => {
  const page = await enter('')
  await page.route('**/api/v1/users?*', (route) =>
    route.fulfill({
      status,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code, message: 'in the words of the service', data: null, trace_id: 'x' }),
    }),
  )
  await page.getByRole('group', { name: '访问' }).getByRole('link', { name: '用户', exact: true }).click()
  await page.getByRole('alert').getByText(text).waitFor()
  expect(await page.getByText('in the words of the service').count()).toBe(0)
})

test('the names of a list have a sign between them', async () => {
  const { admin } = tenant
  await proveTwice(admin)
  const { id } = await openReview(tenant, [admin], { kinds: ['roles', 'keys', 'grants'] })
  const page = await enter(`reviews/${id}`)
  const kinds = page.getByText('角色、访问密钥、授权')
  await kinds.waitFor()
  expect(await kinds.count()).toBe(1)
})
