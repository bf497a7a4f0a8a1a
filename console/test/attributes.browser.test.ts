/** Attributes of users and tenants, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { expect, onTestFinished, test } from 'vitest'
import { declareAttribute } from '../../server/test/declared-attributes.ts'
import { newTenant, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, signIn, signInToAccount, visit } from './visit.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const button = (page: Page, name: string) => dialog(page).last().getByRole('button', { name, exact: true })

const showInChinese = async (page: Page, name: string, text: string): Promise<void> => {
  await page.evaluate("localStorage.setItem('tenantry.language', 'zh')")
  await page.reload()
  await page.getByText(text).first().waitFor()
  await inspect(page, name)
  await page.evaluate("localStorage.setItem('tenantry.language', 'en')")
}

test('an attribute is declared, and a value that its new schema refuses asks for force', async () => {
  const { page, complaints } = await visit()
  const [root, tenant] = [await platformAdmin(), await newTenant()]
  const key = unique('level')
  const path = `/attributes/user/${key}`
  onTestFinished(async () => void (await root.delete(path)))
  await signIn(page, root.email, 'attributes')
  await page.getByRole('main').getByRole('button', { name: 'Create attribute' }).click()
  await dialog(page).getByRole('textbox', { name: 'Key' }).fill('Not a key')
  await button(page, 'Create attribute').click()
  await dialog(page).getByText('Use 1 to 64 lowercase letters').waitFor()
  await inspect(page, 'attribute-declare')
  await dialog(page).getByRole('textbox', { name: 'Key' }).fill(key)
  await dialog(page).getByLabel('Label in English').fill('Level')
  await dialog(page).getByLabel('Label in Chinese').fill('级别')
  await dialog(page).getByLabel('Type', { exact: true }).selectOption('Whole number')
  await dialog(page).getByLabel('Maximum').fill('9')
  await dialog(page).getByLabel('Administrators').selectOption('Read and write')
  await dialog(page).getByLabel('Can be used in filters').check({ force: true })
  await button(page, 'Create attribute').click()
  await page.getByText(`${key} saved.`).waitFor()
  const declared = {
    schema: { type: 'integer', maximum: 9 },
    label: { en: 'Level', zh: '级别' },
    indexed: true,
  }
  expect(ok(await root.get('/attributes')).find((one: { key: string }) => one.key === key)).toMatchObject(
    declared,
  )
  const { userId } = tenant.admin
  ok(await tenant.admin.patch(`/users/${userId}/attributes`, { [key]: 8 }))
  await open(page, `attributes?search=${key}`)
  await page.getByRole('button', { name: 'Actions for Level' }).click()
  await inspect(page, 'attributes')
  await page.getByRole('menuitem', { name: 'Edit' }).click()
  await dialog(page).getByLabel('Maximum').fill('5')
  await button(page, 'Save').click()
  await dialog(page).getByText(`User ${userId} of the organization ${tenant.id}`).waitFor()
  const { y, height } = (await dialog(page).getByRole('alert').boundingBox()) ?? { y: 0, height: 0 }
  expect(height).toBeGreaterThan(0)
  expect(y + height, 'the refusal is in sight').toBeLessThan(800)
  await inspect(page, 'attribute-refused')
  await dialog(page).getByLabel('Save anyway').check()
  await button(page, 'Save').click()
  await page.getByText(`${key} saved.`).waitFor()
  expect(ok(await tenant.admin.get(`/users/${userId}/attributes`))).toEqual({})
  await showInChinese(page, 'attributes-zh', '级别')
  await page.getByRole('button', { name: '级别' }).click()
  await page.getByRole('menuitem', { name: '编辑' }).click()
  await dialog(page).getByLabel('最大值').waitFor()
  await inspect(page, 'attribute-edit-zh')
  await open(page, `attributes?search=${key}`)
  await page.getByRole('button', { name: 'Actions for Level' }).click()
  await page.getByRole('menuitem', { name: 'Delete' }).click()
  await dialog(page).getByRole('textbox').fill(key)
  await inspect(page, 'attribute-delete')
  await button(page, 'Delete').click()
  await page.getByText(`${key} deleted.`).waitFor()
  expect((await root.delete(path)).status).toBe(404)
  expect(complaints).toEqual([])
})

/** Attributes of a user: one of both, one of administrators, one that they read, one that they do not see. */
const ofUser = async () => {
  const names = { group: 'Work', administrators: 'write', self: 'write' }
  return {
    area: await declareAttribute({
      ...names,
      label: { en: 'Department', zh: '部门' },
      description: 'Where the person works',
      indexed: true,
    }),
    level: await declareAttribute({
      ...names,
      label: { en: 'Level' },
      self: 'read',
      schema: { type: 'integer', maximum: 9 },
    }),
    remote: await declareAttribute({ ...names, label: { en: 'Remote' }, schema: { type: 'boolean' } }),
    tags: await declareAttribute({
      ...names,
      label: { en: 'Languages' },
      self: 'none',
      schema: { type: 'array', items: { type: 'string', maxLength: 8 } },
    }),
    plan: await declareAttribute({ label: { en: 'Contract' }, administrators: 'read' }),
    hidden: await declareAttribute({ label: { en: 'Score' } }),
  }
}

test('an administrator gives a user values, and the list shows them, filters by them and saves them', async () => {
  const { page, complaints } = await visit()
  const [root, tenant, keys] = [await platformAdmin(), await newTenant(), await ofUser()]
  const { admin, id } = tenant
  const member = await tenant.member()
  const path = `/users/${member.userId}/attributes`
  ok(await root.patch(path, { [keys.plan]: 'Full', [keys.hidden]: 'secret-score' }, { tenant: id }))
  await signIn(page, admin.email, `users/${member.userId}`)
  await page.getByRole('tab', { name: 'Attributes' }).click()
  await page.getByText('Full', { exact: true }).waitFor()
  expect(await page.content()).not.toContain('secret-score')
  await page.getByRole('button', { name: 'Edit attributes' }).click()
  const work = dialog(page)
  await work.getByLabel('Department').fill('=Sales')
  expect(await work.getByLabel('Contract').count()).toBe(0)
  await work.getByLabel('Level').fill('12')
  await work.getByRole('combobox', { name: 'Remote' }).click()
  await page.getByRole('option', { name: 'No', exact: true }).click()
  await work.getByLabel('Languages').fill('Esperanto!')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await work
    .getByText(/must be at most (9|8)|must have at most/)
    .first()
    .waitFor()
  await inspect(page, 'attribute-values')
  await work.getByLabel('Level').fill('3')
  await work.getByLabel('Languages').press('Backspace')
  await work.getByLabel('Languages').fill('eo')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Attributes saved.').waitFor()
  const values = { [keys.area]: '=Sales', [keys.level]: 3, [keys.remote]: false, [keys.tags]: ['eo'] }
  expect(ok(await admin.get(path))).toEqual({ ...values, [keys.plan]: 'Full' })
  await page.getByRole('region', { name: 'Work' }).getByText('=Sales').waitFor()
  await inspect(page, 'user-attributes')
  await showInChinese(page, 'user-attributes-zh', '部门')
  await open(page, 'users')
  await page.getByRole('button', { name: 'Filter by attributes' }).click()
  await dialog(page).getByLabel('Department').fill('=SALES')
  await inspect(page, 'attribute-filter')
  await button(page, 'Filter').click()
  await page.getByText('Department: =SALES').waitFor()
  await expectSoon(() => page.getByRole('row').count()).toBe(2)
  expect(new URL(page.url()).searchParams.get(`attribute.${keys.area}`)).toBe('=SALES')
  await page.getByRole('button', { name: 'Columns' }).click()
  expect(await page.getByRole('menuitemcheckbox', { name: 'Score' }).count()).toBe(0)
  for (const name of ['Department', 'Level', 'Languages']) {
    await page.getByRole('menuitemcheckbox', { name }).click()
  }
  await page.keyboard.press('Escape')
  await page.getByRole('cell', { name: '=Sales', exact: true }).waitFor()
  await inspect(page, 'users-attributes')
  const saved = page.waitForEvent('download')
  await chooseAction(page, 'Export')
  const csv = readFileSync(await (await saved).path(), 'utf8')
  expect(csv).toContain(`attribute.${keys.area}`)
  expect(csv).not.toContain(keys.hidden)
  expect(csv).toContain(`'=Sales`)
  expect(csv).not.toContain('secret-score')
  await page.reload()
  await page.getByText('Department: =SALES').waitFor()
  await page.getByRole('button', { name: 'Clear', exact: true }).click()
  await expectSoon(() => page.getByRole('row').count()).toBe(3)
  expect(complaints).toEqual([])
})

test('a person reads and writes in the account what self allows, and nothing else', async () => {
  const { page, complaints } = await visit()
  const [tenant, keys] = [await newTenant(), await ofUser()]
  const member = await tenant.member()
  ok(await tenant.admin.patch(`/users/${member.userId}/attributes`, { [keys.level]: 4, [keys.tags]: ['eo'] }))
  await signInToAccount(page, member.email, 'profile')
  const card = page.getByRole('region', { name: 'About you' })
  await card.getByText('Level').waitFor()
  expect(await card.getByRole('textbox').count()).toBe(1)
  expect(await card.getByText('Languages').count()).toBe(0)
  await card.getByLabel('Department').fill('Legal')
  await card.getByLabel('Remote').selectOption('Yes')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Details saved.').waitFor()
  await inspect(page, 'account-attributes')
  expect(ok(await member.get('/profile/attributes'))).toEqual({
    [keys.area]: 'Legal',
    [keys.level]: 4,
    [keys.remote]: true,
  })
  await showInChinese(page, 'account-attributes-zh', '部门')
  expect(complaints).toEqual([])
})

test('attributes of tenants stand on the page of the tenant, in the list, and in the settings of its administrators', async () => {
  const { page, complaints } = await visit()
  const [root, tenant] = [await platformAdmin(), await newTenant()]
  const plan = await declareAttribute({
    subject: 'tenant',
    label: { en: 'Plan' },
    administrators: 'read',
    indexed: true,
    schema: { type: 'string', enum: ['gold', 'silver'] },
  })
  await declareAttribute({ subject: 'tenant', label: { en: 'Margin' } })
  await signIn(page, root.email, `tenants/${tenant.id}`)
  await page.getByRole('button', { name: 'Edit attributes' }).click()
  await dialog(page).getByRole('combobox', { name: 'Plan' }).click()
  await page.getByRole('option', { name: 'gold' }).click()
  await page.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Attributes saved.').waitFor()
  await inspect(page, 'tenant-attributes')
  await open(page, `tenants?search=${tenant.slug}&attribute.${plan}=gold`)
  await page.getByText('Plan: gold').waitFor()
  await expectSoon(() => page.getByRole('row').count()).toBe(2)
  await open(page, `tenants?search=${tenant.slug}&attribute.${plan}=silver`)
  await page.getByText('No organizations match').waitFor()
  const own = await visit()
  await signIn(own.page, tenant.admin.email, 'settings?section=product')
  const shown = own.page.getByRole('region', { name: 'Attributes' })
  await shown.getByText('gold').waitFor()
  expect(await own.page.getByRole('button', { name: 'Edit attributes' }).count()).toBe(0)
  expect(await own.page.getByText('Margin').count()).toBe(0)
  await inspect(own.page, 'settings-attributes')
  expect([...complaints, ...own.complaints]).toEqual([])
})
