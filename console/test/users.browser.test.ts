/** Managing users, from the sign-in to the audit record, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  auditRecords,
  clearCatalogue,
  newTenant,
  nobodysId,
  ok,
  password,
  platformAdmin,
  signIn as signInByApi,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { postLogin } from '../../server/test/accounts.ts'
import { accept } from '../../server/test/people.ts'
import { linkTo } from './mailed.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const dialog = (page: Page) => page.getByRole('dialog')

/** The actions on a user in the audit log, newest first. */
const actionsOn = async ({ userId }: Pick<Caller, 'userId'>): Promise<string[]> =>
  (await auditRecords(tenant.id, 'user', userId)).map(({ action }) => action)

describe('the page of a user', () => {
  test('is reached from the list, and changes e-mail and nickname with an audit record', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await signIn(page, tenant.admin.email, `users?search=${member.username}`)
    await page.getByRole('link', { name: member.username }).click()
    await page.getByRole('heading', { name: member.username, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/users/${member.userId}`)
    await inspect(page, 'user')
    await page.getByLabel('Display name').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill(tenant.admin.email)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This e-mail is already registered.').waitFor()
    const email = `${unique()}@example.com`
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name: 'Ada Lovelace', level: 1 }).waitFor()
    expect(ok(await tenant.admin.get(`/users/${member.userId}`))).toMatchObject({
      email,
      nickname: 'Ada Lovelace',
    })
    expect(await actionsOn(member)).toEqual(['user.update', 'user.create'])
    expect(complaints).toEqual([])
  })

  test('disables and enables after a question that names lost and gained permissions, and deletes after the name is typed', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await assign(tenant.id, member.userId, systemRoleId('viewer'))
    await signIn(page, tenant.admin.email, `users/${member.userId}`)
    await page.getByRole('list', { name: 'Active sessions' }).waitFor()
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    await dialog(page).getByText('Ends 1 session immediately.').waitFor()
    const list = dialog(page).getByText(/^Loses \d+ permissions Show$/)
    await list.waitFor()
    await inspect(page, 'user-disable')
    expect(await dialog(page).getByText('View the dashboard').isVisible()).toBe(false)
    await list.click()
    await dialog(page).getByText('View the dashboard').waitFor()
    await inspect(page, 'user-disable-open')
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    // Whatever a change touches is fresh: also parts of the page that the window does not know.
    await page.getByText('This user isn’t signed in anywhere.').waitFor()
    await page.getByRole('button', { name: 'Enable', exact: true }).click()
    await dialog(page)
      .getByText(/^Gains \d+ permissions/)
      .waitFor()
    await inspect(page, 'user-enable')
    await dialog(page).getByRole('button', { name: 'Enable' }).click()
    await page.getByText(/ enabled\.$/).waitFor()
    await chooseAction(page, 'Delete')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('Fill in this field.').waitFor()
    await dialog(page).getByRole('textbox').fill(member.username)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect((await tenant.admin.get(`/users/${member.userId}`)).status).toBe(404)
    expect(await actionsOn(member)).toEqual(['user.delete', 'user.update', 'user.update', 'user.create'])
    expect(complaints).toEqual([])
  })

  test('cannot be disabled before the effect is read and shown', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await assign(tenant.id, member.userId, systemRoleId('viewer'))
    await signIn(page, tenant.admin.email, `users/${member.userId}`)
    await page.getByRole('list', { name: 'Active sessions' }).waitFor()
    const held: (() => Promise<void>)[] = []
    await page.route(/\/assets\/effect-|\/authz\/preview/, (route) => void held.push(() => route.continue()))
    await page.getByRole('button', { name: 'Disable', exact: true }).click()
    const disable = dialog(page).getByRole('button', { name: 'Disable' })
    for (const asked of [1, 2]) {
      await dialog(page).getByText('Checking what this changes…').waitFor()
      await expectSoon(() => held.length).toBeGreaterThan(0)
      expect(await disable.isDisabled(), `at question ${asked}`).toBe(true)
      await held.shift()?.()
    }
    await dialog(page)
      .getByText(/^Loses \d+ permissions/)
      .waitFor()
    expect(await disable.isEnabled()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('gives and takes roles, and names the roles behind each permission', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    const role = await tenant.role('user:read', 'dashboard:read')
    await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
    await page.getByRole('combobox', { name: 'Assign role' }).click()
    await page.getByRole('option', { name: role.name }).click()
    // The role `member` already permits the dashboard.
    await page.getByText('Gains “View users”', { exact: true }).waitFor()
    await inspect(page, 'user-give-role')
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    const row = page.getByRole('row', { name: 'dashboard:read' })
    await row.getByText(role.name).waitFor()
    await row.getByText('member').waitFor()
    await inspect(page, 'user-access')
    await page.getByRole('button', { name: `Remove ${role.name}` }).click()
    await dialog(page).getByText('Loses “View users”', { exact: true }).waitFor()
    await dialog(page).getByRole('button', { name: 'Remove' }).click()
    await page.getByRole('row', { name: 'user:read' }).waitFor({ state: 'detached' })
    const records = await auditRecords(tenant.id, 'role', role.id)
    expect(records.slice(0, 2).map(({ action }) => action)).toEqual(['role.unassign', 'role.assign'])
    expect(complaints).toEqual([])
  })

  test("lists the user's actions, and the address keeps that tab", async () => {
    const { page, complaints } = await visit()
    ok(await tenant.admin.put(`/users/${tenant.admin.userId}`, { nickname: 'Grace' }))
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}`)
    await page.getByRole('tab', { name: 'Activity' }).click()
    await page.getByText('user.update').first().waitFor()
    await page.reload()
    await page.getByText('user.update').first().waitFor()
    expect(new URL(page.url()).search).toBe('?tab=activity')
    await inspect(page, 'user-activity')
    await page.getByRole('link', { name: 'Open the record' }).filter({ hasText: 'renamed' }).first().click()
    await dialog(page).getByText('Grace').first().waitFor()
    await dialog(page).getByRole('button', { name: 'Close' }).click()
    await page.getByRole('link', { name: 'Open in the audit log' }).click()
    await page.getByRole('heading', { name: 'Audit log', level: 1 }).waitFor()
    expect(new URL(page.url()).search).toBe(`?user_id=${tenant.admin.userId}`)
    expect(complaints).toEqual([])
  })

  test('shows where an invited user came from, and how they signed in', async () => {
    const { page, complaints } = await visit()
    const email = `${unique()}@example.com`
    ok(await tenant.admin.post('/invitations', { email }))
    const [, token = ''] = (await linkTo(email)).split('#token=')
    ok(await accept(token, { password, nickname: 'Grace' }))
    const [{ id }] = ok(await tenant.admin.get(`/users?search=${email}`)).items
    await signIn(page, tenant.admin.email, `users/${id}`)
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByText('Confirmed', { exact: true }).waitFor()
    await details.getByText(/from (127\.0\.0\.1|::1|::ffff:127\.0\.0\.1)/).waitFor()
    await details.locator(`a[href*='/users/${tenant.admin.userId}']`).waitFor()
    await page.getByText('Two-step verification is off.').waitFor()
    await inspect(page, 'user-invited')
    expect(complaints).toEqual([])
  })

  test('sends a reset link, after a question', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await signIn(page, tenant.admin.email, `users/${member.userId}`)
    await page.getByText('Not confirmed').waitFor()
    await page.getByRole('button', { name: 'Send reset link' }).click()
    await dialog(page).getByText(`A link to choose a new password goes to ${member.email}.`).waitFor()
    await inspect(page, 'user-send-reset')
    await dialog(page).getByRole('button', { name: 'Send reset link' }).click()
    await page.getByText(`Reset link sent to ${member.email}.`).waitFor()
    expect(await linkTo(member.email)).toContain('/sign-in/reset-password#token=')
    expect((await actionsOn(member))[0]).toBe('user.password_reset')
    expect(complaints).toEqual([])
  })

  test('requires a new password, after a question', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    await signIn(page, tenant.admin.email, `users/${member.userId}`)
    await page.getByRole('button', { name: 'Require a new password' }).click()
    await dialog(page).getByText('Open sessions continue.').waitFor()
    await inspect(page, 'user-require-password')
    await dialog(page).getByRole('button', { name: 'Require a new password' }).click()
    await page.getByText(`${member.username} must choose a new password`).waitFor()
    expect((await actionsOn(member))[0]).toBe('user.password_expire')
    expect(complaints).toEqual([])
  })

  test('shows factors and address only to those who can act on them', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    const reader = await tenant.userWith('user:read')
    await signIn(page, reader.email, `users/${member.userId}`)
    await page.getByRole('region', { name: 'Details' }).getByText(member.email).waitFor()
    expect(await page.getByText('Two-step verification').count()).toBe(0)
    expect(await page.getByText(/^from /).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Save|Send a reset link/ }).count()).toBe(0)
    await inspect(page, 'user-read')
    expect(complaints).toEqual([])
  })

  test('exports the data of the user for those who hold both permissions', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    const auditor = await tenant.userWith('user:read', 'audit:read')
    await signIn(page, auditor.email, `users/${member.userId}`)
    const [download] = await Promise.all([page.waitForEvent('download'), chooseAction(page, 'Export data')])
    expect(download.suggestedFilename()).toMatch(new RegExp(`^user-${member.userId}-.*\\.json$`))
    const { user } = JSON.parse(readFileSync(await download.path(), 'utf8'))
    expect(user.email).toBe(member.email)
    await inspect(page, 'user-export')
    expect(await actionsOn(member)).toContain('user.export')
    const reader = await visit()
    await signIn(reader.page, (await tenant.userWith('user:read')).email, `users/${member.userId}`)
    await reader.page.getByRole('region', { name: 'Details' }).getByText(member.email).waitFor()
    expect(await reader.page.getByRole('button', { name: 'More' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('does not let callers disable or delete themselves', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}`)
    await page.getByText('You', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    expect(await page.getByRole('button', { name: /Disable|Delete/ }).count()).toBe(0)
  })

  test('explains why a user with more permissions cannot be changed, and which roles cannot be given', async () => {
    const { page, complaints } = await visit()
    const helper = await tenant.userWith(
      'user:read',
      'user:update',
      'user:delete',
      'role:read',
      'role:assign',
    )
    await signIn(page, helper.email, `users/${tenant.admin.userId}?tab=access`)
    await page.getByText('You can’t change this user').waitFor()
    expect(await page.getByRole('button', { name: /Disable|Delete|Remove/ }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Assign role' }).click()
    const option = page.getByRole('option', { name: 'viewer' })
    await option.getByText('Has permissions that you lack').waitFor()
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await inspect(page, 'user-outranks')
    expect(complaints).toEqual([])
  })

  test('is read-only for an administrator without its permissions, who may not see its roles either', async () => {
    const { page, complaints } = await visit()
    const helper = await tenant.userWith('user:read', 'user:update')
    await signIn(page, helper.email, `users/${tenant.admin.userId}`)
    await page.getByText('You can’t change this user').waitFor()
    await page.getByText(/^They have permissions that you lack: \d+ permissions/).click()
    await page.getByText(/“Assign roles”|role:assign/).waitFor()
    await page.getByText(tenant.admin.email).last().waitFor()
    expect(await page.getByRole('textbox', { name: 'E-mail' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: /Save|Disable|Delete|Turn off/ }).count()).toBe(0)
    await inspect(page, 'user-read-only')
    expect(complaints).toEqual([])
  })

  test('says that a user does not exist, and leads back to the list', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, `users/${nobodysId}`)
    await page.getByRole('heading', { name: 'User not found', level: 1 }).waitFor()
    expect(await page.getByRole('alert').count()).toBe(0)
    await inspect(page, 'user-missing')
    await page.getByRole('link', { name: 'Back to the list' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await open(page, 'users/abc')
    await page.getByText('Page not found').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users/abc')
  })

  test('leads to the list when another tenant is chosen', async () => {
    const { page } = await visit()
    const root = await platformAdmin()
    const { name } = ok(await root.get(`/org/tenants/${tenant.id}`))
    await signIn(page, root.email, `users/${root.userId}?tab=activity`)
    await page.getByTitle('Choose an organization').click()
    await page.getByPlaceholder('Name or slug').fill(name)
    await page.getByRole('option', { name }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/console/users?tenant=${tenant.id}`)
  })
})

describe('a leaver', () => {
  /** A user with three sessions, who can be found by name. */
  const leaver = async () => {
    const member = await tenant.member()
    const nickname = unique('Noor ')
    ok(await tenant.admin.put(`/users/${member.userId}`, { nickname }))
    for (let more = 0; more < 2; more += 1) await postLogin(member.email, password)
    return { member, nickname }
  }

  test('is out after three clicks: the list, the button of the row, the answer', async () => {
    const { page, complaints } = await visit()
    const { nickname } = await leaver()
    await signIn(page, tenant.admin.email, '')
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: `Disable ${nickname}` }).click()
    await dialog(page).getByText('Ends 3 sessions immediately.').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText(`${nickname} disabled. Signed out of 3 sessions.`).waitFor()
    const row = page.getByRole('row').filter({ hasText: nickname })
    await row.getByText('Disabled').waitFor()
    await row.getByRole('button', { name: `Enable ${nickname}` }).waitFor()
    expect(
      await page.getByRole('row').filter({ hasText: tenant.admin.email }).getByRole('button').count(),
    ).toBe(0)
    await inspect(page, 'users-leaver')
    expect(complaints).toEqual([])
  })

  test('is out after three clicks from any page: the search, the action beside the name, the answer', async () => {
    const { page, complaints } = await visit()
    const { member, nickname } = await leaver()
    await signIn(page, tenant.admin.email, 'settings')
    await page.getByRole('button', { name: 'Search' }).click()
    await page.getByRole('combobox', { name: 'Search' }).fill(nickname)
    await page.getByRole('option', { name: `Disable ${nickname}` }).waitFor()
    await inspect(page, 'palette-user')
    expect((await page.getByRole('option', { name: nickname }).allInnerTexts())[0]).not.toContain('Disable')
    await page.getByRole('combobox', { name: 'Search' }).fill(`disable ${nickname}`)
    await page.getByRole('option', { name: `Disable ${nickname}` }).click()
    await dialog(page).getByText('Ends 3 sessions immediately.').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText(`${nickname} disabled. Signed out of 3 sessions.`).waitFor()
    expect(ok(await tenant.admin.get(`/users/${member.userId}`)).status).toBe(0)
    expect(complaints).toEqual([])
  })

  test('cannot be disabled from the list or the search without user:update', async () => {
    const { page } = await visit()
    const { nickname } = await leaver()
    const reader = await tenant.userWith('user:read')
    await signIn(page, reader.email, 'users')
    await page.getByRole('link', { name: nickname }).waitFor()
    expect(await page.getByRole('button', { name: /^Disable/ }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search' }).fill(nickname)
    await page.getByRole('option', { name: nickname }).waitFor()
    expect(await page.getByRole('option', { name: `Disable ${nickname}` }).count()).toBe(0)
  })
})

describe('the question why a user may do something', () => {
  const ask = async (page: Page, permission: string): Promise<void> => {
    const field = page.getByRole('combobox', { name: 'Permission' })
    // The list of permissions comes with the first focus.
    await field.focus()
    await field.fill(permission)
    await page.getByRole('option', { name: permission }).click()
  }

  test('is asked with only the keyboard, and answered by links to the roles that carry the permission', async () => {
    const { page, complaints } = await visit()
    const member = await tenant.member()
    const [one, other] = [await tenant.role('user:read'), await tenant.role('user:read', 'audit:read')]
    for (const { id } of [one, other]) await assign(tenant.id, member.userId, id)
    await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
    await page.getByRole('combobox', { name: 'Permission' }).focus()
    await page.keyboard.type('user:read')
    await page.getByRole('option', { name: 'user:read' }).waitFor()
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    const answer = page.getByRole('status').filter({ hasText: 'Yes, allowed' })
    await answer.getByRole('link', { name: one.name }).waitFor()
    await inspect(page, 'user-why')
    expect(new URL(page.url()).searchParams.get('why')).toBe('user:read')
    await page.reload()
    await answer.getByRole('link', { name: other.name }).click()
    await page.getByRole('heading', { name: other.name, level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('names the roles that carry a missing permission, and says when none does', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const member = await own.member()
    await signIn(page, own.admin.email, `users/${member.userId}?tab=access`)
    await ask(page, 'user:delete')
    await page.getByText(`No role of ${member.username} includes “Delete users”.`).waitFor()
    await page.getByText('Assign one of these roles, which include it').waitFor()
    await page.getByRole('link', { name: 'Admin', exact: true }).waitFor()
    await inspect(page, 'user-why-not')
    await page.route('**/rbac/roles', (route) =>
      route.fulfill({ json: { code: 0, message: '', data: [], trace_id: 'x' } }),
    )
    await page.reload()
    await page.getByText('No role in this organization includes it yet.').waitFor()
    expect(complaints).toEqual([])
  })

  test('is answered by the disabled account or tenant', async () => {
    const { page, complaints } = await visit()
    const [root, own] = [await platformAdmin(), await newTenant()]
    const member = await own.member()
    ok(await own.admin.put(`/users/${member.userId}`, { status: 0 }))
    await signIn(page, own.admin.email, `users/${member.userId}?tab=access&why=dashboard:read`)
    await page.getByText('Enable the user at the top of this page').waitFor()
    await page.getByRole('status').getByRole('link', { name: 'Member', exact: true }).waitFor()
    await inspect(page, 'user-why-disabled')
    ok(await root.put(`/org/tenants/${own.id}`, { status: 0 }))
    await signIn(page, root.email, `users/${own.admin.userId}?tab=access&why=user:read&tenant=${own.id}`)
    await page.getByText('The organization is disabled').waitFor()
    await inspect(page, 'user-why-tenant-disabled')
    expect(complaints).toEqual([])
  })

  test('covers permissions of the product', async () => {
    const root = await platformAdmin()
    const code = `${unique('invoice')}:send`
    ok(await root.post('/rbac/permissions', { code, name: 'Send invoices' }))
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}?tab=access`)
    await ask(page, code)
    await page.getByText('has “Send invoices” through the roles below').waitFor()
    await clearCatalogue()
    expect(complaints).toEqual([])
  })

  test('is open to callers with role:read alone beside user:read, who are offered no role to give', async () => {
    const { page, complaints } = await visit()
    const reader = await tenant.userWith('user:read', 'role:read')
    await signIn(page, reader.email, `users/${tenant.admin.userId}?tab=access&why=user:read`)
    await page.getByText('Yes, allowed').waitFor()
    expect(await page.getByRole('combobox', { name: 'Assign role' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

test('the pages of users are in Chinese, and have room for long names', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const own = await newTenant()
  const long = 'Wilhelmina-Alexandrowna '.repeat(2) + 'von Ostpreußen'
  const { userId } = await own.member()
  const email = `${'a-very-long-name.'.repeat(3)}${unique()}@${'a-long-department.'.repeat(3)}example.com`
  ok(await own.admin.put(`/users/${userId}`, { nickname: long, email }))
  await open(page, 'users')
  await page.getByLabel('邮箱').fill(own.admin.email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: '密码' }).fill(password)
  await page.getByRole('button', { name: '登录' }).click()
  await page.getByText(long).waitFor()
  await inspect(page, 'users-zh')
  await page.getByRole('link', { name: long }).click()
  await page.getByRole('heading', { name: long, level: 1 }).waitFor()
  await inspect(page, 'user-zh')
  await page.getByRole('tab', { name: '角色与权限' }).click()
  await page.getByText('dashboard:read', { exact: true }).waitFor()
  await page.getByText('查看仪表盘').first().waitFor()
  await inspect(page, 'user-access-zh')
  await page.getByRole('combobox', { name: '分配角色' }).click()
  await page.getByRole('option', { name: '查看者' }).click()
  await page.getByText('1 个用户受影响').waitFor()
  await page.getByRole('combobox', { name: '权限' }).focus()
  await page.getByRole('combobox', { name: '权限' }).fill('user:delete')
  await page.getByRole('option', { name: 'user:delete' }).click()
  await page.getByText('请分配以下包含此权限的角色之一').waitFor()
  await inspect(page, 'user-why-zh')
  await page.getByRole('button', { name: '停用' }).click()
  await page.getByRole('dialog').getByText('失去“查看仪表盘”').waitFor()
  await inspect(page, 'user-disable-zh')
  expect(complaints).toEqual([])
})

describe('creating a user', () => {
  test('shows faults beside the fields, gives the chosen roles, and links to the new user', async () => {
    const { page, complaints } = await visit()
    const role = await tenant.role('user:read')
    const username = unique('eve')
    await signIn(page, tenant.admin.email, 'users')
    await chooseAction(page, 'Create user')
    await dialog(page).getByLabel('E-mail').fill(tenant.admin.email)
    await dialog(page).getByLabel('Username').fill(tenant.admin.username)
    await dialog(page).getByRole('button', { name: 'Generate' }).click()
    await dialog(page).getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('listbox', { name: 'Roles' }).getByRole('option', { name: role.name }).click()
    await page.keyboard.press('Tab')
    await dialog(page).getByRole('button', { name: 'Create user' }).click()
    await page.getByText('This e-mail is already registered.').waitFor()
    await page.getByText('This username is taken.').waitFor()
    await inspect(page, 'user-create')
    await dialog(page).getByLabel('E-mail').fill(`${username}@example.com`)
    await dialog(page).getByLabel('Username').fill(username)
    await dialog(page).getByRole('button', { name: 'Show password', pressed: false }).press('Enter')
    await dialog(page).getByRole('button', { name: 'Show password', pressed: true }).waitFor()
    const generated = await dialog(page).getByRole('textbox', { name: 'Password' }).inputValue()
    await dialog(page).getByRole('button', { name: 'Create user' }).click()
    await dialog(page).getByText(`${username} created.`).waitFor()
    await dialog(page).getByText(generated).waitFor()
    await inspect(page, 'user-created')
    await dialog(page)
      .getByRole('link', { name: `${username}@example.com` })
      .click()
    await page.getByRole('heading', { name: username, level: 1 }).waitFor()
    const userId = Number(new URL(page.url()).pathname.split('/').at(-1))
    const roles = ok(await tenant.admin.get(`/rbac/users/${userId}/roles`)) as { name: string }[]
    expect(roles.map(({ name }) => name)).toEqual(['member', role.name])
    expect(await actionsOn({ userId })).toEqual(['user.create'])
    const who = { userId, tenantId: tenant.id, email: `${username}@example.com`, username }
    expect((await signInByApi(who, generated)).token).not.toBe('')
    expect(complaints).toEqual([])
  })

  test('is offered only with user:create', async () => {
    const { page } = await visit()
    await signIn(page, (await tenant.userWith('user:read')).email, 'users')
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('button', { name: 'Invite users' }).count()).toBe(0)
  })
})

test('a click or Enter on the header of ids shows the newest users first, which the address keeps', async () => {
  const { page, complaints } = await visit()
  const prefix = unique('s')
  for (const name of ['b', 'c', 'a']) {
    const username = `${prefix}${name}`
    ok(await tenant.admin.post('/users', { email: `${username}@example.com`, username, password }))
  }
  const names = async () => (await page.getByRole('link', { name: prefix }).allTextContents()).join(' ')
  await signIn(page, tenant.admin.email, `users?search=${prefix}`)
  await expectSoon(names).toBe(`${prefix}b ${prefix}c ${prefix}a`)
  const header = page.getByRole('columnheader', { name: 'ID' })
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  await header.getByRole('button').click()
  await expectSoon(names).toBe(`${prefix}a ${prefix}c ${prefix}b`)
  expect(await header.getAttribute('aria-sort')).toBe('descending')
  expect(new URL(page.url()).searchParams.get('sort')).toBe('-id')
  await inspect(page, 'users-sorted')
  await page.reload()
  await expectSoon(names).toBe(`${prefix}a ${prefix}c ${prefix}b`)
  await header.getByRole('button').focus()
  await page.keyboard.press('Enter')
  await expectSoon(names).toBe(`${prefix}b ${prefix}c ${prefix}a`)
  expect(complaints).toEqual([])
})

describe('selected users', () => {
  test('are disabled after a question, and Undo enables exactly those again', async () => {
    const { page, complaints } = await visit()
    const nickname = unique('team')
    const members = await Promise.all([tenant.member(), tenant.member()])
    const before = await tenant.member()
    for (const { userId } of [...members, before]) {
      ok(await tenant.admin.put(`/users/${userId}`, { nickname: `${nickname} ${userId}` }))
    }
    ok(await tenant.admin.put(`/users/${before.userId}`, { status: 0 }))
    const statuses = async () => {
      const { items } = ok(await tenant.admin.get(`/users?search=${nickname}`))
      return (items as { status: number }[]).map(({ status }) => status)
    }
    await signIn(page, tenant.admin.email, `users?search=${nickname}`)
    await page.getByText('3 entries').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await chooseAction(page, 'Disable', 'Actions')
    await dialog(page).getByText('Disable 2 users?').waitFor()
    await dialog(page).getByText('Already disabled, so left out: 1.').waitFor()
    await dialog(page).getByText('2 users are affected').waitFor()
    await inspect(page, 'users-disable')
    await dialog(page).getByText('Their sessions end immediately').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('2 users disabled.').waitFor()
    await inspect(page, 'users-undo')
    expect(await statuses()).toEqual([0, 0, 0])
    // The notices have moved with the width of the window.
    await expectSoon(() => page.getByRole('button', { name: 'Undo' }).count()).toBe(1)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 users enabled.').waitFor()
    expect(await statuses()).toEqual([1, 1, 0])
    expect(await actionsOn(before)).toEqual(['user.update', 'user.update', 'user.create'])
    expect(complaints).toEqual([])
  })

  test('are named if one of them cannot be disabled, and the others are disabled nevertheless', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const member = await own.member()
    const helper = await own.userWith('user:read', 'user:update', 'role:read', 'dashboard:read')
    await signIn(page, helper.email, 'users')
    await page.getByText('3 entries').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await chooseAction(page, 'Disable', 'Actions')
    await dialog(page).getByText(`The change for ${own.admin.username} would be refused`).waitFor()
    await inspect(page, 'users-disable-refused')
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('1 of 2 failed').waitFor()
    const statusOf = async ({ userId }: Caller) => ok(await own.admin.get(`/users/${userId}`)).status
    expect([await statusOf(own.admin), await statusOf(member)]).toEqual([1, 0])
    expect(complaints).toEqual([])
  })

  test('one is deleted after the username is typed, but never the caller', async () => {
    const { page } = await visit()
    const own = await newTenant()
    const member = await own.member()
    await signIn(page, own.admin.email, 'users')
    await page.getByText('2 entries').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await chooseAction(page, 'Delete', 'Actions')
    await dialog(page).getByText(`Delete ${member.username}?`).waitFor()
    await dialog(page).getByText('Your own account stays as it is.').waitFor()
    await inspect(page, 'users-delete')
    await dialog(page).getByRole('textbox').fill(member.username)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText(/ deleted\.$/).waitFor()
    await page.getByText('1 entry').waitFor()
    expect((await own.admin.get(`/users/${member.userId}`)).status).toBe(404)
  })

  test('users selected on all pages get a role with an end after a preview, and Undo takes it from exactly those', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const made = Array.from({ length: 21 }, (_, index) => `u${String(index).padStart(2, '0')}`)
    const ids: number[] = []
    for (const username of made) {
      const email = `${username}.${own.slug}@example.com`
      ids.push(ok(await own.admin.post('/users', { email, username, password })).id)
    }
    const role = await own.role('user:read')
    await assign(own.id, ids[0] ?? 0, role.id)
    const holders = async () => ok(await own.admin.get(`/rbac/roles/${role.id}/users`)).total as number
    await signIn(page, own.admin.email, 'users?search=@example.com&sort=-username')
    await page.getByText('22 entries').waitFor()
    await page.getByRole('checkbox', { name: 'Select u20' }).check()
    await page.getByRole('button', { name: 'Select all 22' }).click()
    await page.getByText('22 selected').waitFor()
    await page.getByText('2 of them on other pages').waitFor()
    await inspect(page, 'users-selection')
    const lines = (await downloaded(page, chooseAction(page, 'Export', 'Actions'))).split('\r\n')
    expect(lines).toHaveLength(24)
    await page.getByRole('checkbox', { name: `Select ${own.admin.username}` }).uncheck()
    await chooseAction(page, 'Assign role', 'Actions')
    await page
      .getByRole('listbox', { name: 'Choose a role' })
      .getByRole('option', { name: role.name })
      .click()
    await dialog(page).getByText('1 of 21 already has this role.').waitFor()
    await dialog(page).getByText('20 users are affected:').waitFor()
    await dialog(page).getByRole('combobox', { name: 'Ends' }).click()
    await page.getByRole('option', { name: 'After 7 days' }).click()
    await inspect(page, 'users-give-role')
    await dialog(page).getByRole('button', { name: 'Assign to 20 users' }).click()
    await page.getByText(`${role.name} assigned to 20 users.`).waitFor()
    expect(await holders()).toBe(21)
    const { items } = ok(await own.admin.get(`/rbac/assignments?role_id=${role.id}&page_size=100`))
    expect(items.filter(({ expires_at: end }: { expires_at: string }) => end !== '')).toHaveLength(20)
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText(`${role.name} removed from 20 users.`).waitFor()
    expect(await holders()).toBe(1)
    expect(complaints).toEqual([])
  })
})

describe('ten users who are picked by hand', () => {
  const ten = async () => {
    const own = await newTenant()
    for (let made = 0; made < 12; made += 1) await own.member()
    const role = await own.role('user:read')
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, 'users')
    await page.getByText('13 entries').waitFor()
    const holders = async () => ok(await own.admin.get(`/rbac/roles/${role.id}/users`)).total
    const option = page
      .getByRole('listbox', { name: 'Choose a role' })
      .getByRole('option', { name: role.name })
    let clicks = 0
    const click = async (locator: Locator): Promise<void> => {
      clicks += 1
      await locator.click()
    }
    const rows = page.getByRole('checkbox', { name: /^Select u/ })
    const pick = async () => {
      for (const at of [1, 2, 4, 5, 6, 8, 9, 10, 11, 12]) await click(rows.nth(at))
      await page.getByText('10 selected').waitFor()
      await click(page.getByRole('button', { name: 'Actions', exact: true }))
      await click(page.getByRole('menuitem', { name: 'Assign role' }))
    }
    const confirm = async () => {
      await click(dialog(page).getByRole('button', { name: 'Assign to 10 users' }))
      await page.getByText(`${role.name} assigned to 10 users.`).waitFor()
    }
    return { page, complaints, role, rows, option, holders, click, pick, confirm, clicks: () => clicks }
  }

  test('get a role in 14 clicks: ten ticks, the menu and its item, the role, the answer', async () => {
    const { page, complaints, option, holders, click, pick, confirm, clicks } = await ten()
    await pick()
    await option.waitFor()
    await inspect(page, 'users-choose-role')
    await click(option)
    await confirm()
    expect(clicks()).toBe(14)
    expect(await holders()).toBe(10)
    expect(complaints).toEqual([])
  })

  test('get a role in 13 clicks if its name is typed', async () => {
    const { page, role, option, holders, pick, confirm, clicks } = await ten()
    await pick()
    await option.waitFor()
    await page.keyboard.type(role.name)
    await page.keyboard.press('Enter')
    await confirm()
    expect(clicks()).toBe(13)
    expect(await holders()).toBe(10)
  })

  test('are picked by two clicks where they follow each other: the second one with Shift', async () => {
    const { page, rows } = await ten()
    await rows.nth(2).click()
    await rows.nth(11).click({ modifiers: ['Shift'] })
    await page.getByText('10 selected').waitFor()
    expect(await rows.nth(1).isChecked()).toBe(false)
    expect(await page.evaluate('getSelection().toString()')).toBe('')
    await rows.nth(9).click({ modifiers: ['Shift'] })
    await page.getByText('7 selected').waitFor()
  })
})

test('users are sorted by each column and filtered by role, which the address keeps', async () => {
  const { page, complaints } = await visit()
  const own = await newTenant()
  const role = await own.role('user:read')
  for (const username of ['bea', 'cyd', 'abe']) {
    const email = `${username}.${own.slug}@example.com`
    const { id } = ok(await own.admin.post('/users', { email, username, password }))
    if (username !== 'cyd') await assign(own.id, id, role.id)
  }
  const names = async () =>
    (await page.getByRole('link', { name: /^(abe|bea|cyd)$/ }).allTextContents()).join(' ')
  await signIn(page, own.admin.email, 'users')
  await expectSoon(names).toBe('bea cyd abe')
  await page.getByRole('columnheader', { name: 'Name' }).getByRole('button').click()
  await expectSoon(names).toBe('abe bea cyd')
  await page.getByRole('columnheader', { name: 'E-mail' }).getByRole('button').click()
  await page.getByRole('columnheader', { name: 'E-mail' }).getByRole('button').click()
  await expectSoon(names).toBe('cyd bea abe')
  await page.getByRole('row', { name: 'bea' }).getByText(role.name).waitFor()
  await page.getByRole('combobox', { name: 'Role' }).selectOption(role.name)
  await expectSoon(names).toBe('bea abe')
  const { searchParams } = new URL(page.url())
  expect([...searchParams]).toEqual(
    expect.arrayContaining([
      ['sort', '-email'],
      ['role_id', String(role.id)],
    ]),
  )
  await inspect(page, 'users-by-role')
  await page.route('**/api/v1/users?*', async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ response: answer, headers: { ...answer.headers(), 'x-sort-ignored': 'true' } })
  })
  await page.reload()
  await page.getByText('so they are sorted by ID').waitFor()
  const header = page.getByRole('columnheader', { name: 'ID' })
  expect(await header.getAttribute('aria-sort')).toBe('ascending')
  expect(complaints).toEqual([])
})

/** The text of the file that a click on the button downloads. */
/** The file that this saves, or a click on the button with this name. */
const downloaded = async (page: Page, begin: string | Promise<void>): Promise<string> => {
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    typeof begin === 'string' ? page.getByRole('button', { name: begin }).click() : begin,
  ])
  return readFileSync(await download.path(), 'utf8')
}

describe('exporting users', () => {
  test('saves all matching users as CSV, and no name becomes a formula', async () => {
    const { page, complaints } = await visit()
    const prefix = unique('x')
    for (const [name, nickname] of [
      ['one', '=HYPERLINK("http://example.com")'],
      ['two', '李雷, "Lei"'],
    ]) {
      const username = `${prefix}${name}`
      ok(
        await tenant.admin.post('/users', { email: `${username}@example.com`, username, password, nickname }),
      )
    }
    await signIn(page, tenant.admin.email, `users?search=${prefix}`)
    await page.getByText('2 entries').waitFor()
    const lines = (await downloaded(page, chooseAction(page, 'Export'))).split('\r\n')
    // Attributes of other tests have columns too.
    expect(lines[0]).toMatch(/^\uFEFFid,username,email,nickname,status,last_login\b/)
    expect(lines[1]).toContain(`"'=HYPERLINK(""http://example.com"")",enabled,`)
    expect(lines[2]).toContain('"李雷, ""Lei""",enabled,')
    expect(lines[3]).toBe('')
    expect(lines).toHaveLength(4)
    await page.getByText('2 users exported.').waitFor()
    expect(complaints).toEqual([])
  })

  test('can be cancelled while it reads', async () => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'users')
    await page.getByText(tenant.admin.email).waitFor()
    await page.route('**/api/v1/users?*page_size=200*', () => {})
    await chooseAction(page, 'Export')
    await dialog(page).getByText('Exporting users').waitFor()
    await inspect(page, 'users-export')
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    await dialog(page).waitFor({ state: 'detached' })
    expect(await page.getByText('exported').count()).toBe(0)
  })
})

test('an export of users asks before its page is left, and ends with it', async () => {
  const { page } = await visit()
  await signIn(page, tenant.admin.email)
  await page.getByRole('link', { name: 'Users', exact: true }).click()
  await page.getByText(tenant.admin.email).waitFor()
  await page.route('**/api/v1/users?*page_size=200*', () => {})
  let aborted = 0
  page.on('requestfailed', (request) => (aborted += request.url().includes('page_size=200') ? 1 : 0))
  await chooseAction(page, 'Export')
  await dialog(page).getByText('Exporting users').waitFor()
  await page.evaluate('history.back()')
  await page.getByRole('button', { name: 'Stop and leave' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await expectSoon(() => aborted).toBe(1)
})

describe('importing users', () => {
  const choose = (page: Page, text: string | Buffer) =>
    page
      .locator('input[type=file]')
      .setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer: Buffer.from(text) })

  test('shows faults before anything is sent, then the outcome of each row', async () => {
    const { page, complaints } = await visit()
    const prefix = unique('i')
    const email = (name: string) => `${prefix}${name}@example.com`
    const rows = [
      'E-Mail;User name;Display name;Passwort;Status',
      `${email('a')};${prefix}a;'=Ada;;enabled`,
      `${email('b')};${prefix}b;李雷;a password of theirs;停用`,
      `no e-mail;x;;short;perhaps`,
      `${email('a').toUpperCase()};${prefix}c;;;`,
      `${tenant.admin.email};${prefix}d;;;`,
    ]
    await signIn(page, tenant.admin.email, 'users')
    await chooseAction(page, 'Import')
    await choose(page, rows.join('\n'))
    await page.getByText('2 of 5 rows ready').waitFor()
    await page.getByText('Duplicate of line 2.').waitFor()
    await page.getByText('Use 3 to 64').waitFor()
    await page.getByRole('combobox', { name: 'Password' }).click()
    await page.getByRole('option', { name: 'Passwort' }).click()
    await page.getByText('1 password will be generated').waitFor()
    await page.getByText('Use 8 to 128 characters.').waitFor()
    await inspect(page, 'user-import-preview')
    expect(ok(await tenant.admin.get(`/users?search=${prefix}`)).total).toBe(0)
    await page.getByRole('button', { name: 'Create 2 users' }).click()
    await page.getByText('2 users created, 3 rows skipped.').waitFor()
    await page.getByText('This e-mail already belongs to a user here.').waitFor()
    await inspect(page, 'user-import-done')

    const failed = (await downloaded(page, 'Download the rows that failed')).split('\r\n')
    expect(failed[0]).toBe('\uFEFFreason,E-Mail,User name,Display name,Passwort,Status')
    expect(failed).toHaveLength(5)
    expect(failed[3]).toContain('This e-mail already belongs to a user here.')

    await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await dialog(page).getByText('Leave this page?').waitFor()
    await dialog(page).getByRole('button', { name: 'Cancel' }).click()
    const result = await downloaded(page, 'Download the result')
    const [, id, generated] = /,created,(\d+),(\w{20}),/.exec(result) ?? []
    const username = `${prefix}a`
    const made = { userId: Number(id), tenantId: tenant.id, email: email('a'), username }
    expect((await signInByApi(made, generated)).userId).toBe(made.userId)
    expect(result).not.toContain('a password of theirs')
    expect(await actionsOn(made)).toEqual(['user.create'])
    const { items } = ok(await tenant.admin.get(`/users?search=${prefix}`))
    // The import creates several at once, in any order.
    const byName = (items as { username: string }[]).toSorted((one, other) =>
      one.username.localeCompare(other.username),
    )
    expect(byName).toMatchObject([
      { username: `${prefix}a`, nickname: '=Ada', status: 1 },
      { username: `${prefix}b`, nickname: '李雷', status: 0 },
    ])
    await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('gives the roles of each row, and creates no user for a row with an unknown role', async () => {
    const { page, complaints } = await visit()
    const prefix = unique('r')
    const role = await tenant.role('user:read')
    await signIn(page, tenant.admin.email, 'users/import')
    const row = (name: string, roles: string) => `${prefix}${name}@example.com,${prefix}${name},${roles}`
    await choose(page, ['email,username,roles', row('a', `${role.name};member`), row('b', 'Boss')].join('\n'))
    await page.getByText('1 of 2 rows ready').waitFor()
    await page.getByText('Unknown role:').waitFor()
    await inspect(page, 'user-import-roles')
    await page.getByRole('button', { name: 'Create 1 user' }).click()
    await page.getByText('1 user created, 1 row skipped.').waitFor()
    const { items, total } = ok(await tenant.admin.get(`/users?search=${prefix}&include=roles`))
    expect(total).toBe(1)
    expect((items as { roles: { id: number }[] }[])[0]?.roles.map(({ id }) => id)).toContain(role.id)
    expect(complaints).toEqual([])
  })

  test('starts with a template that can be imported as it is', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'users/import')
    await page.getByText('Drop a CSV file here').waitFor()
    await inspect(page, 'user-import')
    await choose(page, await downloaded(page, 'Download a template'))
    await page.getByText('1 of 1 row ready').waitFor()
    expect(complaints).toEqual([])
  })

  test('retries a row that the service refused for the moment', async () => {
    const { page } = await visit()
    const prefix = unique('w')
    await page.route(
      '**/api/v1/users',
      (route) =>
        route.fulfill({
          status: 429,
          headers: { 'retry-after': '1', 'content-type': 'application/json' },
          body: JSON.stringify({ code: 42901, message: 'Too many requests', data: null, trace_id: 'x' }),
        }),
      { times: 1 },
    )
    await signIn(page, tenant.admin.email, 'users/import')
    await choose(page, `email,username\n${prefix}@example.com,${prefix}`)
    await page.getByRole('button', { name: 'Create 1 user' }).click()
    await page.getByText('1 user created, 0 rows skipped.').waitFor()
    expect(ok(await tenant.admin.get(`/users?search=${prefix}`)).total).toBe(1)
  })

  test('stops on request, after the rows under way', async () => {
    const { page } = await visit()
    const prefix = unique('w')
    const isStopped = Promise.withResolvers<undefined>()
    await page.route('**/api/v1/users', async (route) => {
      await isStopped.promise
      await route.continue()
    })
    await signIn(page, tenant.admin.email, 'users/import')
    const line = (number: number) => `${prefix}${number}@example.com,${prefix}${number}`
    await choose(
      page,
      ['email,username', ...Array.from({ length: 40 }, (_, number) => line(number))].join('\n'),
    )
    await page.getByRole('button', { name: 'Create 40 users' }).click()
    await page.getByText('0 of 40 done').waitFor()
    await page.getByRole('button', { name: 'Stop' }).click()
    isStopped.resolve(undefined)
    await page.getByText('3 users created, 37 rows skipped.').waitFor()
    await page.getByText('Not tried: the import was stopped.').first().waitFor()
    expect(ok(await tenant.admin.get(`/users?search=${prefix}`)).total).toBe(3)
  })

  test.each([
    ['has too many rows', `email,username\n${'a@example.com,abc\n'.repeat(1001)}`, 'more than 1,000 rows'],
    ['isn’t UTF-8', Buffer.from([0x65, 0x0a, 0xc0, 0xff]), 'It isn’t UTF-8.'],
    ['is empty', '', 'It has no rows below the header'],
  ])('refuses a file that %s', async (_, content, reason) => {
    const { page } = await visit()
    await signIn(page, tenant.admin.email, 'users/import')
    await choose(page, content)
    await page.getByText('This file can’t be imported').waitFor()
    expect(await page.getByText(reason).count()).toBe(1)
  })
})
