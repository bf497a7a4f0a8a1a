/** The page of examples/invoices signs people in and out, beside a service as `npm start` runs it. */
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { copyOfRepository, endExamples, launchExample } from '../../server/test/example.ts'
import { ask, createStores, endAll, start, type Stores } from '../../server/test/programs.ts'
import { inspect, prove, visit } from './visit.ts'

const password = 'correct horse battery'
const ada = { email: 'ada@example.com', username: 'ada', password }

let stores: Stores
let tenantry: Replica
let folder: string
let product: string
let admin: string
let tenant: string

const dataOf = async (request: string, body?: object) => {
  const answer = await ask(tenantry, request, { token: admin, tenant, ...(body && { body }) })
  expect([request, answer.status]).toEqual([request, 200])
  return answer.data
}

beforeAll(async () => {
  stores = await createStores()
  const [at, port] = [await freePort(), await freePort()]
  tenantry = await start({ ...stores.env, PORT: String(at) })
  await ask(tenantry, 'POST /auth/register', { body: ada })
  folder = copyOfRepository()
  const login = { TENANTRY_ADMIN_EMAIL: ada.email, TENANTRY_ADMIN_PASSWORD: password }
  await launchExample({ folder, tenantryUrl: `http://localhost:${at}`, port }, login).ready
  product = `http://localhost:${port}`
  admin = (await dataOf('POST /auth/login', ada)).access_token
  tenant = (await dataOf('POST /org/tenants', { name: 'Analytical Engines', slug: 'engines' })).id
})

afterAll(async () => {
  endExamples()
  endAll()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** A user of the tenant; returns the address. */
const newUser = async (username: string, roleName?: string): Promise<string> => {
  const email = `${username}@example.com`
  const { id } = await dataOf('POST /users', { email, username, password })
  const roles: { id: number; name: string }[] = await dataOf('GET /rbac/roles')
  const role = roles.find(({ name }) => name === roleName)
  if (role) await dataOf(`POST /rbac/users/${id}/roles`, { role_id: role.id })
  return email
}

const signInButton = (page: Page) => page.getByRole('button', { name: 'Sign in' })

/** Goes from the page of the product to the sign-in at Tenantry, and back. */
const signIn = async (page: Page, email: string): Promise<void> => {
  await signInButton(page).click()
  await page.getByText('to continue to Invoices').waitFor()
  expect(new URL(page.url()).origin).toBe(tenantry.url.replace('127.0.0.1', 'localhost'))
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  // Any program of this computer could imitate a page at localhost, so Tenantry asks.
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: 'Sign out' }).waitFor()
  expect(page.url()).toBe(`${product}/`)
}

const writeInvoice = async (page: Page, customer: string, amount: string): Promise<void> => {
  await page.getByLabel('Customer').fill(customer)
  await page.getByLabel('Amount').fill(amount)
  await page.getByRole('button', { name: 'Write invoice' }).click()
  await page.getByRole('cell', { name: customer }).last().waitFor()
}

test('a bookkeeper signs in, writes an invoice, and signs out of Tenantry as well', async () => {
  const { page, complaints } = await visit()
  const grace = await newUser('grace', 'bookkeeper')
  await page.goto(product)
  await inspect(page, 'example-welcome')
  await signIn(page, grace)
  await page.getByText('grace', { exact: true }).waitFor()
  await page.getByText('Analytical Engines').waitFor()
  await page.getByText('There are no invoices yet.').waitFor()
  await writeInvoice(page, 'Umbrella', '125.5')
  await writeInvoice(page, 'A customer whose name is rather long, as those of some companies are', '1234567')
  await page.getByRole('row', { name: 'Umbrella 125.50' }).waitFor()
  await inspect(page, 'example-invoices')
  await page.reload()
  await page.getByRole('row', { name: 'Umbrella 125.50' }).waitFor()
  await page.getByRole('button', { name: 'Sign out' }).click()
  await signInButton(page).waitFor()
  expect(page.url()).toBe(`${product}/`)
  await signInButton(page).click()
  await page.getByLabel('E-mail').waitFor()
  expect(complaints).toEqual([])
})

test('a viewer sees invoices without the form, and a person without a role sees neither', async () => {
  const viewer = await visit()
  await viewer.page.goto(product)
  await signIn(viewer.page, await newUser('alan', 'viewer'))
  await viewer.page.getByRole('table').waitFor()
  expect(await viewer.page.getByLabel('Customer').isVisible()).toBe(false)
  const stranger = await visit()
  await stranger.page.goto(product)
  await signIn(stranger.page, await newUser('joan'))
  await stranger.page.getByText('You may not read invoices.').waitFor()
  expect(await stranger.page.getByRole('table').isVisible()).toBe(false)
  await inspect(stranger.page, 'example-no-role')
  expect([...viewer.complaints, ...stranger.complaints]).toEqual([])
})

test('a person who is disabled loses the page, and cannot sign in again', async () => {
  const { page } = await visit()
  const email = await newUser('edith', 'bookkeeper')
  await page.goto(product)
  await signIn(page, email)
  const [user] = (await dataOf('GET /users?search=edith')).items
  await dataOf(`PUT /users/${user.id}`, { status: 0 })
  await expect
    .poll(async () => {
      await page.reload()
      await page.getByRole('button', { name: /^Sign (?:in|out)$/ }).waitFor()
      return page.getByRole('status').textContent()
    })
    .toBe('The session is over')
  await signInButton(page).click()
  await prove(page, email)
  await page.getByText('This account is disabled.').waitFor()
})

test('a person who refuses comes back, and is told so', async () => {
  const { page } = await visit()
  await page.goto(product)
  await signInButton(page).click()
  await page.getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('The sign-in failed').waitFor()
  await signInButton(page).waitFor()
  expect(page.url()).toBe(`${product}/`)
})
