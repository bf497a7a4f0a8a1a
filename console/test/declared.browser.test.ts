/** Forms of declared settings, in a real browser (`npm run test:browser`). */
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { inspect, signIn, visit } from './visit.ts'

let tenant: Tenant
const group = unique('Group ')
const [density, server, password, layout] = ['density.', 'server.', 'smtp.', 'layout.'].map(unique) as [
  string,
  string,
  string,
  string,
]

beforeAll(async () => {
  const root = await platformAdmin()
  tenant = await newTenant()
  const declare = async (key: string, definition: object) =>
    ok(await root.put(`/settings/definitions/${key}`, { scopes: ['global', 'tenant'], group, ...definition }))
  await declare(density, { schema: { enum: ['compact', 'wide'] }, default: 'wide', label: 'Density' })
  const properties = { host: { type: 'string', title: 'Host' }, port: { type: 'integer', maximum: 65_535 } }
  const schema = { type: 'object', properties, required: ['host'], additionalProperties: false }
  await declare(server, { schema, label: 'Mail server' })
  const nested = { type: 'object', properties: { title: { type: 'string' }, rows: { type: 'array' } } }
  await declare(layout, { schema: nested, label: 'Layout' })
  await declare(password, { schema: { type: 'string', minLength: 4 }, secret: true, label: 'Password' })
})

const valueOf = async (key: string): Promise<unknown> =>
  ok(await tenant.admin.get(`/settings/tenant/${key}`)).value

describe('a declared setting', () => {
  test('has a form made of its schema, its origin, and the faults beside their fields', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'settings?section=product')
    const card = page.getByRole('region', { name: group })
    await card.getByText('"wide"').waitFor()
    await card.getByText('Default').waitFor()
    await inspect(page, 'declared-settings')
    await card.getByRole('link', { name: 'Open Mail server' }).click()
    const dialog = page.getByRole('dialog', { name: 'Mail server' })
    await dialog.getByLabel('port').fill('99999')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('must be at most 65535').waitFor()
    await dialog.getByText('is required').waitFor()
    await inspect(page, 'declared-faults')
    await dialog.getByLabel('Host').fill('mail.example.com')
    await dialog.getByLabel('port').fill('587')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${server} saved.`).waitFor()
    expect(await valueOf(server)).toEqual({ host: 'mail.example.com', port: 587 })
  })

  test('a setting with text that is no JSON is not saved, and loses no field', async () => {
    ok(await tenant.admin.put(`/settings/tenant/${layout}`, { value: { title: 'Old', rows: [1, 2] } }))
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `settings?key=${layout}`)
    const dialog = page.getByRole('dialog', { name: 'Layout' })
    await dialog.getByLabel('rows').fill('[1, 2')
    await dialog.getByLabel('title').fill('New')
    await dialog.getByRole('button', { name: 'Save' }).click()
    expect(await valueOf(layout)).toEqual({ title: 'Old', rows: [1, 2] })
    await dialog.getByLabel('rows').fill('[1, 2, 3]')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${layout} saved.`).waitFor()
    expect(await valueOf(layout)).toEqual({ title: 'New', rows: [1, 2, 3] })
  })

  test('shows its earlier values, of which one is written again, and inherits again', async () => {
    const { page, complaints } = await visit()
    for (const value of ['compact', 'wide', 'compact']) {
      ok(await tenant.admin.put(`/settings/tenant/${density}`, { value }))
    }
    await signIn(page, tenant.admin.email, `settings?key=${density}`)
    const dialog = page.getByRole('dialog', { name: 'Density' })
    await dialog.getByRole('button', { name: 'Earlier values' }).click()
    await dialog.getByRole('button', { name: 'Restore version 2' }).waitFor()
    await inspect(page, 'declared-history')
    await dialog.getByRole('button', { name: 'Restore version 2' }).click()
    await page.getByText(`${density} saved.`).waitFor()
    expect(await valueOf(density)).toBe('wide')
    await page.getByRole('link', { name: 'Open Density' }).click()
    await dialog.getByRole('button', { name: 'Use the inherited value' }).click()
    await page.getByText(`${density} is inherited again.`).waitFor()
    expect((await tenant.admin.get(`/settings/tenant/${density}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })

  test('a secret setting shows its time and author, and no value', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `settings?key=${password}`)
    const dialog = page.getByRole('dialog', { name: 'Password' })
    await dialog.getByLabel('New value').fill('hunter2-hunter2')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${password} saved.`).waitFor()
    await page.getByRole('link', { name: 'Open Password' }).click()
    await dialog.getByText(`Changed by ${tenant.admin.username}`).waitFor()
    await inspect(page, 'declared-secret')
    expect(await dialog.getByLabel('New value').inputValue()).toBe('')
    expect(await page.content()).not.toContain('hunter2-hunter2')
    expect(complaints).toEqual([])
  })

  test('a locked setting cannot be changed in a tenant, and a platform administrator unlocks it', async () => {
    const root = await platformAdmin()
    const { page } = await visit()
    await signIn(page, root.email, `settings?scope=global&key=${density}`)
    const dialog = page.getByRole('dialog', { name: 'Density' })
    await dialog.getByRole('button', { name: 'Lock for organizations' }).click()
    await dialog.getByRole('button', { name: 'Unlock for organizations' }).waitFor()
    const other = await visit()
    await signIn(other.page, tenant.admin.email, `settings?key=${density}`)
    const shown = other.page.getByRole('dialog', { name: 'Density' })
    await shown.getByText('The installation has locked this setting.').waitFor()
    expect(await shown.getByRole('button', { name: 'Save' }).count()).toBe(0)
    await dialog.getByRole('button', { name: 'Unlock for organizations' }).click()
    await dialog.getByRole('button', { name: 'Lock for organizations' }).waitFor()
  })
})
