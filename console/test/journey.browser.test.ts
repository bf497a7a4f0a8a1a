/** From an empty installation to a tenant with its own administrator, as a newcomer does it. */
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openInstallation, startOn, type Installation } from '../../server/test/installation.ts'
import { password } from '../../server/test/factories.ts'
import type { Running } from '../../server/test/harness.ts'
import { chooseAction, inspect, visit } from './visit.ts'

let installation: Installation
let running: Running

beforeAll(async () => {
  installation = await openInstallation()
  running = await startOn(installation.parts)
})

afterAll(async () => {
  await running.app.close()
  await installation.remove()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const follow = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click()
const type = (page: Page, label: string, text: string) =>
  page.getByRole('textbox', { name: label, exact: true }).fill(text)

const becomeFirstAdministrator = async (page: Page): Promise<void> => {
  await page.goto(running.url)
  await heading(page, 'Create the first administrator')
  await type(page, 'E-mail', 'ada@example.com')
  await type(page, 'Username', 'ada')
  await type(page, 'Password', password)
  await press(page, 'Create administrator')
  await heading(page, 'Dashboard')
}

/** Resolves to the link of the invitation for the tenant's administrator. */
const createTenant = async (page: Page): Promise<string> => {
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByText('Done: Create the first administrator').waitFor()
  await steps.getByText('E-mails are saved as files in data/mail').waitFor()
  await press(page, 'Use these rules')
  await steps.getByText('Done: Set rules for new passwords').waitFor()
  await follow(page, 'Create the first organization')
  const dialog = page.getByRole('dialog', { name: 'Create organization' })
  await dialog.getByRole('textbox', { name: 'Name', exact: true }).fill('Acme')
  await type(page, 'E-mail of the first administrator', 'grace@acme.example')
  await dialog.getByRole('button', { name: 'Create organization' }).click()
  await page.getByText('grace@acme.example has been invited to administer it.').waitFor()
  const link = (await page.getByText(/accept-invitation#token=/).textContent()) ?? ''
  await follow(page, 'Work in this organization')
  // The invitation of the administrator is no step of the organization itself.
  await steps.getByRole('link', { name: 'Add the first users' }).waitFor()
  return link
}

const createUser = async (page: Page): Promise<void> => {
  await follow(page, 'Users')
  await chooseAction(page, 'Create user')
  await type(page, 'E-mail', 'alan@acme.example')
  await type(page, 'Username', 'alan')
  await type(page, 'Display name', 'Alan')
  await press(page, 'Generate')
  await page.getByRole('dialog').getByRole('button', { name: 'Create user' }).click()
  await page.getByText('Alan created.').waitFor()
  await follow(page, 'alan@acme.example')
  await heading(page, 'Alan')
}

const giveRole = async (page: Page): Promise<void> => {
  await page.getByRole('tab', { name: 'Roles and permissions' }).click()
  await page.getByRole('combobox', { name: 'Assign role' }).click()
  await page.getByRole('option', { name: 'viewer' }).click()
  await press(page, 'Assign')
  await page.getByText('Role assigned.').waitFor()
}

/** The dashboard counts the new tenant, and links to its audit record. */
const lookBack = async (page: Page): Promise<void> => {
  await follow(page, 'Dashboard')
  const users = page
    .locator('.mantine-Card-root', { hasText: 'Users' })
    .filter({ hasText: 'in the last 30 days' })
  await users.getByText('1', { exact: true }).waitFor()
  const steps = page.getByRole('list', { name: 'First steps' })
  await steps.getByText('Done: Add the first users').waitFor()
  expect(await steps.getByRole('link').allTextContents()).toEqual([
    'Create your first role',
    'Create service account',
    'Set up single sign-on',
  ])
  // Nothing is compared with a time before the tenant: all users are new.
  await users.getByText('+1', { exact: true }).waitFor()
  await inspect(page, 'journey-dashboard')
  await page.getByRole('link', { name: 'assigned viewer to alan' }).first().click()
  const record = page.getByRole('dialog')
  await record.getByRole('heading', { name: 'Assigned viewer to alan' }).waitFor()
  const changes = record.getByRole('table', { name: 'Changes' })
  await changes.getByText('alan', { exact: true }).waitFor()
  await changes.getByText('viewer', { exact: true }).waitFor()
  await inspect(page, 'journey-record')
  await record.getByRole('button', { name: 'Close' }).click()
}

const acceptInvitation = async (page: Page, link: string): Promise<void> => {
  // The installation names its public address; the tests reach it at another.
  const { pathname, hash } = new URL(link)
  await page.goto(`${running.url}${pathname}${hash}`)
  await heading(page, 'Accept your invitation')
  await type(page, 'Password', password)
  await press(page, 'Accept invitation')
  await heading(page, 'Dashboard')
}

test('a newcomer goes from an empty installation to a tenant with its administrator, guided by the pages', async () => {
  const { page, complaints } = await visit()
  page.setDefaultTimeout(15_000)
  await becomeFirstAdministrator(page)
  await inspect(page, 'journey-start')
  const link = await createTenant(page)
  await inspect(page, 'journey-tenant')
  await createUser(page)
  await giveRole(page)
  await lookBack(page)
  await press(page, 'Account')
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await heading(page, 'You’re signed out')
  await acceptInvitation(page, link)
  await page.getByText('Acme').first().waitFor()
  await inspect(page, 'journey-administrator')
  expect(await page.getByRole('link', { name: 'Organizations' }).count()).toBe(0)
  await follow(page, 'Users')
  await page.getByRole('link', { name: 'Alan' }).waitFor()
  expect(complaints).toEqual([])
}, 300_000)
