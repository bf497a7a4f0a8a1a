/** The audit log in a real browser: filters, differences, reading on and exports (`npm run test:browser`). */
import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Download, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, platformAdmin, type Caller, type Tenant } from '../../server/test/factories.ts'
import { expectSoon, inspect, open, signIn, signInByForm, visit } from './visit.ts'

let tenant: Tenant
let member: Caller

const nickname = 'Augusta Ada King, Countess of Lovelace'

beforeAll(async () => {
  tenant = await newTenant()
  member = await tenant.member()
  const { admin } = tenant
  ok(await admin.put(`/users/${member.userId}`, { nickname }))
  ok(await admin.put(`/users/${member.userId}`, { nickname: '', status: 0 }))
  ok(await admin.put('/settings/tenant/theme', { value: { dark: true, colours: ['#112233', '#445566'] } }))
  ok(await admin.put('/settings/tenant/theme', { value: { dark: false, colours: [] } }))
  const role = await tenant.role('user:read', 'user:update')
  ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
})

const choose = async (page: Page, filter: string, typed: string, option: string | RegExp): Promise<void> => {
  await page.getByRole('combobox', { name: filter }).click()
  await page.getByRole('combobox', { name: filter }).fill(typed)
  await page.getByRole('option', { name: option }).first().click()
}

/** The chosen actions are beside the field. */
const filterBar = (page: Page) =>
  page.locator('.mantine-MultiSelect-root').filter({ has: page.getByRole('combobox', { name: 'Action' }) })

const search = (page: Page) => Object.fromEntries(new URL(page.url()).searchParams)

describe('the audit log', () => {
  test('is filtered by user, action and time, and the address keeps the filters', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'audit')
    await page.getByText('entries').waitFor()
    await inspect(page, 'audit')
    await choose(page, 'User', tenant.admin.username, tenant.admin.username)
    await choose(page, 'Action', 'changed a user', 'Changed a user')
    await page.getByText('2 entries').waitFor()
    await page.getByRole('button', { name: 'Time: Any time' }).click()
    await inspect(page, 'audit-time')
    await page.getByRole('button', { name: 'Last hour' }).click()
    await page.getByText('2 entries').waitFor()
    const { from, ...others } = search(page)
    expect(Date.parse(from ?? '')).toBeLessThan(Date.now() - 3_500_000)
    expect(others).toEqual({ user_id: String(tenant.admin.userId), action: 'user.update' })
    await page.reload()
    await page.getByText('2 entries').waitFor()
    await filterBar(page).getByText('Changed a user', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('Created the role').first().waitFor()
    await open(page, 'audit?to=2020-01-01T00:00:00Z')
    await page.getByText('No records match').waitFor()
    await page.getByRole('button', { name: /^Time: Until 31 Dec 2019/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is searched by text, by several actions and by the address of a request', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'audit')
    await page.getByRole('searchbox', { name: 'Search text' }).fill(nickname)
    await page.getByText('2 entries').waitFor()
    await choose(page, 'Action', 'changed a user', 'Changed a user')
    await choose(page, 'Action', 'created a role', 'Created a role')
    await page.keyboard.press('Escape')
    await page.getByText('2 entries').waitFor()
    await page.getByRole('searchbox', { name: 'Search text' }).fill('')
    await page.getByText('3 entries').waitFor()
    await inspect(page, 'audit-actions')
    expect(search(page)).toEqual({ action: 'user.update,role.create' })
    await page.getByRole('link', { name: 'Open the record: Created the role' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('link', { name: '127.0.0.1' }).click()
    await page.getByText('From 127.0.0.1').waitFor()
    await page.getByRole('main').getByRole('button', { name: 'Clear', exact: true }).click()
    await page.getByText('From 127.0.0.1').waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('leads from record to record, and shows one as JSON with the name of the browser', async () => {
    const { page, complaints } = await visit()
    await signInByForm(page, tenant.admin.email, 'audit')
    const [newest, next] = ok(await tenant.admin.get('/audit/logs?page_size=2')).items
    await page
      .getByRole('link', { name: /^Open the record/ })
      .first()
      .click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`Record ${newest.id}`).waitFor()
    expect(await dialog.getByRole('button', { name: 'Newer record' }).isDisabled()).toBe(true)
    await dialog.getByRole('button', { name: 'Older record' }).click()
    await dialog.getByText(`Record ${next.id}`).waitFor()
    expect(search(page)).toEqual({ id: String(next.id) })
    await dialog.getByRole('button', { name: 'Raw JSON' }).click()
    const raw = dialog.getByRole('region', { name: 'Raw JSON' })
    expect(JSON.parse((await raw.textContent()) ?? '')).toMatchObject({
      id: next.id,
      actor: { kind: 'user' },
    })
    await inspect(page, 'audit-raw')
    await dialog.getByRole('button', { name: 'Newer record' }).click()
    await dialog.getByText('Chrome on Linux', { exact: true }).waitFor()
    expect(complaints).toEqual([])
  })

  test('shows values before and after a change, and copies the trace id', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    await signIn(page, tenant.admin.email, 'audit?action=user.update')
    await page.getByRole('link', { name: 'Open the record: Changed the user' }).first().click()
    const changes = page.getByRole('table', { name: 'Changes' })
    expect(await changes.getByRole('row', { name: /^Display name/ }).innerText()).toContain(nickname)
    expect(await changes.getByRole('row', { name: /^Status/ }).innerText()).toMatch(/Enabled\s+Disabled/)
    await inspect(page, 'audit-record')
    const [latest] = ok(await tenant.admin.get('/audit/logs?action=user.update')).items
    expect(search(page)).toEqual({ action: 'user.update', id: String(latest.id) })
    await page.getByRole('dialog').getByRole('button', { name: 'Copy the trace ID' }).click()
    expect(await page.evaluate<string>('navigator.clipboard.readText()')).toBe(latest.trace_id)
    await page.keyboard.press('Escape')
    await changes.waitFor({ state: 'detached' })
    expect(search(page)).toEqual({ action: 'user.update' })
    expect(complaints).toEqual([])
  })

  test('shows added and removed items of lists, and other values as JSON', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'audit?action=setting.update')
    await page.getByRole('link', { name: 'Changed the setting' }).click()
    await page.getByText('"#112233"').waitFor()
    await inspect(page, 'audit-setting')
    await open(page, 'audit?action=role.replace_permissions')
    await page.getByRole('link', { name: 'Changed the permissions' }).click()
    expect(await page.getByRole('group', { name: 'Added' }).innerText()).toMatch(/user:read\s+user:update/)
  })

  test('opens a record by its address, even if no page of the list shows it', async () => {
    const { page, complaints } = await visit()
    const [log] = ok(await tenant.admin.get('/audit/logs?action=user.update')).items
    await signIn(page, tenant.admin.email, `audit?action=tenant.create&id=${log.id}`)
    await page.getByRole('dialog').getByText(log.trace_id).waitFor()
    await open(page, `audit?id=${Number.MAX_SAFE_INTEGER}`)
    await page.getByRole('dialog').getByText('The audit record isn’t in this organization.').waitFor()
    expect(await page.getByRole('dialog').getByText(log.trace_id).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('shows lists in another order, exact numbers, and texts that look like numbers', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const put = async (key: string, ...values: unknown[]): Promise<void> => {
      for (const value of values) ok(await own.admin.put(`/settings/tenant/${key}`, { value }))
    }
    await put('order', ['a', 'b'], ['b', 'a'])
    await put('ratio', 0.12345678, 1234.5678)
    await put('kind', '1', 1)
    await put('none', 90, null)
    await put('empty', null, [])
    await signIn(page, own.admin.email, 'audit?action=setting.update')
    const changes = page.getByRole('table', { name: 'Changes' })
    const openRecord = async (index: number): Promise<string[]> => {
      await page.getByRole('link', { name: 'Open the record: Changed the setting' }).nth(index).click()
      await changes.getByRole('cell').first().waitFor()
      const cells = await changes.getByRole('cell').allTextContents()
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      return cells.map((text) => text.replaceAll(/\s/g, ''))
    }
    expect(await openRecord(0)).toEqual(['null', '[]'])
    expect(await openRecord(1)).toEqual(['90', 'null'])
    expect(await openRecord(2)).toEqual(['"1"', '1'])
    expect(await openRecord(3)).toEqual(['0.12345678', '1234.5678'])
    expect(await openRecord(4)).toEqual(['["a","b"]', '["b","a"]'])
    await page.getByRole('link', { name: 'Open the record' }).nth(4).click()
    await inspect(page, 'audit-order')
    expect(complaints).toEqual([])
  })

  test('shows a change made a moment ago', async () => {
    const { page } = await visit()
    const own = await newTenant()
    const someone = await own.member()
    await signIn(page, own.admin.email, 'audit')
    const changed = page.getByRole('link', { name: 'Open the record: Renamed the user' })
    await page.getByRole('link', { name: 'Open the record: Created the user' }).first().waitFor()
    expect(await changed.count()).toBe(0)
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    // Records of the user are links as well.
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await page.getByRole('link', { name: someone.username }).click()
    await page.getByLabel('Display name').fill('Ada')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Ada', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Audit log', exact: true }).click()
    await changed.waitFor()
  })

  test('opens a record from the dashboard, from the page of a user, and by its address', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const record = page.getByRole('dialog').getByText('Trace ID')
    await signIn(page, own.admin.email)
    await page
      .getByRole('link', { name: /signed in/ })
      .first()
      .click()
    await record.waitFor()
    const shared = page.url()
    expect(new URL(shared).pathname).toBe('/console/audit')
    await page.goBack()
    await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    await open(page, `users/${own.admin.userId}?tab=activity`)
    await page.getByRole('link', { name: 'Open the record: Signed in' }).first().click()
    await record.waitFor()
    await page.reload()
    await record.waitFor()
    const loading = page.waitForRequest('**/api/v1/audit/logs/*')
    let release = (): void => undefined
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/api/v1/audit/logs/*', async (route) => {
      await released
      await route.continue()
    })
    await page.goto(shared)
    await page.getByRole('dialog', { name: /^Record \d+$/ }).waitFor()
    await loading
    await page.screenshot({
      path: fileURLToPath(new URL('screenshots/audit-record-loading.png', import.meta.url)),
    })
    release()
    await record.waitFor()
    expect(complaints).toEqual([])
  })

  test('links a record to its role or tenant', async () => {
    const { page, complaints } = await visit()
    const role = await tenant.role('user:read')
    await signIn(page, (await platformAdmin()).email, `audit?tenant=${tenant.id}&action=role.create`)
    await page.getByRole('link', { name: 'Open the record: Created the role' }).first().click()
    await page.getByRole('dialog').getByRole('link', { name: role.name }).click()
    await page.getByRole('heading', { name: role.name, level: 1 }).waitFor()
    const { id, slug } = await newTenant()
    await open(page, 'audit?action=tenant.create')
    await page.getByRole('link', { name: 'Open the record' }).first().click()
    await page
      .getByRole('dialog')
      .getByRole('link', { name: `Tenant ${slug}` })
      .click()
    await page.getByRole('heading', { name: `Tenant ${slug}`, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/tenants/${id}`)
    expect(complaints).toEqual([])
  })

  test('is not offered without audit:read', async () => {
    const { page } = await visit()
    await signIn(page, (await tenant.userWith('dashboard:read')).email)
    expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0)
  })
})

describe('records of named things', () => {
  test('say who assigned which role to whom, lead to all about one thing, and ask for nobody who is not here', async () => {
    const { page, complaints } = await visit()
    const [root, own] = [await platformAdmin(), await newTenant()]
    const someone = await own.member()
    ok(await own.admin.put('/profile', { nickname: 'Ines Moreau' }))
    const role = await own.role('user:read')
    const path = `/rbac/users/${someone.userId}/roles`
    ok(await root.post(path, { role_id: role.id }, { tenant: own.id }))
    ok(await own.admin.put(`/users/${someone.userId}`, { nickname: 'Dave' }))
    ok(await own.admin.put(`/users/${someone.userId}`, { status: 0 }))
    const refused: string[] = []
    page.on('response', (answer) => {
      if (answer.status() === 404) refused.push(answer.url())
    })
    // Users have their present names. The name before a change, and the record itself, stay.
    const given = `assigned ${role.name} to Dave`
    const email = ok(await own.admin.get('/profile')).email as string
    await signIn(page, own.admin.email)
    await page.getByRole('link', { name: `${root.username} ${given}` }).waitFor()
    await inspect(page, 'dashboard-sentences')
    await open(page, `users/${someone.userId}`)
    await page
      .getByRole('link', { name: `changed the display name of ${someone.username} to Dave` })
      .waitFor()
    await page.getByRole('link', { name: 'Ines Moreau disabled the user Dave' }).waitFor()
    await page.getByRole('link', { name: given }).waitFor()
    await inspect(page, 'user-history')
    await page.getByRole('link', { name: 'Show all' }).click()
    await page.getByText('4 entries').waitFor()
    expect(search(page)).toEqual({ about_user_id: String(someone.userId) })
    const target = page.getByRole('combobox', { name: 'Affects' })
    await expectSoon(() => target.inputValue()).toBe('Dave')
    const row = page.getByRole('row', { name: 'Disabled the user Dave' })
    await row.getByText('Ines Moreau', { exact: true }).waitFor()
    await row.getByText(own.admin.username, { exact: true }).waitFor()
    await row.getByText(someone.username, { exact: true }).waitFor()
    await inspect(page, 'audit-target')
    await page.getByRole('button', { name: 'Clear filters' }).click()
    for (const typed of ['ines moreau', own.admin.username, email]) {
      await choose(page, 'User', typed, 'Ines Moreau')
      await expectSoon(() => search(page)).toEqual({ user_id: String(own.admin.userId) })
      await page.getByRole('button', { name: 'Clear filters' }).click()
    }
    await page.getByRole('searchbox', { name: 'Search text' }).fill('ines mor')
    await page.getByRole('button', { name: 'Records by Ines Moreau' }).waitFor()
    await inspect(page, 'audit-named')
    await page.getByRole('button', { name: 'Records by Ines Moreau' }).click()
    await expectSoon(() => search(page)).toEqual({ user_id: String(own.admin.userId) })
    await page.getByRole('row', { name: 'Disabled the user Dave' }).waitFor()
    await open(page, `audit?about_user_id=${someone.userId}`)
    await choose(page, 'Resource', 'role', /^Role/)
    await choose(page, 'Resource name', role.name, role.name)
    await page.getByRole('link', { name: `Open the record: A${given.slice(1)}` }).click()
    await page.getByRole('dialog').getByRole('link', { name: role.name }).click()
    await page.getByRole('link', { name: given }).waitFor()
    await inspect(page, 'role-history')
    expect(refused).toEqual([])
    expect(complaints).toEqual([])
  })

  test('name a deleted user and a platform administrator as they were then', async () => {
    const { page, complaints } = await visit()
    const [root, own] = [await platformAdmin(), await newTenant()]
    const gone = await own.userWith('setting:update')
    ok(await gone.put('/settings/tenant/one', { value: 1 }))
    ok(await root.put('/settings/tenant/two', { value: 2 }, { tenant: own.id }))
    ok(await own.admin.delete(`/users/${gone.userId}`))
    await signIn(page, own.admin.email, 'audit?resource=setting')
    await page.getByRole('row', { name: gone.username }).waitFor()
    const entered = page.getByRole('row', { name: root.username })
    expect(await entered.getByText('Platform', { exact: true }).count()).toBe(1)
    await entered.getByRole('link').first().click()
    await page.getByRole('dialog').getByRole('link', { name: root.username }).waitFor()
    expect(complaints).toEqual([])
  })

  test('records of an earlier version show only the action', async () => {
    const { page } = await visit()
    const own = await newTenant()
    const role = await own.role('user:read')
    await page.route('**/api/v1/audit/logs?*', async (route) => {
      const answer = await route.fetch()
      const json = (await answer.json()) as { data: { items: { detail: object }[] } }
      for (const item of json.data.items) item.detail = {}
      await route.fulfill({ response: answer, json })
    })
    await signIn(page, own.admin.email, 'audit?resource=role')
    const row = page.getByRole('row', { name: 'Open the record: Created a role' }).first()
    await row.waitFor()
    expect(await row.getByText(String(role.id), { exact: true }).count()).toBe(1)
  })
})

const linesOf = async (download: Download): Promise<string[]> =>
  (await readFile(await download.path(), 'utf8')).trimEnd().split('\n')

describe('an export', () => {
  const query = 'action=user.update'

  /** It has the tenant and the day. */
  const fileName = (ending: string): string =>
    `audit-${tenant.slug}-${new Date().toISOString().slice(0, 10)}.${ending}`

  test('holds exactly the records that match the filters', async () => {
    const { page, complaints } = await visit()
    await page.addInitScript('delete globalThis.showSaveFilePicker')
    await signIn(page, tenant.admin.email, `audit?${query}`)
    await page.getByRole('button', { name: 'Export' }).click()
    await inspect(page, 'audit-export')
    const downloading = page.waitForEvent('download')
    await page.getByRole('menuitem', { name: 'NDJSON' }).click()
    const download = await downloading
    expect(download.suggestedFilename()).toBe(fileName('ndjson'))
    const ids = (await linesOf(download)).map((line) => (JSON.parse(line) as { id: number }).id)
    const { items } = ok(await tenant.admin.get(`/audit/logs?${query}`))
    expect(ids.toReversed()).toEqual((items as { id: number }[]).map(({ id }) => id))
    await page.getByText(/^Exported .*B\.$/).waitFor()
    expect(complaints).toEqual([])
  })

  test('asks before its page is left, and ends with it', async () => {
    const { page } = await visit()
    await page.addInitScript('delete globalThis.showSaveFilePicker')
    await signIn(page, tenant.admin.email, 'audit')
    await page.route('**/audit/export*', () => {})
    let aborted = 0
    page.on('requestfailed', (request) => (aborted += request.url().includes('/audit/export') ? 1 : 0))
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await page.getByText('Exporting: 0 B so far').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Stop and leave' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await expectSoon(() => aborted).toBe(1)
  })

  test('goes straight to a file if the browser can write one, and can be cancelled', async () => {
    const { page } = await visit()
    // Playwright cannot use the browser's file dialog, so the file lies in the page's own folder.
    await page.addInitScript(`globalThis.showSaveFilePicker = async ({ suggestedName }) =>
      (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })`)
    await signIn(page, tenant.admin.email, `audit?${query}`)
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'CSV' }).click()
    await page.getByText(/^Exported .*B\.$/).waitFor()
    const text = await page.evaluate<string>(
      `navigator.storage.getDirectory()
        .then((folder) => folder.getFileHandle('${fileName('csv')}'))
        .then((handle) => handle.getFile())
        .then((file) => file.text())`,
    )
    expect(text.split('\r\n')[0]).toMatch(/^id,tenant_id,user_id,/)
    expect(text).toContain(nickname)
    let release = (): void => undefined
    await page.route('**/audit/export*', async (route) => {
      await new Promise<void>((resolve) => (release = resolve))
      await route.abort().catch(() => undefined)
    })
    await page.getByRole('button', { name: 'Export' }).click()
    await page.getByRole('menuitem', { name: 'Sealed log' }).click()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByText('The export was canceled.').waitFor()
    release()
  })
})
