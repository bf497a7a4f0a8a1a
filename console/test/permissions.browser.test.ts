/** The controls that each role sees on each page, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import {
  assign,
  newTenant,
  ok,
  platformAdmin,
  systemRoleId,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { insertConnectionRows } from '../../server/test/connection-rows.ts'
import { makeFlag } from '../../server/test/flags.ts'
import { insertReview } from '../../server/test/reviews.ts'
import { chooseAction, inspect, open, refuseStream, settle, signIn, visit } from './visit.ts'

let tenant: Tenant
/** The user and the role on the pages; any administrator may change them. */
let target: Caller
let role: { id: number; name: string }
let webhook: { id: number }
let flag: string
let connection: string
let review: number

beforeAll(async () => {
  tenant = await newTenant()
  target = await tenant.member()
  role = await tenant.role('dashboard:read')
  ok(await tenant.admin.post('/invitations', { email: `${target.username}@example.org` }))
  ok(await tenant.admin.post(`/rbac/users/${target.userId}/roles`, { role_id: role.id }))
  flag = await makeFlag()
  ;({ reviewId: review } = await insertReview(tenant))
  connection = await insertConnectionRows({ id: tenant.id, admin: target })
  webhook = ok(await tenant.admin.post('/webhooks', { url: 'https://example.com/', events: ['user.*'] }))
})

const people = {
  'platform-admin': platformAdmin,
  admin: () => Promise.resolve(tenant.admin),
  viewer: async () => {
    const user = await tenant.member()
    await assign(tenant.id, user.userId, systemRoleId('viewer'))
    return user
  },
  member: () => tenant.member(),
}
type Who = keyof typeof people

/** The paths of the pages. Each list shows one row, so that names of rows do not matter. */
const pages = {
  dashboard: () => '',
  users: () => `users?search=${target.username}`,
  'users/import': () => 'users/import',
  'users/invitations': () => 'users/invitations',
  'users/…': () => `users/${target.userId}`,
  'users/… access': () => `users/${target.userId}?tab=access`,
  roles: () => `roles?search=${role.name}`,
  'roles compared': () => `roles?tab=compare&search=dashboard:read&shown=[${role.id}]`,
  'roles/…': () => `roles/${role.id}?search=dashboard:read`,
  support: () => 'support',
  reviews: () => 'reviews',
  'reviews/…': () => `reviews/${review}`,
  approvals: () => 'approvals',
  'approval policies': () => 'approvals?tab=policies',
  connections: () => 'connections',
  'connections/new': () => 'connections/new',
  'connections/…': () => `connections/${connection}?step=3`,
  webhooks: () => 'webhooks',
  'webhooks/…': () => `webhooks/${webhook.id}`,
  flags: () => `flags?search=${flag}`,
  'flags/…': () => `flags/${flag}`,
  tenants: () => `tenants?search=${tenant.slug}`,
  attributes: () => 'attributes',
  catalogue: () => 'catalogue',
  audit: () => 'audit',
  settings: () => 'settings',
  'settings for branding': () => 'settings?section=branding',
  'settings of the product': () => 'settings?section=product',
  'settings for experts': () => 'settings?section=advanced',
  'settings of all': () => 'settings?scope=global',
  'branding of all': () => 'settings?scope=global&section=branding',
  notifications: () => 'notifications',
}

const places = [
  'Dashboard',
  'Audit log',
  'Users',
  'Roles',
  'Consents',
  'Access reviews',
  'Support',
  'Approvals',
  'Single sign-on',
  'Service accounts',
  'Webhooks',
  'Settings',
  'Notifications',
]
const tabs = ['Overview', 'Roles and permissions', 'Activity']
const approvalTabs = ['Requests', 'Policies']
const roleTabs = ['All roles', 'Compare']
const roleOrders = ['Permissions', 'Assigned users']
const keeping = ['Keep them forever', 'Delete them after a number of days']

const assistants =
  'Users may connect assistants that registered themselvesNo one here has checked these apps. Users are asked for consent each time. Turning this off ends the apps’ sessions.'

const connectionTabs = ['Group mappings', 'Directory', 'Attempts']
const connectionSteps = ['Step 2 of 3 Done:Who signs in', 'Step 3 of 3Test and activate']
const guides = ['Entra ID', 'Okta', 'Google Workspace', 'Keycloak']
const providers = [...guides, 'Other']

const markRead = 'Mark all as read'

/** Headers that sort the list. */
const orders = ['E-mail', 'Last sign-in']

const passwordRules = [
  'Refuse common passwordsPasswords that many people choose, even with digits or symbols at the end.',
  'Refuse names as passwordsE-mail, username and display name, and the names of the organization and the product.',
  'Refuse stolen passwordsChecks the first five characters of a hash against an external list. If the list can’t be reached, the password is accepted.',
]

/** The controls of an administrator in a tenant. */
const inTenant = {
  // The tenant has no service account yet, so the first steps show.
  dashboard: ['Hide'],
  users: ['Invite users', 'Select', ...orders, 'Disable', 'Create user', 'Import', 'Export', 'Invitations'],
  'users/import': ['Choose a file', 'Download a template'],
  'users/invitations': ['Invite users', 'Send again to', 'Revoke the invitation for'],
  'users/…': [
    'Disable',
    ...tabs,
    'Save',
    'Send reset link',
    'Require a new password',
    'Unlink',
    'Sign out everywhere',
    'Export data',
    'Support',
    'Delete',
  ],
  'users/… access': [
    'Disable',
    ...tabs,
    'Change the end date of',
    'Remove',
    'Make eligible',
    'Export data',
    'Support',
    'Delete',
  ],
  roles: ['Create role', ...roleTabs, 'Select', ...roleOrders, 'Duplicate'],
  'roles compared': ['Create role', ...roleTabs, 'View the dashboard, for'],
  'roles/…': [
    'Edit',
    'View the dashboard dashboard:read',
    'Assign users',
    'Remove the role from',
    'Duplicate',
    'Delete',
  ],
  support: ['Support settings', 'Open users'],
  reviews: ['Create review'],
  'reviews/…': ['Download report', 'Close review', 'Select'],
  approvals: [...approvalTabs, 'Set up policies'],
  'approval policies': [...approvalTabs, 'Require approval'],
  connections: [
    'Send setup link',
    'Create connection',
    ...guides,
    'Show the record',
    'Delete the domain',
    'Add domain',
    'Revoke the link for',
    'Remove',
    'Add break-glass user',
    'Require single sign-on',
  ],
  'connections/new': [
    ...providers,
    'OpenID Connect',
    'SAML 2.0',
    'Copy the redirect URL',
    'Guide for Entra ID',
    'More fields',
    'Create draft and continue',
  ],
  'connections/…': [
    'Setup',
    ...connectionTabs,
    ...connectionSteps,
    'Start test',
    'Activate',
    'Copy the redirect URL',
    'More fields',
    'Delete',
  ],
  webhooks: ['Create webhook'],
  'webhooks/…': [
    'Edit',
    'Copy the URL',
    'Sample payload',
    'Send test',
    'Replay',
    'Create new secret',
    'Disable',
    'Delete',
  ],
  audit: ['Export'],
  settings: ['Open your profile', ...passwordRules],
  'settings for branding': ['Choose image'],
  'settings of the product': ['Create setting'],
  'settings for experts': [...keeping, assistants],
  notifications: [markRead, 'Send'],
}

/** The controls of each page apart from its views; `needs …` if the page names a missing permission. */
const offered: Record<Who, Record<keyof typeof pages, string[]> & { navigation: string[] }> = {
  'platform-admin': {
    ...inTenant,
    navigation: [
      'Dashboard',
      'Audit log',
      'Organizations',
      'Attributes',
      'Permissions',
      'Sign-in providers',
      'Users',
      'Roles',
      'Consents',
      'Access reviews',
      'Support',
      'Approvals',
      'Single sign-on',
      'Applications',
      'Resources',
      'Service accounts',
      'Webhooks',
      'Feature flags',
      'Settings',
      'Notifications',
    ],
    // Only reviewers select entries.
    'reviews/…': ['Download report', 'Close review'],
    // Only users of the tenant set policies.
    'approval policies': approvalTabs,
    flags: ['Create flag', 'Flag'],
    'flags/…': ['Flag', 'Edit', 'Edit rules', 'Evaluate', 'Delete'],
    tenants: [
      'Create organization',
      'Users',
      'Administrators',
      'Last activity',
      'Limit used',
      'Work in this organization',
      'Edit',
      'Disable',
      'Delete',
    ],
    attributes: ['Create attribute', 'Users', 'Organizations'],
    catalogue: ['Create permission', 'Permissions', 'Role templates'],
    'settings of all': [
      'Open your profile',
      ...passwordRules,
      'Require a browser challengeBefore someone registers, creates an organization or requests an e-mail, their browser solves a challenge in the background, which takes about a second. Your own apps need an ALTCHA library or a service account’s key.',
    ],
    'branding of all': [
      'Choose image',
      'Notify users when they sign in on a new deviceAll other security notices are always sent.',
      'All pagesEach user sees those that their permissions allow.',
      'Preview the portalShows the saved portal in this window, with your permissions in this organization.',
    ],
  },
  admin: {
    ...inTenant,
    navigation: places,
    flags: ['needs flag:read'],
    'flags/…': ['needs flag:read'],
    tenants: ['needs tenant:read'],
    attributes: ['needs attribute:declare'],
    catalogue: ['needs catalogue:manage'],
    'settings of all': inTenant.settings,
    'branding of all': inTenant['settings for branding'],
  },
  viewer: {
    navigation: places.filter((place) => place !== 'Support'),
    dashboard: [],
    users: ['Select', ...orders, 'Export', 'Invitations'],
    'users/import': ['needs user:create'],
    'users/invitations': [],
    'users/…': [...tabs, 'Export data'],
    'users/… access': [...tabs, 'Export data'],
    roles: [...roleTabs, 'Select', ...roleOrders],
    'roles compared': roleTabs,
    'roles/…': [],
    support: ['Support settings'],
    reviews: [],
    'reviews/…': ['Download report'],
    approvals: approvalTabs,
    'approval policies': approvalTabs,
    connections: [...guides, 'Show the record'],
    'connections/new': ['needs sso:manage'],
    'connections/…': ['Provider', 'Who signs in', ...connectionTabs, 'Copy the redirect URL'],
    webhooks: [],
    'webhooks/…': ['Copy the URL', 'Sample payload'],
    flags: ['needs flag:read'],
    'flags/…': ['needs flag:read'],
    tenants: ['needs tenant:read'],
    attributes: ['needs attribute:declare'],
    catalogue: ['needs catalogue:manage'],
    audit: ['Export'],
    settings: [],
    'settings for branding': [],
    'settings of the product': [],
    'settings for experts': [],
    'settings of all': [],
    'branding of all': [],
    notifications: [markRead],
  },
  member: {
    navigation: ['Dashboard', 'Notifications'],
    dashboard: [],
    users: ['needs user:read'],
    'users/import': ['needs user:create'],
    'users/invitations': ['needs user:read'],
    'users/…': ['needs user:read'],
    'users/… access': ['needs user:read'],
    roles: ['needs role:read'],
    'roles compared': ['needs role:read'],
    'roles/…': ['needs role:read'],
    support: [],
    reviews: [],
    'reviews/…': [],
    approvals: [],
    'approval policies': [],
    connections: ['needs sso:read'],
    'connections/new': ['needs sso:manage'],
    'connections/…': ['needs sso:read'],
    webhooks: ['needs webhook:read'],
    'webhooks/…': ['needs webhook:read'],
    flags: ['needs flag:read'],
    'flags/…': ['needs flag:read'],
    tenants: ['needs tenant:read'],
    attributes: ['needs attribute:declare'],
    catalogue: ['needs catalogue:manage'],
    audit: ['needs audit:read'],
    settings: ['needs setting:read'],
    'settings for branding': ['needs setting:read'],
    'settings of the product': ['needs setting:read'],
    'settings for experts': ['needs setting:read'],
    'settings of all': ['needs setting:read'],
    'branding of all': ['needs setting:read'],
    notifications: [markRead],
  },
}

/** Controls that change the view or belong to a field; every caller with the page has them. */
const views =
  /^(Security|Branding|Product|Advanced|Columns|More|ID|Name|Status|Created|Clear|Dashboard(1 of 1)?|\d+ of \d+ roles?|This organization|All organizations|Time: .*|Show (password|secret)|.+\d+ permissions?Built-in)$/

const pressable =
  'button:not(.event), a.mantine-Button-root, input[type=checkbox]:enabled, .mantine-Radio-radio:enabled'

/** The items in a menu of the page. */
const openMenu = async (page: Page, name: string): Promise<string[]> => {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click()
  await page.getByRole('menuitem').first().waitFor()
  return page.getByRole('menuitem').allTextContents()
}

/** The browser's type; Node has no DOM types. */
interface Pressable {
  ariaLabel: string | null
  labels?: { textContent: string }[]
  textContent: string
}

/** The names of all buttons, links and checkboxes on the page, except those of users and roles. */
const offersOf = async (page: Page): Promise<string[]> => {
  const main = page.getByRole('main')
  const [refusal] = await main.getByText('You need the permission').allTextContents()
  if (refusal !== undefined) return [`needs ${/\w+:\w+/.exec(refusal)?.[0]}`]
  const names = await main
    .locator(pressable)
    .evaluateAll((all) =>
      (all as unknown as Pressable[]).map((one) => one.ariaLabel ?? (one.labels?.[0] ?? one).textContent),
    )
  const general = names.map((name) =>
    name.replace(
      /^(Change the end date of|Disable|Flag|Select|Duplicate|Remove the role from|Remove|View the dashboard, for|Delete the domain|Send again to|Revoke the invitation for|Revoke the link for|Require approval)[ :].*/,
      '$1',
    ),
  )
  const offers = new Set(general.filter((name) => !views.test(name)))
  const menu = general.find((name) => name === 'More' || name.startsWith('Actions for'))
  if (menu === undefined) return [...offers]
  offers.delete(menu)
  return [...offers, ...(await openMenu(page, menu))]
}

describe.each(Object.keys(people) as Who[])('%s', (who) => {
  test('the pages offer exactly the permitted actions', async () => {
    const { page, complaints } = await visit()
    await refuseStream(page)
    const { email, tenantId } = await people[who]()
    await signIn(page, email)
    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link').first().waitFor()
    const navigation = await page
      .getByRole('navigation', { name: 'Pages' })
      .getByRole('link')
      .allTextContents()
    const found: Record<string, string[]> = { navigation }
    for (const [name, path] of Object.entries(pages)) {
      const [before, search = ''] = path().split('?')
      await open(page, `${before}?${search}${tenantId === tenant.id ? '' : `&tenant=${tenant.id}`}`)
      await settle(page)
      found[name] = await offersOf(page)
    }
    expect(found).toEqual(offered[who])
    expect(complaints).toEqual([])
  })
})

test('the address of a forbidden tab shows a permitted one', async () => {
  const { page, complaints } = await visit()
  await refuseStream(page)
  const reader = await tenant.userWith('user:read')
  await signIn(page, reader.email, `users/${target.userId}?tab=access`)
  await page.getByRole('heading', { name: 'Details' }).waitFor()
  await open(page, `users/${target.userId}?tab=activity`)
  await page.getByRole('heading', { name: 'Details' }).waitFor()
  expect(await page.getByRole('tab', { selected: true }).textContent()).toBe('Overview')
  expect(complaints).toEqual([])
})

test("a forbidden page leads to the caller's own roles", async () => {
  const { page, complaints } = await visit()
  await refuseStream(page)
  await signIn(page, (await tenant.member()).email, 'audit')
  await page.getByText('Ask an administrator for a role that has it').waitFor()
  await page.getByRole('link', { name: 'See your roles' }).click()
  await page.getByRole('heading', { name: 'Your roles' }).waitFor()
  await page.getByText('What every user starts with').waitFor()
  expect(complaints).toEqual([])
})

describe('a permission taken away while the page is open', () => {
  /** A user with these permissions by one role, and a function that takes the role away. */
  const withRole = async (...codes: Parameters<Tenant['role']>) => {
    const user = await tenant.member()
    const { id } = await tenant.role(...codes)
    await assign(tenant.id, user.userId, id)
    const takeAway = async () => ok(await tenant.admin.delete(`/rbac/users/${user.userId}/roles/${id}`))
    return { user, takeAway }
  }

  test('is explained beside the refused action, and the typed text stays', async () => {
    const { page, complaints } = await visit()
    await refuseStream(page)
    const { user, takeAway } = await withRole('user:read', 'user:create')
    await signIn(page, user.email, 'users')
    await chooseAction(page, 'Create user')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mail').fill('ada@example.com')
    await dialog.getByLabel('Username').fill('ada')
    await dialog.getByRole('button', { name: 'Generate' }).click()
    await takeAway()
    await dialog.getByRole('button', { name: 'Create user' }).click()
    await dialog.getByText('Your roles don’t allow this').waitFor()
    expect(await dialog.getByLabel('E-mail').inputValue()).toBe('ada@example.com')
    await inspect(page, 'user-create-refused')
    expect(complaints).toEqual([])
  })

  test('is explained in place of the list', async () => {
    const { page, complaints } = await visit()
    await refuseStream(page)
    const { user, takeAway } = await withRole('user:read')
    await signIn(page, user.email, 'users')
    await page.getByText(user.email).first().waitFor()
    await takeAway()
    await page.getByRole('searchbox', { name: 'Search users' }).fill('somebody')
    await page.getByRole('alert').getByText('Your roles don’t allow this').waitFor()
    await inspect(page, 'users-refused')
    expect(complaints).toEqual([])
  })
})
