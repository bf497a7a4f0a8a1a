/** Service accounts and their keys, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  auditRecords,
  keyWith,
  newTenant,
  nobodysId,
  ok,
  password,
  platformAdmin,
  unique,
  type Tenant,
} from '../../server/test/factories.ts'
import { call, type Answer } from '../../server/test/harness.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()

interface Account {
  id: number
  name: string
}

const newAccount = async (name = unique('service'), description = ''): Promise<Account> =>
  ok(await tenant.admin.post('/service-accounts', { name, description }))

interface NewKey {
  id: number
  secret: string
}

const newKey = async ({ id }: Account, body: object = {}): Promise<NewKey> =>
  ok(await tenant.admin.post(`/service-accounts/${id}/keys`, { name: 'any', ...body }))

/** A request with a key, about the permissions of its own account. */
const callBy = (secret: string): Promise<Answer> =>
  call('GET', '/authz/permissions', { token: secret, tenant: tenant.id })

/** The secret in the open window. */
const shownSecret = async (page: Page): Promise<string> => {
  const text = await dialog(page)
    .getByText(/^tnt_\w+$/)
    .textContent()
  return text ?? ''
}

/** Everything that the browser keeps for the page: storages, address, state of the history, cookies. */
const keptBy = async (page: Page): Promise<string> => {
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie])',
  )
  return kept + JSON.stringify(await page.context().storageState({ indexedDB: true }))
}

describe('the list', () => {
  test('is reached by navigation and palette, and searches, filters and pages', async () => {
    const { page, complaints } = await visit()
    const mark = unique('l')
    const other = await newAccount()
    for (let number = 0; number < 21; number += 1) {
      await newAccount(`${mark} ${number}`, `Number ${number} of the list`)
    }
    const last = await newAccount(`${mark} off`, 'Backend of the billing')
    ok(await tenant.admin.put(`/service-accounts/${last.id}`, { status: 0 }))
    await signIn(page, tenant.admin.email)
    await page.getByRole('navigation').getByRole('link', { name: 'Service accounts' }).click()
    await page.getByRole('heading', { name: 'Service accounts', level: 1 }).waitFor()
    await page.getByRole('searchbox', { name: 'Search service accounts' }).fill(mark)
    await page.getByRole('link', { name: other.name }).waitFor({ state: 'detached' })
    await page.getByText('22 entries').waitFor()
    await inspect(page, 'service-accounts')
    await page.getByRole('button', { name: 'Next page' }).click()
    await page.getByRole('link', { name: `${mark} off` }).waitFor()
    await page.getByText('Disabled', { exact: true }).first().click()
    await page.getByText('1 entry').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ search: mark, status: '0' })
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find pages, users, roles and more').fill('service acc')
    await dialog(page).getByRole('option', { name: 'Service accounts' }).click()
    await expectSoon(() => new URL(page.url()).search).toBe('')
    expect(complaints).toEqual([])
  })

  test('is offered only with service_account:read', async () => {
    const { page } = await visit()
    await signIn(page, (await tenant.userWith('user:read')).email, 'service-accounts')
    await page.getByText('You need the permission service_account:read.').waitFor()
    expect(await page.getByRole('link', { name: 'Service accounts' }).count()).toBe(0)
  })

  test('offers nothing to change to callers who may only read', async () => {
    const { page } = await visit()
    const account = await newAccount()
    await newKey(account)
    await signIn(
      page,
      (await tenant.userWith('service_account:read')).email,
      `service-accounts?search=${account.name}`,
    )
    await page.getByRole('link', { name: account.name }).waitFor()
    expect(await page.getByRole('button', { name: 'Create' }).count()).toBe(0)
    await open(page, `service-accounts/${account.id}`)
    await page.getByText('Any IP address').waitFor()
    expect(await page.getByRole('button', { name: /Edit|able|Delete|Create|Revoke/ }).count()).toBe(0)
    expect(await page.getByRole('tab').count()).toBe(1)
  })
})

describe('creating a service account', () => {
  test('refuses a taken name beside its field, gives the chosen roles, and leads to the account', async () => {
    const { page, complaints } = await visit()
    const role = await tenant.role('user:read')
    const taken = await newAccount()
    await signIn(page, tenant.admin.email, 'service-accounts')
    await press(page, 'Create service account')
    await dialog(page).getByLabel('Name').fill(taken.name)
    await dialog(page).getByLabel('Description').fill('Backend of the billing')
    await dialog(page).getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await answer(page, 'Create service account')
    await dialog(page).getByText('A service account with this name already exists.').waitFor()
    await inspect(page, 'service-account-create')
    const name = unique('Billing ')
    await dialog(page).getByLabel('Name').fill(name)
    await answer(page, 'Create service account')
    await dialog(page).getByText(`${name} created.`).waitFor()
    await inspect(page, 'service-account-created')
    await dialog(page).getByRole('link', { name: 'Open the service account' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const roles = ok(await tenant.admin.get(`/rbac/users/${id}/roles`)) as Account[]
    expect(roles.map((one) => one.name)).toEqual([role.name])
    expect(complaints).toEqual([])
  })

  test('never offers platform-admin, which users get', async () => {
    const { page } = await visit()
    const root = await platformAdmin()
    const account: Account = ok(await root.post('/service-accounts', { name: unique('root') }))
    await signIn(page, root.email, 'service-accounts')
    await press(page, 'Create service account')
    await dialog(page).getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: 'viewer' }).waitFor()
    expect(await page.getByRole('option', { name: 'Platform admin' }).count()).toBe(0)
    await open(page, `service-accounts/${account.id}?tab=access`)
    await page.getByRole('combobox', { name: 'Assign role' }).click()
    await page.getByRole('option', { name: 'viewer' }).waitFor()
    expect(await page.getByRole('option', { name: 'Platform admin' }).count()).toBe(0)
  })
})

describe('the page of a service account', () => {
  test('changes name and description, and disables and enables after a question', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    const { secret } = await newKey(account)
    await signIn(page, tenant.admin.email, `service-accounts?search=${account.name}`)
    await page.getByRole('link', { name: account.name }).click()
    await press(page, 'Edit')
    await dialog(page).getByLabel('Name').fill(`${account.name} two`)
    await dialog(page).getByLabel('Description').fill('Sends invoices')
    await answer(page, 'Save')
    await page.getByRole('heading', { name: `${account.name} two`, level: 1 }).waitFor()
    await page.getByRole('main').getByText('Sends invoices').waitFor()
    await chooseAction(page, 'Disable')
    await dialog(page).getByText('Its keys stop working immediately.').waitFor()
    await inspect(page, 'service-account-disable')
    await answer(page, 'Disable')
    await page.getByText('its keys are refused until').waitFor()
    await inspect(page, 'service-account-disabled')
    expect((await callBy(secret)).status).toBe(401)
    await chooseAction(page, 'Enable')
    await dialog(page).getByText('Its keys work again immediately').waitFor()
    await answer(page, 'Enable')
    await page.getByText('its keys are refused until').waitFor({ state: 'detached' })
    expect((await callBy(secret)).status).toBe(200)
    const actions = (await auditRecords(tenant.id, 'service_account', account.id)).map(({ action }) => action)
    expect(actions).toEqual([...Array<string>(3).fill('service_account.update'), 'service_account.create'])
    expect(complaints).toEqual([])
  })

  test('deletes after the name is typed, and the keys stop working', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    const { secret } = await newKey(account)
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await chooseAction(page, 'Delete')
    await dialog(page).getByText('Its keys stop working immediately').waitFor()
    await answer(page, 'Delete')
    await dialog(page).getByText('Fill in this field.').waitFor()
    await dialog(page).getByRole('textbox').fill(account.name)
    await inspect(page, 'service-account-delete')
    await answer(page, 'Delete')
    await page.getByRole('heading', { name: 'Service accounts', level: 1 }).waitFor()
    expect((await callBy(secret)).status).toBe(401)
    await open(page, `service-accounts/${account.id}`)
    await page.getByText('Service account not found').waitFor()
    expect(complaints).toEqual([])
  })

  test('gives and takes roles', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    const role = await tenant.role('user:read')
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await page.getByRole('tab', { name: 'Roles and permissions' }).click()
    await page.getByText('No roles, so no permissions.').waitFor()
    await page.getByRole('combobox', { name: 'Assign role' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await press(page, 'Assign')
    await page.getByRole('row', { name: 'user:read' }).getByText(role.name).waitFor()
    await inspect(page, 'service-account-access')
    await press(page, `Remove ${role.name}`)
    await answer(page, 'Remove')
    await page.getByText('No roles, so no permissions.').waitFor()
    const actions = (await auditRecords(tenant.id, 'role', role.id)).map(({ action }) => action)
    expect(actions.slice(0, 2)).toEqual(['role.unassign', 'role.assign'])
    expect(complaints).toEqual([])
  })

  test('explains why an account with more permissions cannot be changed', async () => {
    const { page } = await visit()
    const { userId } = await keyWith(tenant.id, ['user:delete'])
    const all = ['service_account:read', 'service_account:update', 'service_account:delete'] as const
    const helper = await tenant.userWith(...all, 'role:read')
    await signIn(page, helper.email, `service-accounts/${userId}`)
    await page.getByText('It has permissions that you lack: “Delete users”.').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Disable|Delete|Create|Revoke/ }).count()).toBe(0)
    await inspect(page, 'service-account-outranks')
    // Without role:read the page cannot know, and the service refuses.
    const blind = await tenant.userWith(...all)
    await signIn(page, blind.email, `service-accounts/${userId}`)
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('any')
    await answer(page, 'Create key')
    await dialog(page).getByText('This user or role has permissions that you lack.').waitFor()
  })

  test('says that an account does not exist', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `service-accounts/${nobodysId}`)
    await page.getByText('Service account not found').waitFor()
    await open(page, 'service-accounts/abc')
    await page.getByText('Page not found').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/service-accounts/abc')
  })
})

describe('a new key', () => {
  test('works, and is shown once: the browser keeps it nowhere, and going back removes it', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    await signIn(page, tenant.admin.email, `service-accounts?search=${account.name}`)
    await page.getByRole('link', { name: account.name }).click()
    await page.getByText('No keys yet').waitFor()
    await inspect(page, 'service-account-no-keys')
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('Production')
    await dialog(page).getByLabel('Allowed networks').fill('127.0.0.0/8\n\n::1\n')
    await inspect(page, 'key-create')
    await answer(page, 'Create key')
    await dialog(page).getByText('This key is shown only once').waitFor()
    const secret = await shownSecret(page)
    await inspect(page, 'key-secret')
    expect(ok(await callBy(secret))).toMatchObject({ user_id: account.id })
    expect(await keptBy(page)).not.toContain(secret)
    await page.keyboard.press('Escape')
    const question = page.getByRole('dialog', { name: 'Close without copying the key?' })
    await question.waitFor()
    await inspect(page, 'key-uncopied')
    await question.getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).getByText(secret).waitFor()
    await page.goBack()
    await question.getByRole('button', { name: 'Close without copying' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    await page.goForward()
    await page.getByRole('row', { name: 'Production' }).getByText('127.0.0.0/8, ::1').waitFor()
    expect(await page.content()).not.toContain(secret)
    expect(await page.content()).toContain(secret.slice(0, 12))
    expect(await keptBy(page)).not.toContain(secret)
    expect(complaints).toEqual([])
  })

  test('is copied, after which its window closes without a question', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const account = await newAccount()
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('Production')
    await answer(page, 'Create key')
    await dialog(page).getByText('This key is shown only once').waitFor()
    const secret = await shownSecret(page)
    await answer(page, 'Copy the key')
    await dialog(page).getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('row', { name: 'Production' }).getByText('in 3 months').waitFor()
    expect(complaints).toEqual([])
  })

  test('says so where the browser does not copy', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('Production')
    await answer(page, 'Create key')
    await answer(page, 'Copy the key')
    await dialog(page).getByText('Select the text and copy it yourself.').waitFor()
    await inspect(page, 'key-copy-failed')
    await dialog(page).getByRole('button', { name: 'Close', exact: true }).last().click()
    await page.getByRole('dialog', { name: 'Close without copying the key?' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('ends when its creator says: after days, on a day, or never', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('Laptop')
    await dialog(page).getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'On a specific date' }).click()
    await dialog(page).getByLabel('Last day').fill('2020-01-31')
    await dialog(page).getByLabel('Allowed networks').fill('10.1.0.0/16\n10.0.0')
    await answer(page, 'Create key')
    await dialog(page).getByText('Choose a future date.').waitFor()
    await dialog(page).getByText('“10.0.0” isn’t an IP address').waitFor()
    await inspect(page, 'key-faults')
    await dialog(page).getByRole('combobox', { name: 'Expires' }).click()
    await page.getByRole('option', { name: 'Never' }).click()
    await dialog(page).getByText('An expiration date limits the damage').waitFor()
    await dialog(page).getByLabel('Allowed networks').fill('10.1.0.0/16')
    await answer(page, 'Create key')
    await dialog(page).getByText('This key is shown only once').waitFor()
    const keys = ok(await tenant.admin.get(`/service-accounts/${account.id}/keys`))
    expect(keys).toMatchObject([{ name: 'Laptop', expires_at: '', allowed_cidrs: ['10.1.0.0/16'] }])
    expect(complaints).toEqual([])
  })

  test('a key beyond the limit is refused in the form, which keeps the typed text', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    for (let number = 0; number < 10; number += 1) await newKey(account, { name: `Key ${number}` })
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('One more')
    await answer(page, 'Create key')
    await dialog(page).getByText('Revoke one that isn’t needed.').waitFor()
    expect(await dialog(page).getByLabel('Name').inputValue()).toBe('One more')
    await inspect(page, 'keys-full')
    expect(complaints).toEqual([])
  })
})

describe('the keys', () => {
  test('are marked when they expire within 7 days, and when they have expired', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    const days = (count: number) => ({ expires_at: new Date(Date.now() + count * 86_400_000).toISOString() })
    const past = await newKey(account, { name: 'Past', ...days(90) })
    await newKey(account, { name: 'Near', ...days(3), allowed_cidrs: ['10.1.0.0/16', '2001:db8::/32'] })
    await newKey(account, { name: 'Far', ...days(90) })
    const root = await platformAdmin()
    ok(await root.post(`/service-accounts/${account.id}/keys`, { name: 'Endless' }, { tenant: tenant.id }))
    await page.route(`**/service-accounts/${account.id}/keys`, async (route) => {
      const response = await route.fetch()
      const { data, ...envelope } = (await response.json()) as { data: { id: number }[] }
      const keys = data.map((key) => (key.id === past.id ? { ...key, ...days(-2) } : key))
      await route.fulfill({ response, json: { ...envelope, data: keys } })
    })
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    const row = (name: string) => page.getByRole('row', { name })
    await row('Past').getByText('Expired', { exact: true }).waitFor()
    await row('Near').getByText('Expires soon', { exact: true }).waitFor()
    await row('Far').getByText('in 3 months').waitFor()
    await row('Endless').getByText('Never').first().waitFor()
    expect(await page.getByText(/^(Expired|Expires soon)$/).count()).toBe(2)
    const names = await page.getByRole('row').locator('td:first-child').allTextContents()
    expect(names).toEqual(['Endless', 'Far', 'Near', 'Past'])
    await row('Far').getByRole('link', { name: tenant.admin.username }).waitFor()
    // An administrator from another tenant has a name here, and no page.
    await row('Endless').getByText(root.username).waitFor()
    expect(await row('Endless').getByRole('link').count()).toBe(0)
    await inspect(page, 'keys')
    expect(complaints).toEqual([])
  })

  test('are refused after the confirmed revocation', async () => {
    const { page, complaints } = await visit()
    const account = await newAccount()
    const { id, secret } = await newKey(account, { name: 'Laptop' })
    ok(await callBy(secret))
    await signIn(page, tenant.admin.email, `service-accounts/${account.id}`)
    await press(page, 'Revoke Laptop')
    await dialog(page).getByText('The key stops working immediately. This can’t be undone.').waitFor()
    await inspect(page, 'key-revoke')
    await answer(page, 'Revoke')
    await page.getByText('No keys yet').waitFor()
    expect((await callBy(secret)).status).toBe(401)
    const actions = (await auditRecords(tenant.id, 'service_account_key', id)).map(({ action }) => action)
    expect(actions).toEqual(['service_account_key.delete', 'service_account_key.create'])
    expect(complaints).toEqual([])
  })
})

test('the keyboard alone creates an account and a key, and copies it', async () => {
  const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const name = unique('keyboard')
  await signIn(page, tenant.admin.email, 'service-accounts')
  await page.getByRole('button', { name: 'Create service account' }).press('Enter')
  await dialog(page).getByLabel('Name').waitFor()
  const isInWindow = () => page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null")
  await expectSoon(isInWindow).toBe(true)
  await page.keyboard.type(name)
  await page.keyboard.press('Enter')
  await dialog(page).getByText(`${name} created.`).waitFor()
  await dialog(page).getByRole('link', { name: 'Open the service account' }).press('Enter')
  const create = page.getByRole('button', { name: 'Create key' })
  await create.press('Enter')
  await dialog(page).getByLabel('Name').waitFor()
  await expectSoon(isInWindow).toBe(true)
  await page.keyboard.type('Laptop')
  await page.keyboard.press('Enter')
  await dialog(page).getByText('This key is shown only once').waitFor()
  const secret = await shownSecret(page)
  await dialog(page).getByRole('button', { name: 'Copy the key' }).press('Enter')
  await expectSoon(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  const focused = 'document.activeElement.textContent'
  await expectSoon(() => page.evaluate<string>(focused)).toBe('Create key')
})

test('audit records name the service account that acted, and lead to its page', async () => {
  const { page, complaints } = await visit()
  const backend = await keyWith(tenant.id, ['setting:read', 'setting:update'])
  ok(await backend.put('/settings/tenant/theme', { value: 'dark' }))
  await signIn(page, tenant.admin.email, 'audit?action=setting.create')
  const row = page.getByRole('row', { name: backend.username })
  await row.getByText('Service account', { exact: true }).waitFor()
  await inspect(page, 'audit-service-account')
  await row.getByRole('link', { name: 'Open the record' }).click()
  await dialog(page).getByRole('link', { name: 'Open the service account' }).click()
  await page.getByRole('heading', { name: backend.username, level: 1 }).waitFor()
  await page.getByRole('tab', { name: 'Activity' }).click()
  await page.getByText('Created the setting').waitFor()
  await inspect(page, 'service-account-activity')
  await open(page, 'audit?resource=service_account_key')
  await page.getByRole('link', { name: 'Open the record: Created the access key' }).first().click()
  await dialog(page).getByRole('link', { name: backend.username }).click()
  await page.getByRole('heading', { name: backend.username, level: 1 }).waitFor()
  expect(complaints).toEqual([])
})

test('the pages are in Chinese, and have room for long names', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const name = `${unique()} ${'Abrechnungs-Dienst '.repeat(2)}`.slice(0, 60).trim()
  const account = await newAccount(name, 'Sends the invoices of all products of the house '.repeat(5))
  await newKey(account, {
    name: 'Rechenzentrum-Frankfurt '.repeat(2).trim(),
    expires_at: new Date(Date.now() + 86_400_000).toISOString(),
    allowed_cidrs: Array.from({ length: 20 }, (_, number) => `2001:db8:${number}:ffff::/64`),
  })
  await open(page, `service-accounts?search=${name.slice(0, 13)}`)
  await page.getByLabel('邮箱').fill(tenant.admin.email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: '密码' }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByRole('link', { name }).waitFor()
  await inspect(page, 'service-accounts-zh')
  await page.getByRole('link', { name }).click()
  await page.getByText('即将到期').waitFor()
  await inspect(page, 'service-account-zh')
  await press(page, '创建密钥')
  await dialog(page).getByLabel('名称').fill('生产环境')
  await inspect(page, 'key-create-zh')
  await answer(page, '创建密钥')
  await dialog(page).getByText('此密钥仅显示一次').waitFor()
  await inspect(page, 'key-secret-zh')
  await dialog(page).getByRole('button', { name: '关闭' }).last().click()
  await answer(page, '不复制直接关闭')
  await open(page, 'audit?resource=service_account_key')
  await page.getByText('的访问密钥').filter({ visible: true }).first().waitFor()
  expect(complaints).toEqual([])
})
