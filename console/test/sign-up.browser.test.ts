/** A stranger goes from a connected product to an organization of their own, and invites a colleague. */
import { rmSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { startMailServer, type MailServer } from '../../lab/mail-server.ts'
import { freePort } from '../../lab/processes.ts'
import type { Replica } from '../../lab/replica.ts'
import { copyOfRepository, endExamples, launchExample } from '../../server/test/example.ts'
import { ask, createStores, endAll, start, type Stores } from '../../server/test/programs.ts'
import { expectSoon, inspect, visit } from './visit.ts'

const password = 'correct horse battery'
const ada = { email: 'ada@example.com', username: 'ada', password }

let stores: Stores
let mails: MailServer
let tenantry: Replica
let folder: string
let product: string

beforeAll(async () => {
  stores = await createStores()
  mails = await startMailServer()
  const [at, port] = [await freePort(), await freePort()]
  tenantry = await start({
    ...stores.env,
    PORT: String(at),
    TENANTRY_SIGN_UP: 'organization',
    SMTP_URL: `smtp://127.0.0.1:${mails.port}`,
    TENANTRY_MAIL_FROM: 'Invoices <no-reply@example.com>',
    TENANTRY_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  })
  await ask(tenantry, 'POST /auth/register', { body: ada })
  folder = copyOfRepository()
  const login = { TENANTRY_ADMIN_EMAIL: ada.email, TENANTRY_ADMIN_PASSWORD: password }
  await launchExample({ folder, tenantryUrl: `http://localhost:${at}`, port }, login).ready
  product = `http://localhost:${port}`
})

afterAll(async () => {
  endExamples()
  endAll()
  await mails.stop()
  await stores.remove()
  rmSync(folder, { recursive: true, force: true })
})

/** The link of the only e-mail to an address. */
const linkTo = async (email: string): Promise<string> => {
  await expectSoon(() => mails.to(email).length).toBe(1)
  return mails.to(email)[0]?.link ?? ''
}

const words = {
  'en-GB': {
    create: 'Create your organization',
    name: 'Organization name',
    email: 'E-mail',
    ask: 'Send link',
    sent: 'A link was sent to',
    slug: 'Slug',
    username: 'Username',
    password: 'Password',
    submit: 'Create organization',
    back: 'Go to Invoices',
    enter: 'Go to the dashboard',
    dashboard: 'Dashboard',
    users: 'Users',
    invite: 'Invite users',
    emails: 'E-mails',
    send: 'Invite',
    invited: 'Invitation sent',
  },
  'zh-CN': {
    create: '创建您的组织',
    name: '组织名称',
    email: '邮箱',
    ask: '发送链接',
    sent: '链接已发送至',
    slug: '标识',
    username: '用户名',
    password: '密码',
    submit: '创建组织',
    back: '前往 Invoices',
    enter: '前往仪表盘',
    dashboard: '仪表盘',
    users: '用户',
    invite: '邀请用户',
    emails: '邮箱',
    send: '邀请',
    invited: '份邀请',
  },
} as const

const signUpAt = async (page: Page, locale: keyof typeof words, organization: string, email: string) => {
  const text = words[locale]
  await page.goto(product)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: text.create }).click()
  await page.getByLabel(text.name).fill(organization)
  await page.getByLabel(text.email).fill(email)
  await inspect(page, `hosted-sign-up-${locale}`)
  await page.getByRole('button', { name: text.ask }).click()
  await page.getByText(text.sent).waitFor()
  await inspect(page, `hosted-sign-up-sent-${locale}`)
}

test.each([
  ['en-GB', 'Umbrella & Sons', 'umbrella-sons', ['grace@example.com', 'alan@example.com']],
  ['zh-CN', '保护伞公司', 'org', ['lihua@example.com', 'wang@example.com']],
] as const)(
  'a stranger creates an organization from a product, and invites a colleague (%s)',
  async (locale, organization, slug, [email, colleague]) => {
    const text = words[locale]
    const { page, complaints } = await visit({ locale })
    await signUpAt(page, locale, organization, email)
    await page.goto(await linkTo(email))
    await page.getByRole('heading', { name: text.create, level: 1 }).waitFor()
    expect(new URL(page.url()).hash).toBe('')
    await page.getByText(organization).waitFor()
    expect(await page.getByLabel(text.slug).inputValue()).toBe(slug)
    await page.getByRole('textbox', { name: text.password }).fill(password)
    await page.getByLabel(text.username).fill(email.split('@')[0] ?? '')
    await inspect(page, `sign-up-confirm-${locale}`)
    await page.getByRole('button', { name: text.submit }).click()
    expect(await page.getByRole('link', { name: text.back }).getAttribute('href')).toBe(`${product}/`)
    await inspect(page, `sign-up-created-${locale}`)
    await page.getByRole('link', { name: text.enter }).click()
    await page.getByRole('heading', { name: text.dashboard, level: 1 }).waitFor()
    await page.getByText(organization).first().waitFor()
    await inspect(page, `sign-up-dashboard-${locale}`)
    await page.getByRole('link', { name: text.users, exact: true }).first().click()
    await page.getByRole('button', { name: text.invite }).click()
    await page.getByRole('dialog').getByLabel(text.emails).fill(colleague)
    await page.getByRole('dialog').getByRole('button', { name: text.send, exact: true }).click()
    await page.getByText(text.invited).first().waitFor()
    expect(await linkTo(colleague)).toContain('/sign-in/accept-invitation#token=')
    expect(complaints).toEqual([])
  },
)

test('the console offers it beside the sign-in, and a dead link says how to get another one', async () => {
  const { page, complaints } = await visit()
  await page.goto(`${tenantry.url.replace('127.0.0.1', 'localhost')}/console/`)
  await page.getByRole('button', { name: 'Create your organization' }).click()
  await page.getByRole('heading', { name: 'Create your organization', level: 1 }).waitFor()
  await inspect(page, 'sign-up-ask')
  await page.getByLabel('Organization name').fill('Visit www.evil.example')
  await page.getByLabel('E-mail').fill('mallory@example.com')
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('without links or e-mails').waitFor()
  await page.goto(`${tenantry.url.replace('127.0.0.1', 'localhost')}/sign-in/sign-up#token=made-up`)
  await page.getByText('This link no longer works').waitFor()
  await page.getByRole('link', { name: 'Request a new link' }).click()
  await page.getByLabel('Organization name').waitFor()
  expect(complaints).toEqual([])
})

test('a person creates another organization in their account, and continues in it', async () => {
  const { page, complaints } = await visit()
  const origin = tenantry.url.replace('127.0.0.1', 'localhost')
  const email = 'joan@example.com'
  await ask(tenantry, 'POST /auth/sign-up', { body: { organization: 'First of Joan', email } })
  await page.goto(await linkTo(email))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Dashboard', level: 1 }).waitFor()
  await page.goto(`${origin}/account/organizations`)
  await page.getByRole('button', { name: 'Create an organization' }).click()
  await page.getByRole('dialog').getByLabel('Organization name').fill('Second of Joan')
  await inspect(page, 'sign-up-another')
  await page.getByRole('dialog').getByRole('button', { name: 'Create organization' }).click()
  await page.getByRole('heading', { name: 'Your roles in Second of Joan' }).waitFor()
  expect(complaints).toEqual([])
})
