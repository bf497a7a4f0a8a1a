/** Feature flags in the console, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import { builtIn, newTenant, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { makeFlag } from '../../server/test/flags.ts'
import { chooseAction, inspect, signIn, visit } from './visit.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()

test('a flag is created, gets a rule and a split, and tells who gets it', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  const key = unique('checkout.')
  ok(await root.put('/profile', { nickname: 'Ines Moreau' }))
  await signIn(page, root.email, 'flags')
  await press(page, 'Create flag')
  await dialog(page).getByRole('textbox', { name: 'Key' }).fill('a key')
  await dialog(page).getByRole('textbox', { name: 'Description' }).fill('The new checkout')
  await answer(page, 'Create flag')
  await dialog(page).getByText('Use 1 to 128 letters, digits and . _ - :').waitFor()
  await inspect(page, 'flag-create')
  await dialog(page).getByRole('textbox', { name: 'Key' }).fill(key)
  await answer(page, 'Create flag')
  await page.getByRole('heading', { name: key, level: 1 }).waitFor()
  await page.getByText('No rules. While the flag is enabled, everyone gets').waitFor()
  await press(page, 'Edit rules')
  await page.getByText('You haven’t changed anything yet.').waitFor()
  await press(page, 'Add rule')
  const first = page.getByRole('group', { name: 'Rule 1', exact: true })
  await first.getByRole('button', { name: 'Add condition' }).click()
  await page.getByText('A condition of rule 1 has no attribute.').waitFor()
  await first.getByRole('combobox', { name: 'Attribute' }).fill('plan')
  await first.getByLabel('Values').fill('gold')
  await first.getByLabel('Values').press('Enter')
  await press(page, 'Add rule')
  const second = page.getByRole('group', { name: 'Rule 2', exact: true })
  await second.getByRole('button', { name: 'Add condition' }).click()
  await second.getByRole('combobox', { name: 'Attribute' }).fill('target')
  await page.getByRole('option', { name: 'targetingKey' }).click()
  const users = second.getByRole('combobox', { name: 'Values' })
  await second.getByPlaceholder('Choose users, or enter IDs').waitFor()
  await users.fill('8')
  await users.press('Enter')
  await users.fill(root.email)
  await page.getByRole('option', { name: new RegExp(root.email) }).click()
  await second.getByText('8', { exact: true }).waitFor()
  await second.getByText('Ines Moreau', { exact: true }).waitFor()
  await second.getByText('Split', { exact: true }).click()
  await second.getByLabel('on', { exact: true }).fill('10')
  await second.getByText('The shares must add up to 100%').waitFor()
  await page.getByText('The shares of rule 2 must add up to 100%').waitFor()
  await second.getByLabel('off', { exact: true }).fill('90')
  await second.getByText('Sum: ').waitFor()
  await inspect(page, 'flag-rules')
  await press(page, 'Save rules')
  await page.getByText('Rules saved.').waitFor()
  const { rules } = ok(await root.get(`/flags/${key}`))
  expect(rules).toMatchObject([
    { conditions: [{ attribute: 'plan', op: 'in', values: ['gold'] }], serve: 'on' },
    {
      // The id of a user is a text in every token.
      conditions: [{ attribute: 'targetingKey', op: 'in', values: ['8', String(root.userId)] }],
      split: [
        { variant: 'on', weight: 10_000 },
        { variant: 'off', weight: 90_000 },
      ],
    },
  ])
  await page.getByLabel('Context as JSON').fill('{"plan":"gold"}')
  await press(page, 'Evaluate')
  await page.getByText(/Rule .?1.? matches\./).waitFor()
  await page.getByRole('combobox', { name: 'User' }).focus()
  await page.getByRole('combobox', { name: 'User' }).fill(root.email)
  await page.getByRole('option', { name: new RegExp(root.email) }).click()
  expect(JSON.parse(await page.getByLabel('Context as JSON').inputValue())).toEqual({
    plan: 'gold',
    targetingKey: String(root.userId),
    user_id: String(root.userId),
    tenant_id: builtIn.id,
    tenant_slug: 'default',
  })
  await page.getByLabel('Context as JSON').fill(`{"targetingKey":"${root.userId}"}`)
  await press(page, 'Evaluate')
  await page.getByText(/Rule .?2.? matches, and its split/).waitFor()
  await page.getByLabel('Context as JSON').fill('{"targetingKey":"8"}')
  await press(page, 'Evaluate')
  await page.getByText(/matches, and its split/).waitFor()
  await inspect(page, 'flag')
  expect(complaints).toEqual([])
})

/** Shows the page in Chinese, for a picture. */
const inChinese = async (page: Page, name: string): Promise<void> => {
  await page.evaluate("localStorage.setItem('tenantry.language', 'zh')")
  await page.reload()
  await page.getByText('测试此开关').waitFor()
  await inspect(page, name)
  await page.evaluate("localStorage.setItem('tenantry.language', 'en')")
  await page.reload()
}

test('a tenant gets a variant of its own, and a flag is changed, disabled and deleted', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  const { id, slug } = await newTenant()
  const key = await makeFlag({ client_side: true })
  await signIn(page, root.email, `flags/${key}`)
  await page.getByPlaceholder('Choose an organization').click()
  await page.getByPlaceholder('Choose an organization').fill(slug)
  await page.getByRole('option', { name: new RegExp(slug) }).click()
  await press(page, 'Set variant')
  await page.getByText('Variant set for the organization.').waitFor()
  expect(ok(await root.get(`/flags/${key}/tenants`)).items).toEqual([{ tenant_id: id, variant: 'on' }])
  await inChinese(page, 'flag-zh')
  await page.getByRole('button', { name: /Remove the variant of/ }).click()
  await page.getByText('No organization has its own variant.').waitFor()
  await press(page, 'Edit')
  await dialog(page).getByRole('textbox', { name: 'Description' }).fill('The new checkout')
  await inspect(page, 'flag-edit')
  await answer(page, 'Save')
  await page.getByText('Changes saved.').waitFor()
  const toggle = page.getByRole('switch', { name: `Flag ${key}` })
  await toggle.click()
  await answer(page, 'Disable')
  await page.getByText('Flag disabled.').waitFor()
  await page.getByRole('navigation').getByRole('link', { name: 'Feature flags' }).click()
  await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
  await toggle.click()
  await answer(page, 'Enable')
  await page.getByText('Flag enabled.').waitFor()
  await inspect(page, 'flags-switch')
  await toggle.click()
  await answer(page, 'Disable')
  await page.getByText('Flag disabled.').last().waitFor()
  await page.getByRole('link', { name: key }).click()
  const { data } = await root.get(`/flags/${key}`)
  expect(data).toMatchObject({ enabled: false, description: 'The new checkout' })
  await chooseAction(page, 'Delete')
  await dialog(page).getByRole('textbox').fill(key)
  await answer(page, 'Delete')
  await page.getByRole('heading', { name: 'Feature flags', level: 1 }).waitFor()
  await inspect(page, 'flags')
  expect(complaints).toEqual([])
})
