/** Administering users, from the sign-in to the audit record, in a real browser: `npm run test:browser`. */
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { launchBrowser } from '../../client/test/launch-browser.ts'
import {
  auditRecords,
  newTenant,
  nobodysId,
  ok,
  platformAdmin,
  signIn as signInByApi,
  unique,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

let browser: Browser
let tenant: Tenant

beforeAll(async () => {
  browser = await launchBrowser()
  tenant = await newTenant()
})

afterAll(() => browser.close())

const dialog = (page: Page) => page.getByRole('dialog')

/** What the audit log says of a user, newest first. */
const actionsOn = async ({ userId }: Pick<Caller, 'userId'>): Promise<string[]> =>
  (await auditRecords(tenant.id, 'user', userId)).map(({ action }) => action)

describe('the page of a user', () => {
  test('is reached from the list, and changes e-mail and nickname, which is recorded', async () => {
    const { page, complaints } = await visit(browser)
    const member = await tenant.member()
    await signIn(page, tenant.admin.email, `users?search=${member.username}`)
    await page.getByRole('link', { name: member.username }).click()
    await page.getByRole('heading', { name: member.username, level: 1 }).waitFor()
    expect(new URL(page.url()).pathname).toBe(`/console/users/${member.userId}`)
    await inspect(page, 'user')
    await page.getByLabel('Nickname').fill('Ada Lovelace')
    await page.getByLabel('E-mail').fill(tenant.admin.email)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('This e-mail is registered already.').waitFor()
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
    await page.context().close()
  })

  test('disables after a question, enables without one, and deletes once the name is typed', async () => {
    const { page, complaints } = await visit(browser)
    const member = await tenant.member()
    await signIn(page, tenant.admin.email, `users/${member.userId}`)
    await page.getByRole('button', { name: 'Disable' }).click()
    await dialog(page).getByText('Their sessions end at once').waitFor()
    await inspect(page, 'user-disable')
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByRole('button', { name: 'Enable' }).click()
    await page.getByText('1 user enabled.').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    expect(await dialog(page).getByRole('button', { name: 'Delete' }).isDisabled()).toBe(true)
    await dialog(page).getByRole('textbox').fill(member.username)
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect((await tenant.admin.get(`/users/${member.userId}`)).status).toBe(404)
    expect(await actionsOn(member)).toEqual(['user.delete', 'user.update', 'user.update', 'user.create'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('gives and takes roles, and says of each permission which roles it comes from', async () => {
    const { page, complaints } = await visit(browser)
    const member = await tenant.member()
    const role = await tenant.role('user:read', 'dashboard:read')
    await signIn(page, tenant.admin.email, `users/${member.userId}?tab=access`)
    await page.getByRole('combobox', { name: 'Give a role' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await page.getByRole('button', { name: 'Give', exact: true }).click()
    const row = page.getByRole('row', { name: 'dashboard:read' })
    await row.getByText(role.name).waitFor()
    await row.getByText('member').waitFor()
    await inspect(page, 'user-access')
    await page.getByRole('button', { name: `Take away ${role.name}` }).click()
    await dialog(page).getByText('This takes away, at once: user:read.').waitFor()
    await dialog(page).getByRole('button', { name: 'Take away' }).click()
    await page.getByRole('row', { name: 'user:read' }).waitFor({ state: 'detached' })
    const records = await auditRecords(tenant.id, 'role', role.id)
    expect(records.slice(0, 2).map(({ action }) => action)).toEqual(['role.unassign', 'role.assign'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('lists what the user did, and the address keeps that view', async () => {
    const { page, complaints } = await visit(browser)
    ok(await tenant.admin.put(`/users/${tenant.admin.userId}`, { nickname: 'Grace' }))
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}`)
    await page.getByRole('tab', { name: 'Audit trail' }).click()
    await page.getByText('user.update').first().waitFor()
    await page.reload()
    await page.getByText('user.update').first().waitFor()
    expect(new URL(page.url()).search).toBe('?tab=activity')
    await inspect(page, 'user-activity')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('offers nobody to disable or delete themselves', async () => {
    const { page } = await visit(browser)
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}`)
    await page.getByText('You', { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Save' }).waitFor()
    expect(await page.getByRole('button', { name: /Disable|Delete/ }).count()).toBe(0)
    await page.context().close()
  })

  test('explains why who holds more cannot be changed, and which roles cannot be given', async () => {
    const { page, complaints } = await visit(browser)
    const helper = await tenant.userWith(
      'user:read',
      'user:update',
      'user:delete',
      'role:read',
      'role:assign',
    )
    await signIn(page, helper.email, `users/${tenant.admin.userId}?tab=access`)
    await page.getByText('You may not change this user').waitFor()
    expect(await page.getByRole('button', { name: /Disable|Delete|Take away/ }).count()).toBe(0)
    await page.getByRole('combobox', { name: 'Give a role' }).click()
    const option = page.getByRole('option', { name: 'viewer' })
    await option.getByText('Holds what you lack').waitFor()
    expect(await option.getAttribute('data-combobox-disabled')).toBe('true')
    await page.keyboard.press('Escape')
    await inspect(page, 'user-outranks')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('of nobody says so and leads back to the list', async () => {
    const { page } = await visit(browser)
    await signIn(page, tenant.admin.email, `users/${nobodysId}`)
    await page.getByText('The user is gone.').waitFor()
    await page.getByRole('main').getByRole('link', { name: 'Users' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    await open(page, 'users/abc')
    await page.getByText('There is no such page').waitFor()
    expect(new URL(page.url()).pathname).toBe('/console/users/abc')
    await page.context().close()
  })

  test('gives way to the list when another tenant is chosen', async () => {
    const { page } = await visit(browser)
    const root = await platformAdmin()
    const { name } = ok(await root.get(`/org/tenants/${tenant.id}`))
    await signIn(page, root.email, `users/${root.userId}?tab=activity`)
    await page.getByTitle('Choose a tenant').click()
    await page.getByPlaceholder('Name or slug').fill(name)
    await page.getByRole('option', { name }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    const { pathname, search } = new URL(page.url())
    expect(pathname + search).toBe(`/console/users?tenant=${tenant.id}`)
    await page.context().close()
  })
})

describe('creating a user', () => {
  test('says beside the field what is wrong, gives the roles chosen, and leads to the new user', async () => {
    const { page, complaints } = await visit(browser)
    const role = await tenant.role('user:read')
    const username = unique('eve')
    await signIn(page, tenant.admin.email, 'users')
    await page.getByRole('button', { name: 'Create a user' }).click()
    await dialog(page).getByLabel('E-mail').fill(tenant.admin.email)
    await dialog(page).getByLabel('Username').fill(username)
    await dialog(page).getByRole('button', { name: 'Generate' }).click()
    await dialog(page).getByRole('combobox', { name: 'Roles' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await page.keyboard.press('Tab')
    await dialog(page).getByRole('button', { name: 'Create a user' }).click()
    await page.getByText('This e-mail is registered already.').waitFor()
    await inspect(page, 'user-create')
    await dialog(page).getByLabel('E-mail').fill(`${username}@example.com`)
    await dialog(page).getByRole('button', { name: 'Show or hide' }).click()
    const generated = await dialog(page).getByRole('textbox', { name: 'Password' }).inputValue()
    await dialog(page).getByRole('button', { name: 'Create a user' }).click()
    await page.getByText(`${username} is created.`).waitFor()
    await page.getByRole('button', { name: 'Open' }).click()
    await page.getByRole('heading', { name: username, level: 1 }).waitFor()
    const userId = Number(new URL(page.url()).pathname.split('/').at(-1))
    const roles = ok(await tenant.admin.get(`/rbac/users/${userId}/roles`)) as { name: string }[]
    expect(roles.map(({ name }) => name)).toEqual(['member', role.name])
    expect(await actionsOn({ userId })).toEqual(['user.create'])
    const who = { userId, tenantId: tenant.id, email: `${username}@example.com`, username }
    expect((await signInByApi(who, generated)).token).not.toBe('')
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('is offered to those alone who may', async () => {
    const { page } = await visit(browser)
    await signIn(page, (await tenant.userWith('user:read')).email, 'users')
    await page.getByText(tenant.admin.email).waitFor()
    expect(await page.getByRole('button', { name: 'Create a user' }).count()).toBe(0)
    await page.context().close()
  })
})

describe('users chosen together', () => {
  test('are disabled after a question, and Undo enables exactly those again', async () => {
    const { page, complaints } = await visit(browser)
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
    await page.getByRole('button', { name: 'Disable' }).click()
    await dialog(page).getByText('Disable 2 users?').waitFor()
    await dialog(page).getByText('Their sessions end at once').waitFor()
    await dialog(page).getByRole('button', { name: 'Disable' }).click()
    await page.getByText('2 users disabled.').waitFor()
    await inspect(page, 'users-undo')
    expect(await statuses()).toEqual([0, 0, 0])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('2 users enabled.').waitFor()
    expect(await statuses()).toEqual([1, 1, 0])
    expect(await actionsOn(before)).toEqual(['user.update', 'user.update', 'user.create'])
    expect(complaints).toEqual([])
    await page.context().close()
  })

  test('are deleted once their number is typed, but never the one who does it', async () => {
    const { page } = await visit(browser)
    const own = await newTenant()
    const member = await own.member()
    await signIn(page, own.admin.email, 'users')
    await page.getByText('2 entries').waitFor()
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await page.getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('Delete 1 user?').waitFor()
    await dialog(page).getByRole('textbox').fill('1')
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await page.getByText('1 user deleted.').waitFor()
    await page.getByText('1 entry').waitFor()
    expect((await own.admin.get(`/users/${member.userId}`)).status).toBe(404)
    await page.context().close()
  })
})
