/** The catalogue: permissions of the product and role templates, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  auditRecords,
  builtIn,
  clearCatalogue,
  newTenant,
  ok,
  permissionIds,
  platformAdmin,
  systemRoleId,
  unique,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { chooseAction, expectSoon, inspect, open, signIn, visit } from './visit.ts'

let root: Caller
let tenant: Tenant

beforeAll(async () => {
  root = await platformAdmin()
  tenant = await newTenant()
  await clearCatalogue()
})
afterEach(clearCatalogue)

const enter = async (path = '') => {
  const visited = await visit()
  await signIn(visited.page, root.email, `catalogue${path}`)
  await visited.page.getByRole('main').getByRole('heading', { level: 1 }).waitFor()
  return visited
}

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const confirm = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Chooses an item from the menu of a permission. */
const choose = async (page: Page, name: string, item: string): Promise<void> => {
  await page.getByRole('button', { name: `Actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: item }).click()
}

const define = async (code: string, name: string) =>
  ok(await root.post('/rbac/permissions', { code, name })) as { id: number }

const template = async (...ids: number[]) =>
  ok(await root.post('/rbac/role-templates', { name: unique('Clerk '), permission_ids: ids })) as {
    id: number
    name: string
  }

interface Held {
  name: string
  permissions: { code: string }[]
  given_to_new_users: boolean
}

const templateNow = async (id: number): Promise<Held | undefined> =>
  ok(await root.get('/rbac/role-templates')).find((one: { id: number }) => one.id === id)

describe('a permission of the product', () => {
  test('is created, renamed and, after its roles are named, deleted', async () => {
    const { page, complaints } = await enter(`?tenant=${tenant.id}`)
    await page.getByText('Your product has no permissions of its own yet').waitFor()
    await inspect(page, 'catalogue-built-in')
    const folded = page.getByRole('button', { name: /^Organizations \d+ permissions/, expanded: false })
    await folded.click()
    await page.getByText('Enter organizations').waitFor()
    await press(page, 'Create permission')
    await dialog(page).getByLabel('Code').fill('invoice:read')
    await dialog(page).getByLabel('Name').fill('Read invoices')
    await dialog(page).getByLabel('Description').fill('Open any invoice of the tenant')
    await inspect(page, 'catalogue-permission-create')
    await confirm(page, 'Create permission')
    await page.getByText('Permission Read invoices created.').waitFor()
    await define('invoice:write', 'Write invoices')
    await page.reload()
    await page.getByText('invoice:write').waitFor()
    await inspect(page, 'catalogue-permissions')
    await choose(page, 'Read invoices', 'Edit')
    await dialog(page).getByLabel('Name').fill('See invoices')
    await confirm(page, 'Save')
    await page.getByText('See invoices saved.').waitFor()
    await choose(page, 'See invoices', 'Delete')
    await dialog(page).getByText(`In the organization Tenant ${tenant.slug}, 2 roles include it:`).waitFor()
    await dialog(page).getByText('Assigned to 1 user').waitFor()
    await dialog(page).getByText(`This covers only the organization Tenant ${tenant.slug}.`).waitFor()
    await inspect(page, 'catalogue-permission-delete')
    await dialog(page).getByRole('textbox').fill('invoice:read')
    await confirm(page, 'Delete')
    await page.getByText('Permission See invoices deleted.').waitFor()
    const codes = ok(await root.get('/rbac/permissions')).map(({ code }: { code: string }) => code)
    expect(codes).toContain('invoice:write')
    expect(codes).not.toContain('invoice:read')
    expect(complaints).toEqual([])
  })

  test('a permission that the service refuses is explained beside its field', async () => {
    await define('invoice:read', 'Read invoices')
    const { page, complaints } = await enter()
    await press(page, 'Create permission')
    const create = async (code: string): Promise<void> => {
      await dialog(page).getByLabel('Code').fill(code)
      await dialog(page).getByLabel('Name').fill('Any')
      await confirm(page, 'Create permission')
    }
    await create('Invoice')
    await dialog(page).getByText('Enter a module and an action').waitFor()
    await create('invoice:read')
    await dialog(page).getByText('A permission with this code already exists.').waitFor()
    await create('session:read')
    await dialog(page).getByText('This module belongs to the service.').waitFor()
    await inspect(page, 'catalogue-permission-refused')
    expect(complaints).toEqual([])
  })

  test('is found by its code, and those of the platform are marked', async () => {
    await define('invoice:read', 'Read invoices')
    const { page, complaints } = await enter('?search=INVOICE')
    await page.getByText('Read invoices').waitFor()
    expect(await page.getByRole('row').count()).toBe(2)
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('tenant:enter')
    await page.getByText('Enter organizations').waitFor()
    await page.getByText('Platform only').waitFor()
    expect(await page.getByRole('button', { name: 'Actions for' }).count()).toBe(0)
    await page.getByRole('searchbox', { name: 'Search permissions' }).fill('no such thing')
    await page.getByText('No permissions match').waitFor()
    expect(complaints).toEqual([])
  })

  test('is created with only the keyboard', async () => {
    const { page, complaints } = await enter()
    await page.getByRole('button', { name: 'Create permission' }).focus()
    await page.keyboard.press('Enter')
    await dialog(page).getByLabel('Code').waitFor()
    await page.keyboard.type('order:ship')
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ship orders')
    await page.keyboard.press('Enter')
    await page.getByText('Permission Ship orders created.').waitFor()
    await page.getByRole('button', { name: 'Actions for Ship orders' }).focus()
    await page.keyboard.press('Enter')
    await page.getByRole('menuitem', { name: 'Edit' }).waitFor()
    await page.keyboard.press('Home')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog', { name: 'Edit permission order:ship' }).waitFor()
    await page.keyboard.press('Escape')
    await expectSoon(() => page.evaluate('document.activeElement.ariaLabel')).toBe('Actions for Ship orders')
    expect(complaints).toEqual([])
  })
})

describe('a role template', () => {
  test('is created and given permissions, after a preview of who gains in the tenant in scope', async () => {
    const { id: invoice } = await define('invoice:write', 'Write invoices')
    const { page, complaints } = await enter(`?tab=templates&tenant=${tenant.id}`)
    const name = unique('Clerk ')
    await inspect(page, 'catalogue-templates')
    await press(page, 'Create role template')
    await dialog(page).getByLabel('Name').fill('Viewer')
    await confirm(page, 'Create role template')
    await dialog(page).getByText('A role template with this name already exists.').waitFor()
    await dialog(page).getByLabel('Name').fill(name)
    await dialog(page).getByLabel('Description').fill('Writes invoices')
    await confirm(page, 'Create role template')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const id = Number(new URL(page.url()).pathname.split('/').at(-1))
    const member = await tenant.member()
    await assign(tenant.id, member.userId, id)
    await page.getByRole('checkbox', { name: 'Write invoices' }).check()
    await page.getByRole('checkbox', { name: 'View users' }).check()
    expect(await page.getByRole('checkbox', { name: 'Enter organizations' }).isDisabled()).toBe(true)
    await page.getByText('2 changes, not saved yet').waitFor()
    await inspect(page, 'catalogue-template-draft')
    await press(page, 'Review')
    await dialog(page).getByText('1 user is affected:').waitFor()
    await dialog(page).getByText('Gains “Write invoices”, “View users”').waitFor()
    await dialog(page).getByText(`This covers only the organization Tenant ${tenant.slug}.`).waitFor()
    await inspect(page, 'catalogue-template-review')
    await confirm(page, 'Save')
    await page.getByText(`${name} saved.`).waitFor()
    await page.getByRole('heading', { name: '2 permissions' }).waitFor()
    expect(await page.getByText('not saved yet').count()).toBe(0)
    const codes = (await templateNow(id))?.permissions.map(({ code }) => code)
    expect(codes?.toSorted()).toEqual(['invoice:write', 'user:read'])
    expect(invoice).toBeGreaterThan(999)
    expect(complaints).toEqual([])
  })

  test('is assigned to new users, and no longer, after the effect is said', async () => {
    const { id, name } = await template(...permissionIds('user:read', 'audit:read'))
    const { page, complaints } = await enter(`/${id}`)
    const given = page.getByRole('switch', { name: 'Assigned to new users' })
    await given.click()
    await dialog(page)
      .getByText('every new user of every organization gets this role with 2 permissions')
      .waitFor()
    await inspect(page, 'catalogue-give')
    await confirm(page, 'Cancel')
    expect(await given.isChecked()).toBe(false)
    await given.click()
    await confirm(page, 'Assign to new users')
    await expectSoon(() => given.isChecked()).toBe(true)
    expect((await templateNow(id))?.given_to_new_users).toBe(true)
    await page.getByText(`${name} saved.`).waitFor()
    await inspect(page, 'catalogue-template')
    await page.getByRole('checkbox', { name: 'View settings' }).check()
    await press(page, 'Review')
    await dialog(page).getByText('Future users get the changed role').waitFor()
    await confirm(page, 'Cancel')
    await press(page, 'Discard')
    await given.click()
    await dialog(page).getByText('Users who have it keep it').waitFor()
    await confirm(page, 'Stop assigning')
    await expectSoon(() => given.isChecked()).toBe(false)
    expect(complaints).toEqual([])
  })

  test('is renamed, and deleted after a preview of who loses', async () => {
    const { id, name } = await template(...permissionIds('user:read'))
    const holders = [await tenant.member(), await tenant.member()]
    for (const { userId } of holders) await assign(tenant.id, userId, id)
    const { page, complaints } = await enter(`/${id}?tenant=${tenant.id}`)
    await press(page, 'Edit')
    await dialog(page).getByLabel('Name').fill(`${name} 2`)
    await confirm(page, 'Save')
    await page.getByRole('heading', { name: `${name} 2`, level: 1 }).waitFor()
    await chooseAction(page, 'Delete')
    await dialog(page).getByText('2 users are affected:').waitFor()
    await dialog(page).getByText('Lose “View users”').waitFor()
    await dialog(page).getByRole('textbox').fill(`${name} 2`)
    await inspect(page, 'catalogue-template-delete')
    await confirm(page, 'Delete')
    await page.getByRole('tab', { name: 'Role templates', selected: true }).waitFor()
    await page.getByText(`Role template ${name} 2 deleted.`).waitFor()
    await expectSoon(() => page.getByRole('link', { name }).count()).toBe(0)
    expect(await templateNow(id)).toBeUndefined()
    expect(complaints).toEqual([])
  })

  test('a template whose change would be refused shows the refusal in place of the effect', async () => {
    const { id } = await template(...permissionIds('user:read'))
    const { page, complaints } = await enter(`/${id}`)
    await page.getByRole('checkbox', { name: 'View settings' }).check()
    ok(await root.delete(`/rbac/role-templates/${id}`))
    await press(page, 'Review')
    await dialog(page).getByRole('alert').getByText('This role template no longer exists.').waitFor()
    await inspect(page, 'catalogue-template-gone')
    expect(complaints).toEqual([])
  })

  test('a template with a permission that the caller lacks cannot be changed, and the page says why', async () => {
    const { id } = await template(...permissionIds('user:read'))
    const weaker = await template()
    const manager = await builtIn.userWith('catalogue:manage', 'role:read')
    const { page, complaints } = await visit()
    await signIn(page, manager.email, `catalogue/${id}`)
    await page.getByText('This role has permissions that you lack').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
    expect(await page.getByRole('checkbox').count()).toBe(0)
    await inspect(page, 'catalogue-template-outranks')
    await open(page, `catalogue/${weaker.id}`)
    await page.getByText('Grayed out: You lack this permission, so you can’t add it').waitFor()
    await page.getByRole('checkbox', { name: 'View roles' }).check()
    await press(page, 'Review')
    await dialog(page).getByText('you need the permissions user:read and role:read').waitFor()
    await confirm(page, 'Save')
    await page.getByRole('heading', { name: '1 permission' }).waitFor()
    expect(complaints).toEqual([])
  })

  test('a built-in template is shown, and cannot be changed', async () => {
    const { page, complaints } = await enter(`/${systemRoleId('viewer')}`)
    await page.getByText('View users').waitFor()
    expect(await page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
    expect(await page.getByRole('main').getByRole('switch').count()).toBe(0)
    await open(page, 'catalogue/999')
    await page.getByRole('heading', { name: 'Role template not found' }).waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the other pages of the console', () => {
  test('a template is a system role, which leads holders of catalogue:manage to the catalogue', async () => {
    const { id: shipping } = await define('order:ship', 'Ship orders')
    const { id, name } = await template(shipping)
    const { page, complaints } = await visit()
    await signIn(page, root.email, `roles/${id}?tenant=${tenant.id}`)
    await page.getByText('Ship orders').waitFor()
    await inspect(page, 'role-of-catalogue')
    await page.getByRole('link', { name: 'Open on the Permissions page' }).click()
    await page.getByRole('switch', { name: 'Assigned to new users' }).waitFor()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    const other = await visit()
    await signIn(other.page, tenant.admin.email, `roles/${id}`)
    await other.page.getByText('Ship orders').waitFor()
    expect(await other.page.getByRole('link', { name: 'Open on the Permissions page' }).count()).toBe(0)
    expect(await other.page.getByRole('button', { name: /Edit|Delete/ }).count()).toBe(0)
    await open(other.page, 'roles?tab=compare&search=order:ship')
    await other.page.getByRole('rowheader', { name: 'Ship orders order:ship' }).waitFor()
    expect([...complaints, ...other.complaints]).toEqual([])
  })

  test('a template named like a word of the language has its own description', async () => {
    const body = { name: 'constructor', description: 'Builds houses' }
    const { id } = ok(await root.post('/rbac/role-templates', body))
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `roles/${id}`)
    await page.getByText('Builds houses').waitFor()
    expect(complaints).toEqual([])
  })

  test('the audit log names changes of the catalogue, and leads to what they concern', async () => {
    const { id } = await define('invoice:read', 'Read invoices')
    const { id: templateId, name } = await template(id)
    ok(await root.put(`/rbac/role-templates/${templateId}`, { given_to_new_users: true }))
    const { page, complaints } = await visit()
    await signIn(page, root.email, 'audit?resource=role_template')
    await page.getByRole('link', { name: 'Open the record: Changed the role template' }).first().click()
    await dialog(page).getByText('Assigned to new users').waitFor()
    await dialog(page).getByRole('link', { name }).waitFor()
    await inspect(page, 'catalogue-record')
    await open(page, 'audit?resource=permission')
    await page.getByRole('link', { name: 'Open the record: Created the permission' }).first().click()
    await dialog(page).getByRole('link', { name: 'Read invoices' }).click()
    await page.getByRole('heading', { name: 'Permissions', level: 1 }).waitFor()
    expect(new URL(page.url()).searchParams.get('search')).toBe('invoice:read')
    expect((await auditRecords(builtIn.id, 'permission', id)).map(({ action }) => action)).toEqual([
      'permission.create',
    ])
    expect(complaints).toEqual([])
  })
})

test('the catalogue speaks Chinese, and leaves the names of the product as they are', async () => {
  const { id } = await define('invoice:read', 'Read invoices')
  const { id: templateId } = await template(id)
  const { page, complaints } = await enter()
  await page.evaluate("localStorage.setItem('tenantry.language', 'zh')")
  await page.reload()
  await page.getByRole('heading', { name: '权限', level: 1 }).waitFor()
  await page.getByText('Read invoices').waitFor()
  await inspect(page, 'catalogue-zh')
  await open(page, `catalogue/${templateId}`)
  await page.getByRole('checkbox', { name: '查看用户' }).check()
  await page.getByRole('button', { name: '预览更改' }).click()
  await page.getByText('没有人会获得或失去权限').waitFor()
  await inspect(page, 'catalogue-template-review-zh')
  expect(complaints).toEqual([])
})
