/** Settings of a tenant and of all tenants, in a real browser (`npm run test:browser`). */
import type { Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const valueOf = async (key: string): Promise<unknown> =>
  ok(await tenant.admin.get(`/settings/tenant/${key}`)).value

describe('a setting of the tenant', () => {
  test('is written as JSON, and refused before sending if it is invalid or too large', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'settings')
    await page.getByRole('button', { name: 'Create a setting' }).click()
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create a setting' })
    await dialog.getByLabel('Key').fill('not a key')
    await dialog.getByText('Only letters, digits').waitFor()
    await dialog.getByLabel('Key').fill('mail.templates')
    const value = dialog.getByLabel('Value (JSON)')
    await value.fill('{\n  "subject": "Welcome"\n  "body": ""\n}')
    await dialog.getByText('Line 3, column 3: a comma is missing').waitFor()
    expect(await create.isDisabled()).toBe(true)
    await inspect(page, 'settings-fault')
    await value.fill(JSON.stringify('x'.repeat(65_535)))
    await dialog.getByText('Too large: 64 KiB of 64 KiB').waitFor()
    expect(await create.isDisabled()).toBe(true)
    await value.fill('{"subject":"Welcome","body":""}')
    await dialog.getByRole('button', { name: 'Format' }).click()
    expect(await value.inputValue()).toBe('{\n  "subject": "Welcome",\n  "body": ""\n}')
    await create.click()
    await page.getByText('mail.templates is saved.').waitFor()
    expect(await valueOf('mail.templates')).toEqual({ subject: 'Welcome', body: '' })
    expect(complaints).toEqual([])
  })

  test('is found by its key, changed, and deleted after a question', async () => {
    const { page, complaints } = await visit()
    const long = `a.rather:long_key-${'x'.repeat(100)}`
    ok(await tenant.admin.put(`/settings/tenant/${long}`, { value: 'y'.repeat(5000) }))
    ok(await tenant.admin.put('/settings/tenant/theme', { value: { dark: true } }))
    await signIn(page, tenant.admin.email, 'settings')
    await page.getByRole('link', { name: 'Open theme' }).waitFor()
    await inspect(page, 'settings')
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('THEME')
    await page.getByText('1 entry').waitFor()
    await page.getByRole('link', { name: 'Open theme' }).click()
    const dialog = page.getByRole('dialog', { name: 'theme' })
    await dialog.getByLabel('Value (JSON)').fill('{"dark":false}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('theme is saved.').waitFor()
    expect(await valueOf('theme')).toEqual({ dark: false })
    await page.getByRole('link', { name: 'Open theme' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete theme?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('theme is deleted.').waitFor()
    expect((await tenant.admin.get('/settings/tenant/theme')).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('is deleted by callers with that permission, even without setting:update', async () => {
    const { page } = await visit()
    const key = unique('gone.')
    ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: { on: true } }))
    const { email } = await tenant.userWith('setting:read', 'setting:delete')
    await signIn(page, email, `settings?key=${key}`)
    const dialog = page.getByRole('dialog', { name: key, exact: true })
    await dialog.getByText('"on": true').waitFor()
    await inspect(page, 'settings-deletable')
    expect(await dialog.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('dialog', { name: `Delete ${key}?` })
      .getByRole('button', { name: 'Delete' })
      .click()
    await page.getByText(`${key} is deleted.`).waitFor()
    expect((await tenant.admin.get(`/settings/tenant/${key}`)).status).toBe(404)
  })

  test('keeps its question open while it is deleted', async () => {
    const { page } = await visit()
    const key = unique('kept.')
    ok(await tenant.admin.put(`/settings/tenant/${key}`, { value: 1 }))
    const held: Route[] = []
    await page.route(`**/settings/tenant/${key}`, (route) => void held.push(route))
    await signIn(page, tenant.admin.email, `settings?key=${key}`)
    await page.getByRole('dialog', { name: key, exact: true }).getByRole('button', { name: 'Delete' }).click()
    const question = page.getByRole('dialog', { name: `Delete ${key}?` })
    await question.getByRole('button', { name: 'Delete' }).click()
    await expectSoon(() => question.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await held[0]?.fulfill({
      status: 500,
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ code: 50001, message: 'Internal', data: null, trace_id: 'x' }),
    })
    await question.getByText('Give whoever runs it the trace id').waitFor()
    await question.getByRole('button', { name: 'Cancel' }).click()
    await question.waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog', { name: key, exact: true }).count()).toBe(1)
  })

  test('is read-only without setting:update', async () => {
    const { page } = await visit()
    ok(await tenant.admin.put('/settings/tenant/shown', { value: 'as it is' }))
    await signIn(page, (await tenant.userWith('setting:read')).email, 'settings?key=shown')
    await page.getByRole('dialog', { name: 'shown' }).getByText('"as it is"').waitFor()
    expect(await page.getByRole('textbox', { name: 'Value (JSON)' }).count()).toBe(0)
    expect(await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).count()).toBe(0)
    await page.keyboard.press('Escape')
    expect(await page.getByRole('button', { name: /Create a setting|Save/ }).count()).toBe(0)
  })
})

test('audit records expire only after the number of days is confirmed, and are kept for ever again without a question', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, 'settings')
  await page.getByRole('radio', { name: 'Delete them after a number of days' }).check()
  await page.getByRole('spinbutton', { name: 'Days' }).fill('29')
  const save = page.getByRole('button', { name: 'Save' })
  expect(await save.isDisabled()).toBe(true)
  await page.getByRole('spinbutton', { name: 'Days' }).fill('90')
  await inspect(page, 'settings-retention')
  await save.click()
  const question = page.getByRole('dialog', { name: 'Delete records older than 90 days?' })
  await question.getByRole('textbox').fill('90')
  await inspect(page, 'settings-question')
  await question.getByRole('button', { name: 'Delete older records' }).click()
  await page.getByText('How long audit records are kept is changed.').waitFor()
  expect(await valueOf('audit.retention_days')).toBe(90)
  await page.getByRole('radio', { name: 'Keep them for ever' }).check()
  await save.click()
  await expectSoon(() => valueOf('audit.retention_days')).toBe(null)
  expect(complaints).toEqual([])
})

test('settings of all tenants are written by platform administrators, and read by tenants', async () => {
  const { page } = await visit()
  const key = unique('global.')
  await signIn(page, (await platformAdmin()).email, 'settings?scope=global')
  await page.getByRole('button', { name: 'Create a setting' }).click()
  await page.getByRole('dialog').getByLabel('Key').fill(key)
  await page.getByRole('dialog').getByLabel('Value (JSON)').fill('[1, 2]')
  await page.getByRole('dialog').getByRole('button', { name: 'Create a setting' }).click()
  await page.getByText(`${key} is saved.`).waitFor()
  const other = await visit()
  await signIn(other.page, tenant.admin.email, 'settings')
  await other.page.getByRole('tab', { name: 'All tenants' }).click()
  await other.page.getByRole('link', { name: `Open ${key}` }).click()
  await other.page.getByRole('dialog', { name: key }).getByText('1,').waitFor()
  expect(await other.page.getByRole('button', { name: 'Create a setting' }).count()).toBe(0)
  await inspect(other.page, 'settings-global')
})

test('a setting of all tenants written in one tenant appears in the others at once', async () => {
  const { page } = await visit()
  const key = unique('global.')
  await signIn(page, (await platformAdmin()).email, 'settings?scope=global')
  await page
    .getByText(/entr(y|ies)$|There are no settings yet/)
    .first()
    .waitFor()
  await page.getByTitle('Choose a tenant').click()
  await page.getByPlaceholder('Name or slug').fill(tenant.slug)
  await page.getByRole('option', { name: tenant.slug }).click()
  await page.getByText('Another tenant').waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('tab', { name: 'All tenants' }).click()
  await page.getByRole('button', { name: 'Create a setting' }).click()
  await page.getByRole('dialog').getByLabel('Key').fill(key)
  await page.getByRole('dialog').getByRole('button', { name: 'Create a setting' }).click()
  await page.getByText(`${key} is saved.`).waitFor()
  // Requests from now on stay unanswered.
  await page.route('**/api/v1/settings', () => {})
  await page.getByTitle('Choose a tenant').click()
  await page.getByPlaceholder('Name or slug').fill('default')
  await page.getByRole('option', { name: 'default' }).first().click()
  await page.getByText('Another tenant').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByRole('tab', { name: 'All tenants' }).click()
  await page.getByRole('link', { name: `Open ${key}` }).waitFor()
  expect(new URL(page.url()).searchParams.get('tenant')).toBeNull()
})
