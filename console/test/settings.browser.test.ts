/** Settings of a tenant and of all tenants, in a real browser (`npm run test:browser`). */
import type { Locator, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newTenant, ok, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const valueOf = async (key: string): Promise<unknown> =>
  ok(await tenant.admin.get(`/settings/tenant/${key}`)).value

const chooseKind = async (dialog: Locator, kind: string): Promise<void> => {
  await dialog.getByRole('combobox', { name: 'Type' }).click()
  await dialog.page().getByRole('option', { name: kind }).click()
}

test('closing a way to sign in needs a second factor, and the form says so', async () => {
  const { page } = await visit()
  const { admin } = await newTenant()
  await signIn(page, admin.email, 'settings')
  const card = page.getByRole('region', { name: 'Ways to sign in' })
  await card.getByRole('switch', { name: /^Passkeys/ }).uncheck()
  await inspect(page, 'settings-ways')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Set up two-step verification first').waitFor()
  expect((await admin.get('/settings/tenant/auth.ways')).status).toBe(404)
})

test('proof of work is asked for by a switch of the installation', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  onTestFinished(async () => {
    await root.delete('/settings/global/auth.robots')
  })
  await signIn(page, root.email, 'settings?scope=global')
  const card = page.getByRole('region', { name: 'Bot protection' })
  await card.getByRole('switch', { name: 'Require a browser challenge' }).check()
  await inspect(page, 'settings-robots')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Changes saved.').waitFor()
  expect(ok(await root.get('/auth/options')).robots).toBe('proof_of_work')
  expect(complaints).toEqual([])
})

test('the rules for new passwords are set by a form, and told where a password is chosen', async () => {
  const { page, complaints } = await visit()
  const [root, { admin, id }] = [await platformAdmin(), await newTenant()]
  onTestFinished(async () => {
    await root.delete('/settings/global/auth.passwords')
  })
  const ofAll = { min_length: 12, refuse_common: false, refuse_personal: true, breached: 'off' }
  ok(await root.put('/settings/global/auth.passwords', { value: ofAll }))
  await signIn(page, admin.email, 'settings')
  const card = page.getByRole('region', { name: 'Passwords' })
  await card.getByText('Inherited from all organizations: 12').waitFor()
  const inherited = card.getByRole('switch', {
    name: /^Refuse names as passwords\s*Inherited from all organizations/,
  })
  expect(await inherited.isChecked()).toBe(true)
  expect(await inherited.isDisabled()).toBe(true)
  await card.getByLabel('Minimum length').fill('7')
  await card.getByRole('button', { name: 'Save' }).click()
  await card.getByText('Enter a whole number from 8 to 64.').waitFor()
  await card.getByLabel('Minimum length').fill('30')
  await card.getByRole('switch', { name: 'Refuse common passwords' }).check()
  await card.getByText('30 to 128 characters. Not a common or stolen password.').waitFor()
  await inspect(page, 'settings-passwords')
  await card.getByRole('button', { name: 'Save' }).click()
  await page.getByText('Changes saved.').waitFor()
  const { passwords } = ok(await admin.get(`/auth/options?tenant=${id}`))
  expect(passwords).toMatchObject({ min_length: 30, refuse_common: true, breached: 'off' })
  await page.goto(`${new URL(page.url()).origin}/console/users`)
  await page.getByRole('button', { name: 'Create user' }).click()
  const dialog = page.getByRole('dialog', { name: 'Create user' })
  await dialog.getByText('30 to 128 characters. Not a common or stolen password.').waitFor()
  await dialog.getByLabel('E-mail').fill(`${unique()}@example.com`)
  await dialog.getByLabel('Username').fill(unique())
  await dialog.getByRole('textbox', { name: 'Password' }).fill('twenty-nine characters, not 3')
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await dialog.getByText('Use at least 30 characters').waitFor()
  await dialog.getByRole('switch', { name: 'Require a new password at first sign-in' }).check()
  await inspect(page, 'user-create-refused')
  await dialog.getByRole('button', { name: 'Generate' }).click()
  await dialog.getByRole('button', { name: 'Create user' }).click()
  await page.getByRole('dialog', { name: 'User created' }).waitFor()
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
})

describe('a setting of the tenant', () => {
  test('is edited by an input of its type, which tells the last change and the value of all tenants', async () => {
    const { page, complaints } = await visit()
    const [limit, flag] = [unique('limit.'), unique('flag.')]
    ok(await tenant.admin.put(`/settings/tenant/${limit}`, { value: 42 }))
    ok(await tenant.admin.put(`/settings/tenant/${flag}`, { value: false }))
    ok(await (await platformAdmin()).put(`/settings/global/${limit}`, { value: 10 }))
    await signIn(page, tenant.admin.email, `settings?key=${limit}`)
    const dialog = page.getByRole('dialog', { name: limit })
    await dialog.getByText(`Changed by ${tenant.admin.username}`).waitFor()
    await dialog.getByText('For all organizations: 10').waitFor()
    await inspect(page, 'settings-number')
    await dialog.getByLabel('Value').fill('')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.locator('input[aria-invalid=true]').waitFor()
    await dialog.getByLabel('Value').fill('43.5')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${limit} saved.`).waitFor()
    expect(await valueOf(limit)).toBe(43.5)
    await page.getByRole('link', { name: `Open ${flag}` }).click()
    const other = page.getByRole('dialog', { name: flag })
    await other.getByRole('switch', { name: 'Value' }).check()
    await other.getByRole('button', { name: 'Save' }).click()
    await page.getByText(`${flag} saved.`).waitFor()
    expect(await valueOf(flag)).toBe(true)
    await page.getByRole('button', { name: 'Create setting' }).click()
    const key = unique('sender.')
    const fresh = page.getByRole('dialog', { name: 'Create setting' })
    await fresh.getByLabel('Key').fill(key)
    await fresh.getByLabel('Value').fill('no-reply@example.com')
    await fresh.getByRole('button', { name: 'Create setting' }).click()
    await page.getByText(`${key} saved.`).waitFor()
    expect(await valueOf(key)).toBe('no-reply@example.com')
    expect(complaints).toEqual([])
  })

  test('is written as JSON, and refused before sending if it is invalid or too large', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'settings?section=product')
    await page.getByRole('button', { name: 'Create setting' }).click()
    const dialog = page.getByRole('dialog')
    const create = dialog.getByRole('button', { name: 'Create setting' })
    await dialog.getByLabel('Key').fill('not a key')
    await dialog.getByText('Use 1 to 128 letters, digits').waitFor()
    await dialog.getByLabel('Key').fill('mail.templates')
    await chooseKind(dialog, 'JSON')
    const value = dialog.getByLabel('Value (JSON)')
    await value.fill('{\n  "subject": "Welcome"\n  "body": ""\n}')
    await dialog.getByText('Line 3, column 3: a comma is missing').waitFor()
    await create.click()
    await dialog.locator('textarea:focus').waitFor()
    await inspect(page, 'settings-fault')
    await value.fill(JSON.stringify('x'.repeat(65_535)))
    await dialog.getByText('Too large: 64 KiB of 64 KiB').waitFor()
    await create.click()
    expect((await tenant.admin.get('/settings/tenant/mail.templates')).status).toBe(404)
    await value.fill('{"subject":"Welcome","body":""}')
    await dialog.getByRole('button', { name: 'Format' }).click()
    expect(await value.inputValue()).toBe('{\n  "subject": "Welcome",\n  "body": ""\n}')
    await create.click()
    await page.getByText('mail.templates saved.').waitFor()
    expect(await valueOf('mail.templates')).toEqual({ subject: 'Welcome', body: '' })
    expect(complaints).toEqual([])
  })

  test('is found by its key, changed, and deleted after a question', async () => {
    const { page, complaints } = await visit()
    const long = `a.rather:long_key-${'x'.repeat(100)}`
    ok(await tenant.admin.put(`/settings/tenant/${long}`, { value: 'y'.repeat(5000) }))
    ok(await tenant.admin.put('/settings/tenant/theme', { value: { dark: true } }))
    await signIn(page, tenant.admin.email, 'settings?section=product')
    await page.getByRole('link', { name: 'Open theme' }).waitFor()
    await inspect(page, 'settings')
    await page.getByRole('searchbox', { name: 'Search keys' }).fill('THEME')
    await page.getByText('1 entry').waitFor()
    await page.getByRole('link', { name: 'Open theme' }).click()
    const dialog = page.getByRole('dialog', { name: 'theme' })
    await dialog.getByLabel('Value (JSON)').fill('{"dark":false}')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.getByText('theme saved.').waitFor()
    expect(await valueOf('theme')).toEqual({ dark: false })
    await page.getByRole('link', { name: 'Open theme' }).click()
    await dialog.getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('dialog', { name: 'Delete theme?' }).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('theme deleted.').waitFor()
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
    await page.getByText(`${key} deleted.`).waitFor()
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
    await question.getByText('Give the trace ID to its operator').waitFor()
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
    expect(await page.getByRole('button', { name: /Create setting|Save/ }).count()).toBe(0)
  })
})

test('audit records expire only after the number of days is confirmed, and are kept for ever again without a question', async () => {
  const { page, complaints } = await visit()
  await signIn(page, tenant.admin.email, 'settings?section=advanced')
  await page.getByRole('radio', { name: 'Delete them after a number of days' }).check()
  const days = page.getByRole('textbox', { name: 'Days' })
  await days.fill('29')
  const save = page.getByRole('button', { name: 'Save' })
  await save.click()
  await page.getByText('Enter a whole number from 30 to 36,500.').waitFor()
  expect(await days.getAttribute('aria-invalid')).toBe('true')
  await inspect(page, 'settings-retention')
  await days.fill('90')
  await save.click()
  const question = page.getByRole('dialog', { name: 'Delete records older than 90 days?' })
  await question.getByRole('textbox').fill('90')
  await inspect(page, 'settings-question')
  await question.getByRole('button', { name: 'Delete older records' }).click()
  await page.getByText('Retention of audit records changed.').waitFor()
  expect(await valueOf('audit.retention_days')).toBe(90)
  await page.getByRole('radio', { name: 'Keep them forever' }).check()
  await save.click()
  await expectSoon(() => valueOf('audit.retention_days')).toBe(null)
  expect(complaints).toEqual([])
})

test('settings of all tenants are written by platform administrators, and inherited by tenants', async () => {
  const { page } = await visit()
  const key = unique('global.')
  await signIn(page, (await platformAdmin()).email, 'settings?scope=global&section=product')
  await page.getByRole('button', { name: 'Create setting' }).click()
  await page.getByRole('dialog').getByLabel('Key').fill('audit.retention_days')
  await page.getByText('It has no effect here.').waitFor()
  await page.getByRole('dialog').getByLabel('Key').fill(key)
  await chooseKind(page.getByRole('dialog'), 'JSON')
  await page.getByRole('dialog').getByLabel('Value (JSON)').fill('[1, 2]')
  await page.getByRole('dialog').getByRole('button', { name: 'Create setting' }).click()
  await page.getByText(`${key} saved.`).waitFor()
  const other = await visit()
  await signIn(other.page, tenant.admin.email, 'settings?scope=global')
  expect(await other.page.getByText('All organizations', { exact: true }).count()).toBe(0)
  await other.page.getByRole('tab', { name: 'Product' }).click()
  await other.page.getByRole('row', { name: key }).getByText('Inherited from all organizations').waitFor()
  await inspect(other.page, 'settings-inherited')
  await other.page.getByRole('link', { name: `Open ${key}` }).click()
  await other.page.getByRole('dialog', { name: key }).getByText('1,').waitFor()
  expect(await other.page.getByRole('button', { name: 'Save' }).count()).toBe(0)
  expect(await other.page.getByRole('button', { name: 'Delete' }).count()).toBe(0)
  await page.getByRole('link', { name: `Open ${key}` }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
  await page.getByText('Apps in every organization will no longer find it.').waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).last().click()
  await page.getByText(`${key} deleted.`).waitFor()
})

test('a setting of all tenants written in one tenant appears in the others at once', async () => {
  const { page } = await visit()
  const key = unique('global.')
  await signIn(page, (await platformAdmin()).email, 'settings?scope=global&section=product')
  await page
    .getByText(/entr(y|ies)$|No settings yet/)
    .first()
    .waitFor()
  await page.getByTitle('Choose an organization').click()
  await page.getByPlaceholder('Name or slug').fill(tenant.slug)
  await page.getByRole('option', { name: tenant.slug }).click()
  await page.getByText('Not your organization').waitFor()
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByText('All organizations', { exact: true }).click()
  await page.getByRole('tab', { name: 'Product' }).click()
  await page.getByRole('button', { name: 'Create setting' }).click()
  await page.getByRole('dialog').getByLabel('Key').fill(key)
  await page.getByRole('dialog').getByRole('button', { name: 'Create setting' }).click()
  await page.getByText(`${key} saved.`).waitFor()
  // Requests from now on stay unanswered.
  await page.route('**/api/v1/settings', () => {})
  await page.getByTitle('Choose an organization').click()
  await page.getByPlaceholder('Name or slug').fill('default')
  await page.getByRole('option', { name: 'default' }).first().click()
  await page.getByText('Not your organization').waitFor({ state: 'detached' })
  await page.getByRole('link', { name: 'Settings', exact: true }).click()
  await page.getByText('All organizations', { exact: true }).click()
  await page.getByRole('tab', { name: 'Product' }).click()
  await page.getByRole('link', { name: `Open ${key}` }).waitFor()
  expect(new URL(page.url()).searchParams.get('tenant')).toBeNull()
})

describe('the look of e-mails', () => {
  const saved = async () => (await (await platformAdmin()).get('/settings/global/mail')).body.data?.value

  afterEach(async () => {
    await (await platformAdmin()).delete('/settings/global/mail')
  })

  test('is set by platform administrators with a preview, and refused before sending if it is wrong', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await platformAdmin()).email, 'settings?scope=global&section=branding')
    const card = page.getByRole('region', { name: 'E-mails' })
    const preview = card.getByRole('figure', { name: 'Preview of an e-mail' })
    await preview.getByText('From: Tenantry').waitFor()
    const buffer = await page.getByRole('heading').first().screenshot()
    await card.getByLabel('Product name').fill('Analytical Engines')
    await card.getByLabel('Sender name').fill('Ada, of Engines')
    await card.getByLabel('Help URL').fill('javascript:alert(1)')
    await card.getByLabel('Footer').fill('Analytical Engines Ltd, 1 High Street, London')
    await card.getByLabel('Button color').fill('#ffd43b')
    await card.getByRole('button', { name: 'Save' }).click()
    await card.getByText('Enter at most 64 characters, without').waitFor()
    await card.getByText('Enter a URL that starts with https://.').waitFor()
    expect(await saved()).toBeUndefined()
    await card.getByLabel('Sender name').fill('Ada of Engines')
    await card.getByLabel('Help URL').fill('https://engines.example/help')
    await preview.getByText('From: Ada of Engines').waitFor()
    await preview.getByText('This e-mail comes from Analytical Engines.').waitFor()
    await card.locator('input[type=file]').setInputFiles({ name: 'logo.png', mimeType: 'image/png', buffer })
    await preview.getByRole('img', { name: 'Analytical Engines' }).waitFor()
    await card.getByRole('switch', { name: 'Notify users when they sign in on a new device' }).uncheck()
    await card.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved.').waitFor()
    expect(await saved()).toEqual({
      product: 'Analytical Engines',
      from_name: 'Ada of Engines',
      color: '#ffd43b',
      logo: expect.stringMatching(/^data:image\/png;base64,/),
      support_url: 'https://engines.example/help',
      footer: 'Analytical Engines Ltd, 1 High Street, London',
      new_device_notice: false,
    })
    await page.evaluate('scrollTo(0, 0)')
    await inspect(page, 'settings-mail')
    await card.getByRole('button', { name: 'Remove image' }).click()
    await card.getByLabel('Footer').fill('')
    await card.getByRole('button', { name: 'Save' }).click()
    await expectSoon(saved).toEqual({
      product: 'Analytical Engines',
      from_name: 'Ada of Engines',
      color: '#ffd43b',
      support_url: 'https://engines.example/help',
      new_device_notice: false,
    })
    expect(complaints).toEqual([])
  })

  test('is no setting of a tenant', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'settings?section=product')
    await page.getByRole('button', { name: 'Create setting' }).click()
    await page.getByRole('dialog').getByLabel('Key').fill('mail')
    await page.getByText('reads this key only from the settings for').waitFor()
    expect((await tenant.admin.get('/settings/tenant/mail')).status).toBe(404)
  })
})

describe('the limits of a tenant', () => {
  test('are written by a form of platform administrators, and told to the administrators of the tenant', async () => {
    const { page, complaints } = await visit()
    const [root, { id, admin, ...own }] = [await platformAdmin(), await newTenant()]
    await own.member()
    await signIn(page, root.email, `settings?section=advanced&tenant=${id}`)
    const ofTenant = page.getByRole('region', { name: 'Limits' })
    await ofTenant.getByText('2 in use').first().waitFor()
    await ofTenant.getByLabel('Users').fill('-1')
    await ofTenant.getByRole('button', { name: 'Save' }).click()
    await ofTenant.getByText('Enter a whole number from 0 to 1,000,000,000.').waitFor()
    await ofTenant.getByLabel('Users').fill('25')
    await inspect(page, 'settings-limits-of-tenant')
    await ofTenant.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Changes saved.').waitFor()
    expect(ok(await admin.get('/settings/tenant/tenantry.limits')).value).toEqual({ users: 25 })
    await page.goto(`${new URL(page.url()).origin}/console/settings?scope=global&section=advanced`)
    await page.getByRole('region', { name: 'Limits' }).getByPlaceholder('No limit').first().waitFor()
    const { page: theirs, complaints: more } = await visit()
    await signIn(theirs, admin.email, 'settings?section=advanced')
    const seen = theirs.getByRole('region', { name: 'Limits' })
    await seen.getByText('2 of 25 users').waitFor()
    expect(await seen.getByRole('textbox').count()).toBe(0)
    await inspect(theirs, 'settings-limits')
    await theirs.goto(`${new URL(theirs.url()).origin}/console/users`)
    await theirs.getByText('2 of 25 users in this organization').waitFor()
    await inspect(theirs, 'users-limit')
    expect([...complaints, ...more]).toEqual([])
  })
})
