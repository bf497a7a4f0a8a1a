/** Roles, their permissions and their holders, in a real browser (`npm run test:browser`). */
import type { Page, Route } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  auditRecords,
  clearCatalogue,
  newTenant,
  ok,
  platformAdmin,
  systemRoleId,
  unique,
  type Tenant,
} from '../../server/test/factories.ts'
import { addThousandPermissions, removeThousandPermissions } from '../../server/test/many-permissions.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const enterMatrix = async (of = tenant) => {
  const visited = await visit()
  await signIn(visited.page, of.admin.email, 'roles?tab=compare')
  await visited.page.getByRole('table', { name: 'Roles' }).waitFor()
  return visited
}

const cell = (page: Page, permission: string, role: string) =>
  page.getByRole('checkbox', { name: new RegExp(`^${permission}, for ${role}(:|$)`) })

const codesOf = async (roleId: number, of = tenant): Promise<string[]> =>
  ok(await of.admin.get(`/rbac/roles/${roleId}/permissions`)).map((one: { code: string }) => one.code)

// Each test inspects several pages in three looks.
describe('a role', () => {
  test('is created, given a permission after a preview of its effect, and its holder sees more at once', async () => {
    const member = await tenant.member()
    const holder = await visit()
    await signIn(holder.page, member.email)
    await holder.page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
    expect(await holder.page.getByRole('link', { name: 'Users', exact: true }).count()).toBe(0)
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'roles')
    const name = unique('Readers ')
    await page.getByRole('button', { name: 'Create role' }).click()
    await page.getByRole('textbox', { name: 'Name' }).fill(name)
    await page.getByRole('textbox', { name: 'Description' }).fill('May look at users')
    await inspect(page, 'role-create')
    await page.getByRole('dialog').getByRole('button', { name: 'Create role' }).click()
    await page.getByText(`Role ${name} created.`).waitFor()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    await assign(tenant.id, member.userId, id)
    await page.getByRole('checkbox', { name: 'View users' }).check()
    await page.getByRole('checkbox', { name: 'View the dashboard' }).check()
    await page.getByText('2 changes, not saved yet').waitFor()
    await inspect(page, 'role-draft')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    // The role `member` already permits the dashboard.
    await dialog.getByText('Gains “View users”', { exact: true }).waitFor()
    await dialog.getByText('1 user is affected').waitFor()
    await inspect(page, 'role-review')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 role changed.').waitFor()
    await page.getByRole('link', { name: /changed the permissions of/ }).waitFor()
    expect((await codesOf(id)).toSorted()).toEqual(['dashboard:read', 'user:read'])
    await holder.page.reload()
    await holder.page.getByRole('link', { name: 'Users', exact: true }).waitFor()
    expect((await auditRecords(tenant.id, 'role', id)).map(({ action }) => action)).toEqual([
      'role.replace_permissions',
      'role.assign',
      'role.create',
    ])
    expect(complaints).toEqual([])
  })

  test('a role that loses a permission takes it from no holder with another role that grants it', async () => {
    const one = await tenant.role('user:read', 'setting:read')
    const other = await tenant.role('user:read')
    const member = await tenant.member()
    await assign(tenant.id, member.userId, one.id)
    await assign(tenant.id, member.userId, other.id)
    const { page } = await enterMatrix()
    await cell(page, 'View users', one.name).uncheck()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByText('No one gains or loses permissions.').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await cell(page, 'View users', other.name).uncheck()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Loses “View users”').waitFor()
    await inspect(page, 'role-review-two')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('2 roles changed.').waitFor()
    expect([await codesOf(one.id), await codesOf(other.id)]).toEqual([['setting:read'], []])
  })

  test('is saved in a window that stays open meanwhile, and a stopped change stays a draft', async () => {
    const own = await newTenant()
    const [one, other] = [await own.role('user:read'), await own.role('user:read')]
    const { page } = await enterMatrix(own)
    const held: Route[] = []
    await page.route('**/rbac/roles/*/permissions', (route) =>
      route.request().method() === 'PUT' ? void held.push(route) : route.continue(),
    )
    await cell(page, 'View settings', one.name).check()
    await cell(page, 'View settings', other.name).check()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await expectSoon(() => held.length).toBe(1)
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

  test('a role assigned on the page of a user shows its holder at once', async () => {
    const own = await newTenant()
    const role = await own.role('user:read')
    const member = await own.member()
    const { page } = await visit()
    await signIn(page, own.admin.email, `roles/${role.id}`)
    await page.getByText('No users have this role.').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('link', { name: member.username }).click()
    await page.getByRole('tab', { name: 'Roles and permissions' }).click()
    await page.getByRole('combobox', { name: 'Assign role' }).click()
    await page.getByRole('option', { name: role.name }).click()
    await page.getByRole('button', { name: 'Assign', exact: true }).click()
    await page.getByText('Role assigned.').waitFor()
    // The history loads nothing anew.
    for (let step = 0; step < 3; step += 1) await page.goBack()
    await page.getByRole('heading', { name: role.name, level: 1 }).waitFor()
    await page.getByRole('link', { name: member.username, exact: true }).waitFor()
    expect(await page.getByText('No users have this role.').count()).toBe(0)
  })

  test('keeps changes that another user made while a draft was open', async () => {
    const role = await tenant.role('user:read')
    const member = await tenant.member()
    await assign(tenant.id, member.userId, role.id)
    const { page } = await enterMatrix()
    await cell(page, 'View settings', role.name).check()
    ok(await tenant.admin.put(`/rbac/roles/${role.id}/permissions`, { permission_ids: [1, 14] }))
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    // The preview as well counts the permission that the other user added.
    await page.getByText('Gains “View settings”', { exact: true }).waitFor()
    expect(await page.getByText(/^Loses/).count()).toBe(0)
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 role changed.').waitFor()
    expect((await codesOf(role.id)).toSorted()).toEqual(['audit:read', 'setting:read', 'user:read'])
  })

  test('is assigned to several users from its page, after a preview', async () => {
    const { page, complaints } = await visit()
    const [one, other] = [await tenant.member(), await tenant.member()]
    const role = await tenant.role('user:read')
    await signIn(page, tenant.admin.email, `roles/${role.id}`)
    await page.getByRole('button', { name: 'Assign users' }).click()
    const window = page.getByRole('dialog')
    await window.getByRole('button', { name: 'Cancel' }).waitFor()
    await window.getByRole('combobox', { name: 'Users' }).click()
    await page.getByRole('option', { name: other.username }).waitFor()
    await inspect(page, 'role-first-users')
    await window.getByRole('combobox', { name: 'Users' }).fill(one.username)
    await page.getByRole('option', { name: one.username }).click()
    // The list would cover the button below.
    await page.getByRole('option').first().waitFor({ state: 'detached' })
    await window.getByRole('combobox', { name: 'Users' }).focus()
    const pasted = `${one.email.toUpperCase()}; Other <${other.email}>\nnobody@example.com`
    await page.evaluate(`(() => {
      const clipboardData = new DataTransfer()
      clipboardData.setData('text', ${JSON.stringify(pasted)})
      const options = { clipboardData, bubbles: true, cancelable: true }
      document.activeElement.dispatchEvent(new ClipboardEvent('paste', options))
    })()`)
    await window.getByText('Not found in this organization: nobody@example.com').waitFor()
    await window.getByText('2 users are affected').waitFor()
    await window.getByText('Gain “View users”', { exact: true }).waitFor()
    await inspect(page, 'role-add-holders')
    await window.getByRole('button', { name: 'Assign to 2 users' }).click()
    await page.getByText(`${role.name} assigned to 2 users.`).waitFor()
    await page.getByRole('link', { name: other.username }).first().waitFor()
    expect(ok(await tenant.admin.get(`/rbac/roles/${role.id}/users`)).total).toBe(2)
    expect(complaints).toEqual([])
  })

  test('is renamed, loses a holder, and is deleted after a preview names its holders', async () => {
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
    await page.getByRole('button', { name: `Remove the role from ${members[0]?.username}` }).click()
    await page.getByText('Loses “View users”').waitFor()
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText(members[0]?.email ?? '').waitFor({ state: 'detached' })
    await inspect(page, 'role')
    await chooseAction(page, 'Delete')
    await page.getByText('2 users are affected').waitFor()
    await inspect(page, 'role-delete-held')
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click()
    await page.getByText(`Role ${name} deleted.`).waitFor()
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
    expect((await tenant.admin.get(`/rbac/roles/${role.id}`)).status).toBe(404)
    expect(complaints).toEqual([])
  })
})

describe('the matrix', () => {
  // Few enough roles to make each a column.
  beforeAll(async () => {
    tenant = await newTenant()
  })

  test('holds fifty roles, offers a choice of columns, and is walked by arrow keys', async () => {
    const large = await newTenant()
    for (let number = 1; number <= 47; number++) {
      const name = `Team ${number} ${number % 5 === 0 ? 'with a name that is rather long' : ''}`
      ok(await large.admin.post('/rbac/roles', { name }))
    }
    const { page, complaints } = await enterMatrix(large)
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

  test('needs no sideways scroll on a phone, where each mark names its role and a tap on the name sets it', async () => {
    const own = await newTenant()
    for (const n of [1, 2]) {
      ok(await own.admin.post('/rbac/roles', { name: `Team ${n} `.padEnd(60, 'long name ') }))
    }
    const role = await own.role('user:read')
    const { page, complaints } = await visit({ viewport: { width: 390, height: 800 } })
    await signIn(page, own.admin.email, 'roles?tab=compare')
    await page.getByRole('button', { name: '4 of 6 roles' }).click()
    await page.getByRole('checkbox', { name: 'All (6)' }).check()
    await page.keyboard.press('Escape')
    const box = cell(page, 'View users', role.name)
    const label = page.locator('.permission-cell', { has: box })
    expect(await label.getAttribute('data-role')).toBe(role.name)
    const sideways =
      "(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)(document.querySelector('.matrix'))"
    expect(await page.evaluate(sideways)).toBe(0)
    await label.click({ position: { x: 60, y: 14 } })
    expect(await box.isChecked()).toBe(false)
    await page.getByText('1 change, not saved yet').waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(6)
    await inspect(page, 'roles-phone')
    expect(complaints).toEqual([])
  })

  test('asks before a draft is lost, and keeps it through a search', async () => {
    const role = await tenant.role()
    const { page } = await enterMatrix()
    await cell(page, 'View settings', role.name).check()
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('users')
    await cell(page, 'View settings', role.name).waitFor({ state: 'detached' })
    await page.getByText('1 change, not saved yet').waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText('Leave without saving?').waitFor()
    await inspect(page, 'roles-leave')
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('heading', { name: 'Roles', level: 1 }).waitFor()
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByRole('button', { name: 'Leave and discard' }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(await codesOf(role.id)).toEqual([])
  })

  test('disables permissions that the caller lacks, and system roles', async () => {
    const role = await tenant.role('user:read')
    const user = await tenant.userWith('role:read', 'role:update', 'user:read')
    const { page, complaints } = await visit()
    await signIn(page, user.email, 'roles?tab=compare')
    await page.getByRole('table', { name: 'Roles' }).waitFor()
    expect(await cell(page, 'View users', role.name).isEnabled()).toBe(true)
    expect(await cell(page, 'Delete users', role.name).isDisabled()).toBe(true)
    expect(await cell(page, 'View users', 'Admin').count()).toBe(0)
    expect(await page.getByRole('button', { name: 'Create role' }).count()).toBe(0)
    await inspect(page, 'roles')
    await open(page, `roles/${systemRoleId('viewer')}`)
    await page.getByText('No users have this role.').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
    await inspect(page, 'role-system')
    expect(complaints).toEqual([])
  })
})

test('a role cannot be removed from a user with more permissions than the caller, and the page says why', async () => {
  const role = await tenant.role('user:read')
  await assign(tenant.id, tenant.admin.userId, role.id)
  const helper = await tenant.userWith('role:read', 'role:assign', 'user:read')
  const { page, complaints } = await visit()
  await signIn(page, helper.email, `roles/${role.id}`)
  await page.getByRole('button', { name: `Remove the role from ${tenant.admin.username}` }).click()
  const dialog = page.getByRole('dialog')
  await dialog.getByText('This change would be refused').waitFor()
  await dialog.getByText('This user or role has permissions that you lack').waitFor()
  expect(await dialog.getByRole('button', { name: 'Remove' }).isDisabled()).toBe(true)
  await inspect(page, 'role-outranks')
  expect(complaints).toEqual([])
})

describe('a preview of a role', () => {
  test('warns callers of what they take from themselves', async () => {
    const own = await newTenant()
    const role = await own.role('user:read', 'role:read', 'role:update')
    const clerk = await own.member()
    await assign(own.id, clerk.userId, role.id)
    const { page, complaints } = await visit()
    await signIn(page, clerk.email, 'roles?tab=compare')
    await cell(page, 'View users', role.name).uncheck()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You lose these permissions yourself').waitFor()
    await dialog.getByText('Loses “View users”').waitFor()
    await inspect(page, 'role-review-own')
    expect(complaints).toEqual([])
  })

  test('names the role whose change the service would refuse, while the others can be saved', async () => {
    const own = await newTenant()
    const [one, gone] = [await own.role('user:read'), await own.role('user:read')]
    const { page, complaints } = await enterMatrix(own)
    await cell(page, 'View settings', one.name).check()
    await cell(page, 'View settings', gone.name).check()
    // The other role changes between the question and its answer.
    await page.route('**/authz/preview', async (route) => {
      ok(await own.admin.delete(`/rbac/roles/${gone.id}`))
      await route.continue()
    })
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText(`The change for ${gone.name} would be refused`).waitFor()
    await dialog.getByText('This role no longer exists.').waitFor()
    await inspect(page, 'role-review-refused')
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await dialog.getByText('Saved.').waitFor()
    expect(await codesOf(one.id, own)).toEqual(['user:read', 'setting:read'])
    expect(complaints).toEqual([])
  })

  test('a preview of more than 20 changes is not made, and the page says so', async () => {
    const own = await newTenant()
    const roles = await Promise.all(Array.from({ length: 21 }, () => own.role('user:read')))
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, `roles?tab=compare&shown=[${roles.map(({ id }) => id).join()}]`)
    for (const { name } of roles) await cell(page, 'View settings', name).check()
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('The effect is shown for up to 20 changes at once').waitFor()
    await dialog.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('21 roles changed.').waitFor()
    expect(complaints).toEqual([])
  })

  test('a preview of very many users names some, and says that the number is a bound', async () => {
    const own = await newTenant()
    const role = await own.role('user:read')
    const losses = Array.from({ length: 200 }, (_, index) => ({
      user_id: 1_000_000 + index,
      username: `somebody-with-a-name-${index}`,
      permissions: index % 2 === 0 ? ['user:read'] : ['user:read', 'product:code'],
    }))
    const data = { gains: [], losses, affected_users: 10_000, refused: null }
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, `roles/${role.id}`)
    await page.route('**/authz/preview', (route) =>
      route.fulfill({ json: { code: 0, message: 'success', data, trace_id: 'x' } }),
    )
    await chooseAction(page, 'Delete')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('10,000+ users are affected').waitFor()
    await dialog.getByText('and 9,800+ more').waitFor()
    await dialog.getByText('Lose “View users”, “product:code”').waitFor()
    await inspect(page, 'role-delete-many')
    expect(complaints).toEqual([])
  })
})

describe('the list of roles', () => {
  test('is searched and sorted, which the address keeps, and leads to the holders', async () => {
    const own = await newTenant()
    const [few, many] = [await own.role('user:read'), await own.role('user:read', 'role:read', 'audit:read')]
    await assign(own.id, (await own.member()).userId, few.id)
    ok(await own.admin.put(`/rbac/roles/${few.id}`, { description: 'Looks at people' }))
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, 'roles')
    const rows = page
      .getByRole('row')
      .filter({ has: page.getByRole('checkbox', { name: /^Select (?!all)/ }) })
    await rows.first().waitFor()
    await inspect(page, 'roles-list')
    await page.getByRole('button', { name: 'Permissions' }).click()
    await page.getByRole('button', { name: 'Permissions' }).click()
    await expectSoon(() => rows.first().textContent()).toContain('Admin')
    await page.reload()
    await expectSoon(() => rows.first().textContent()).toContain('Admin')
    await page.getByRole('searchbox', { name: 'Search roles' }).fill('looks at')
    await expectSoon(() => rows.count()).toBe(1)
    expect(await rows.first().textContent()).toContain(few.name)
    await page.getByRole('link', { name: '1', exact: true }).click()
    await page.getByRole('heading', { name: 'Users', level: 1 }).waitFor()
    expect(new URL(page.url()).search).toBe(`?role_id=${few.id}`)
    await open(page, `roles?search=${many.name}`)
    await page.getByRole('checkbox', { name: `Select ${many.name}` }).check()
    await page.getByRole('button', { name: 'Compare' }).click()
    await cell(page, 'View roles', many.name).waitFor()
    expect(await page.getByRole('columnheader').count()).toBe(1 + 1)
    expect(complaints).toEqual([])
  })

  test('says that none matches, and shows all again', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'roles?search=nothing-like-it')
    await page.getByText('No roles match').waitFor()
    await inspect(page, 'roles-none')
    await page.getByRole('button', { name: 'Clear filters' }).press('Enter')
    await page.getByRole('link', { name: 'viewer' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('duplicates a role with its permissions and without its holders', async () => {
    const role = await tenant.role('user:read', 'audit:read')
    await assign(tenant.id, (await tenant.member()).userId, role.id)
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `roles?search=${role.name}`)
    await page.getByRole('button', { name: `Duplicate ${role.name}` }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('textbox', { name: 'Name' }).waitFor()
    await inspect(page, 'role-duplicate')
    await dialog.getByRole('button', { name: 'Duplicate' }).click()
    await page.getByRole('heading', { name: `Copy of ${role.name}`, level: 1 }).waitFor()
    await page.getByText('created with 2 permissions.').waitFor()
    await page.getByText('No users have this role.').waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    expect((await codesOf(id)).toSorted()).toEqual(['audit:read', 'user:read'])
    expect(complaints).toEqual([])
  })

  test('leaves out holders and duplicates that the caller may not have', async () => {
    const role = await tenant.role('audit:read')
    const clerk = await tenant.userWith('role:read', 'role:create', 'role:update')
    const { page, complaints } = await visit()
    await signIn(page, clerk.email, `roles?search=${role.name}`)
    await page.getByRole('link', { name: role.name }).waitFor()
    expect(await page.getByRole('button', { name: 'Assigned users' }).count()).toBe(0)
    expect(await page.getByRole('button', { name: `Duplicate ${role.name}` }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})

describe('the page of a role', () => {
  afterEach(async () => {
    await removeThousandPermissions()
    await clearCatalogue()
  })

  const group = (page: Page, name: string) => page.getByRole('region', { name, exact: true })

  const define = async (...codes: string[]): Promise<void> => {
    const root = await platformAdmin()
    for (const code of codes) ok(await root.post('/rbac/permissions', { code, name: `Permit ${code}` }))
  }

  const nodesIn = (page: Page): Promise<number> =>
    page.evaluate<number>('document.querySelectorAll("main *").length')

  test('shows the product first, and chooses and drops a whole group', async () => {
    await define('depot:open', 'depot:close')
    const own = await newTenant()
    const role = await own.role('user:read')
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, `roles/${role.id}`)
    await group(page, 'Users').getByText('1 of 4').waitFor()
    const groups = page.getByRole('button', { name: / of \d+$/ })
    expect(await groups.first().textContent()).toContain('depot')
    await page.getByRole('checkbox', { name: 'All of Users' }).check()
    await page.getByText('3 changes, not saved yet').waitFor()
    await page.getByRole('checkbox', { name: 'All of Users' }).uncheck()
    await page.getByRole('checkbox', { name: 'All of depot' }).check()
    await page.getByText('3 changes, not saved yet').waitFor()
    await inspect(page, 'role-groups')
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 role changed.').waitFor()
    expect((await codesOf(role.id, own)).toSorted()).toEqual(['depot:close', 'depot:open'])
    await group(page, 'depot').getByRole('button').click()
    expect(await page.getByRole('checkbox', { name: 'Permit depot:open' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('chooses of a group only what the caller may give', async () => {
    const role = await tenant.role('user:read')
    const clerk = await tenant.userWith('role:read', 'role:update', 'user:read', 'user:create')
    const { page, complaints } = await visit()
    await signIn(page, clerk.email, `roles/${role.id}`)
    await page.getByRole('checkbox', { name: 'All of Users' }).click()
    await page.getByText('1 change, not saved yet').waitFor()
    expect(await page.getByRole('checkbox', { name: 'Create users' }).isChecked()).toBe(true)
    expect(await page.getByRole('checkbox', { name: 'Delete users' }).isDisabled()).toBe(true)
    await inspect(page, 'role-groups-lacking')
    expect(complaints).toEqual([])
  })

  test('asks before a draft is lost, and keeps it through a search', async () => {
    const role = await tenant.role('user:read')
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `roles/${role.id}`)
    await page.getByRole('checkbox', { name: 'View settings' }).check()
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('audit')
    await page.getByRole('checkbox', { name: 'View settings' }).waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'Users', exact: true }).click()
    await page.getByText('Leave without saving?').waitFor()
    await page.getByRole('button', { name: 'Cancel' }).click()
    await page.getByRole('status').getByText('1 change, not saved yet').waitFor()
    await page.getByRole('button', { name: 'Discard', exact: true }).click()
    expect(await codesOf(role.id)).toEqual(['user:read'])
    expect(complaints).toEqual([])
  })

  test('the page and the matrix draw a thousand permissions as needed', async () => {
    await addThousandPermissions()
    const own = await newTenant()
    for (let at = 0; at < 6; at += 1) await own.role('user:read')
    const role = await own.role()
    const { page, complaints } = await visit()
    await signIn(page, own.admin.email, `roles/${role.id}`)
    await group(page, 'shop0').waitFor()
    expect(await nodesIn(page)).toBeLessThan(1500)
    await group(page, 'shop7').getByRole('button').click()
    await page.getByRole('checkbox', { name: 'All of shop7' }).check()
    await page.getByText('50 changes, not saved yet').waitFor()
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('o')
    await page.getByRole('checkbox', { name: 'Do 999' }).waitFor()
    expect(await nodesIn(page)).toBeLessThan(8000)
    await page.getByRole('button', { name: 'Review', exact: true }).click()
    await page.getByRole('button', { name: 'Save changes' }).click()
    await page.getByText('1 role changed.').waitFor()
    expect(await codesOf(role.id, own)).toHaveLength(50)

    await open(page, 'roles?tab=compare')
    await page.getByRole('table', { name: 'Roles' }).waitFor()
    await page.getByRole('rowheader', { name: 'Do 0', exact: false }).first().waitFor()
    expect(await nodesIn(page)).toBeLessThan(6000)
    await page.evaluate("document.querySelector('.matrix').scrollTo(0, 1e6)")
    await cell(page, 'View webhooks', role.name).waitFor()
    expect(await nodesIn(page)).toBeLessThan(9000)
    expect(complaints).toEqual([])
  })
})

test('a role is found by its name with Ctrl K, in the tenant in scope', async () => {
  const role = await tenant.role('user:read')
  const { page, complaints } = await visit()
  await signIn(page, (await platformAdmin()).email, `?tenant=${tenant.id}`)
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.keyboard.press('Control+k')
  await page.getByPlaceholder('Find pages, users, roles and more').fill(role.name.toUpperCase())
  await page.getByRole('option', { name: role.name }).click()
  await page.getByRole('heading', { name: role.name, level: 1 }).waitFor()
  expect(new URL(page.url()).searchParams.get('tenant')).toBe(tenant.id)
  expect(complaints).toEqual([])
})
