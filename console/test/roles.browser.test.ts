/** Roles, what they permit and who holds them, in a real browser: `npm run test:browser`. */
import type { Page, Route } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  auditRecords,
  newTenant,
  ok,
  platformAdmin,
  systemRoleId,
  unique,
  type Tenant,
} from '../../server/test/factories.ts'
import { inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const enterRoles = async (of = tenant) => {
  const visited = await visit()
  await signIn(visited.page, of.admin.email, 'roles')
  await visited.page.getByRole('table', { name: 'Roles' }).waitFor()
  return visited
}

const cell = (page: Page, permission: string, role: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^${permission}, for ${role}(:|$)`) })

const codesOf = async (roleId: number, of = tenant): Promise<string[]> =>
  ok(await of.admin.get(`/rbac/roles/${roleId}/permissions`)).map((one: { code: string }) => one.code)

// Much is looked at in each, in three looks.
describe('a role', { timeout: 90_000 }, () => {
  test('is created, given a permission after a preview of who gains it, and its holder sees more at once', async () => {
    const member = await tenant.member()
    const holder = await visit()
    await signIn(holder.page, member.email)
    await holder.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    expect(await holder.page.getByRole('link', { name: 'Users' }).count()).toBe(0)
    const { page, complaints } = await enterRoles()
    const name = unique('Readers ')
    await page.getByRole('button', { name: 'Create a role' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('textbox', { name: 'Description' }).fill('May look at users')
    await inspect(page, 'role-create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create a role' }).click()
    await page.getByText(`The role ${name} is created.`).waitFor()
    const roles: { id: number; name: string }[] = ok(await tenant.admin.get('/rbac/roles'))
    const id = roles.find((role) => role.name === name)?.id ?? 0
    await assign(tenant.id, member.userId, id)
    await cell(page, 'View users', name).check()
    await cell(page, 'View the dashboard', name).check()
    await page.getByText('2 changes, not saved yet').waitFor()
    await inspect(page, 'roles-draft')
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    // The dashboard is permitted by the role they started with.
    await dialog.getByText('Gains View users', { exact: true }).waitFor()
    await dialog.getByText('Held by 1 user').waitFor()
    await inspect(page, 'role-review')
    await dialog.getByRole('button', { name: 'Save 1 role' }).click()
    await page.getByText('1 role changed.').waitFor()
    expect((await codesOf(id)).toSorted()).toEqual(['dashboard:read', 'user:read'])
    await holder.page.reload()
    await holder.page.getByRole('link', { name: 'Users' }).waitFor()
    expect((await auditRecords(tenant.id, 'role', id)).map(({ action }) => action)).toEqual([
      'role.replace_permissions',
      'role.assign',
      'role.create',
    ])
    expect(complaints).toEqual([])
  })

  test('whose permission another role gives as well takes nothing from its holder', async () => {
    const one = await tenant.role('user:read', 'setting:read')
    const other = await tenant.role('user:read')
    const member = await tenant.member()
    await assign(tenant.id, member.userId, one.id)
    await assign(tenant.id, member.userId, other.id)
    const { page } = await enterRoles()
    await cell(page, 'View users', one.name).uncheck()
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByText('Nothing changes: other roles decide the same').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await cell(page, 'View users', other.name).uncheck()
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Loses View users').nth(1).waitFor()
    await inspect(page, 'role-review-two')
    await dialog.getByRole('button', { name: 'Save 2 roles' }).click()
    await page.getByText('2 roles changed.').waitFor()
    expect([await codesOf(one.id), await codesOf(other.id)]).toEqual([['setting:read'], []])
  })

  test('is saved in a window that stays until it is known, and what is stopped stays a draft', async () => {
    const own = await newTenant()
    const [one, other] = [await own.role('user:read'), await own.role('user:read')]
    const { page } = await enterRoles(own)
    const held: Route[] = []
    await page.route('**/rbac/roles/*/permissions', (route) =>
      route.request().method() === 'PUT' ? void held.push(route) : route.continue(),
    )
    await cell(page, 'View settings', one.name).check()
    await cell(page, 'View settings', other.name).check()
    await page.getByRole('button', { name: 'Review' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save 2 roles' }).click()
    await expect.poll(() => held.length).toBe(1)
    await page.keyboard.press('Escape')
    expect(await dialog.getByRole('button', { name: 'Close' }).isDisabled()).toBe(true)
    await inspect(page, 'role-saving')
    await dialog.getByRole('button', { name: 'Stop' }).click()
    await held[0]?.continue()
    await dialog.getByText('Saved.').waitFor()
    await dialog.getByText('Close', { exact: true }).click()
    await page.getByText('1 change, not saved yet').waitFor()
    expect([await codesOf(one.id, own), await codesOf(other.id, own)]).toEqual([
      ['user:read', 'setting:read'],
      ['user:read'],
    ])
  })

  test('that is given on the page of a user shows its holder at once', async () => {
    const own = await newTenant()
    const role = await own.role('user:read')
    const member = await own.member()
    const { page } = await visit()
    await signIn(page, own.admin.email, `roles/${role.id}`)
    await page.getByText('Nobody holds this role.').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: member.username }).click()
    await page.getByRole('tab', { name: 'Roles and permissions' }).click()
    await page.getByRole('combobox', { name: 'Give a role' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await page.getByRole('button', { name: 'Give', exact: true }).click()
    await page.getByText('The role is given.').waitFor()
    // As the way back leads there: nothing of it is loaded anew.
    for (let step = 0; step < 3; step += 1) await page.goBack()
    await page.getByRole('heading', { name: role.name, level: 1 }).waitFor()
    await page.getByRole('link', { name: member.username }).waitFor()
    expect(await page.getByText('Nobody holds this role.').count()).toBe(0)
  })

  test('keeps what somebody else has changed while a draft was made', async () => {
    const role = await tenant.role('user:read')
    const { page } = await enterRoles()
    await cell(page, 'View settings', role.name).check()
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [1, 14] }))
    await page.getByRole('button', { name: 'Review' }).click()
    await page.getByRole('button', { name: 'Save 1 role' }).click()
    await page.getByText('1 role changed.').waitFor()
    expect((await codesOf(role.id)).toSorted()).toEqual(['audit:read', 'setting:read', 'user:read'])
  })

  test('is renamed, loses a holder, and is deleted with word of how many hold it', async () => {
    const role = await tenant.role('user:read')
    const members = [await tenant.member(), await tenant.member(), await tenant.member()]
    for (const { userId } of members) await assign(tenant.id, userId, role.id)
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `roles/${role.id}`)
    await page.getByText(members[0]?.email ?? '').waitFor()
    await page.getByRole('button', { name: 'Edit' }).click()
    const name = `${'A role with quite a long name '.repeat(2)}${unique()}`.slice(0, 64)
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await page.getByRole('button', { name: `Take the role from ${members[0]?.username}` }).click()
    await page.getByText('This takes away, at once: user:read.').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Take away' }).click()
    await page.getByText(members[0]?.email ?? '').waitFor({ state: 'detached' })
    await inspect(page, 'role')
    await page.getByRole('button', { name: 'Delete' }).click()
    await page.getByText('Its holders (2) lose at once').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`The role ${name} is deleted.`).waitFor()
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
    expect((await tenant.admin.get(`/rbac/roles/${role.id}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })
})

describe('the matrix', { timeout: 90_000 }, () => {
  // With so few roles that each is a column.
  beforeAll(async () => {
    tenant = await newTenant()
  })

  test('holds fifty roles, of which one chooses those to see, and is gone about by arrows', async () => {
    const large = await newTenant()
    for (let number = 1; number <= 47; number++) {
      const name = `Team ${number} ${number % 5 === 0 ? 'with a name that is rather long' : ''}`
      ok(await large.admin.post('/rbac/roles', { name }))
    }
    const { page, complaints } = await enterRoles(large)
    await page.getByRole('button', { name: '10 of 50 roles' }).click()
    await page.getByRole('textbox', { name: 'Search roles' }).fill('rather long')
    await page.getByRole('checkbox', { name: 'All (9)' }).check()
    await inspect(page, 'roles-picker')
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /\d+ of 50 roles/ }).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(18 + 1)
    await page.reload()
    await cell(page, 'View users', 'Team 1').waitFor()
    await cell(page, 'View users', 'Team 1').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Space')
    expect(await cell(page, 'Create users', 'Team 2').isChecked()).toBe(true)
    await page.keyboard.press('Tab')
    expect(await page.evaluate('document.activeElement.textContent')).toBe('Discard')
    await inspect(page, 'roles-many')
    expect(complaints).toEqual([])
  })

  test('asks before a draft is left behind, and keeps it through a search', async () => {
    const role = await tenant.role()
    const { page } = await enterRoles()
    await cell(page, 'View settings', role.name).check()
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('users')
    await cell(page, 'View settings', role.name).waitFor({ state: 'detached' })
    await page.getByText('1 change, not saved yet').waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByText('Leave without saving?').waitFor()
    await inspect(page, 'roles-leave')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Users' }).click()
    await page.getByRole('button', { name: 'Leave and discard' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(await codesOf(role.id)).toEqual([])
  })

  test('offers nobody what they may not give, nor system roles to change', async () => {
    const role = await tenant.role('user:read')
    const user = await tenant.userWith('role:read', 'role:update', 'user:read')
    const { page, complaints } = await visit()
    await signIn(page, user.email, 'roles')
    await page.getByRole('table', { name: 'Roles' }).waitFor()
    expect(await cell(page, 'View users', role.name).isEnabled()).toBe(true)
    expect(await cell(page, 'Delete users', role.name).isDisabled()).toBe(true)
    expect(await cell(page, 'View users', 'admin').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create a role' }).count()).toBe(0)
    await inspect(page, 'roles')
    await open(page, `roles/${await systemRoleId(tenant.id, 'viewer')}`)
    await page.getByText('Nobody holds this role.').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
    await inspect(page, 'role-system')
    expect(complaints).toEqual([])
  })
})

test('a role is not taken from who holds more than the caller, and it is said why', async () => {
  const role = await tenant.role('user:read')
  await assign(tenant.id, tenant.admin.userId, role.id)
  const helper = await tenant.userWith('role:read', 'role:assign', 'user:read')
  const { page, complaints } = await visit()
  await signIn(page, helper.email, `roles/${role.id}`)
  await page.getByRole('button', { name: `Take the role from ${tenant.admin.username}` }).click()
  const dialog = page.getByRole('dialog', { name: 'You may not change this user' })
  await dialog.getByText('They hold permissions that you lack').waitFor()
  await inspect(page, 'role-outranks')
  expect(complaints).toEqual([])
})

test('where there is no room for columns, the address keeps which role is looked at', async () => {
  const role = await tenant.role('user:read')
  const { page, complaints } = await visit({ viewport: { width: 390, height: 800 } })
  await signIn(page, tenant.admin.email, 'roles')
  const chosen = page.getByRole('combobox', { name: 'Role' })
  await chosen.fill(role.name)
  await page.getByRole('option', { name: role.name }).click()
  await cell(page, 'View users', role.name).waitFor()
  await page.reload()
  await cell(page, 'View users', role.name).waitFor()
  expect(await chosen.inputValue()).toBe(role.name)
  expect(new URL(page.url()).search).toBe(`?role=${role.id}`)
  expect(complaints).toEqual([])
})

test('a role is found by its name with Ctrl K, in the tenant in scope', async () => {
  const role = await tenant.role('user:read')
  const { page, complaints } = await visit()
  await signIn(page, (await platformAdmin()).email, `?tenant=${tenant.id}`)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find pages, users, roles and tenants').fill(role.name.toUpperCase())
  await page.getByRole('button', { name: role.name }).click()
  await page.getByRole('heading', { name: role.name, level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('tenant')).toBe(tenant.id)
  expect(complaints).toEqual([])
})
