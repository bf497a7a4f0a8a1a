/** Invitations: inviting, and the page that a mailed link opens (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, unique, type Tenant } from '../../server/test/factories.ts'
import { call, service, startApp } from '../../server/test/harness.ts'
import { accept, lookUp } from '../../server/test/people.ts'
import { addTotp, withTokens } from '../../server/test/second-factors.ts'
import { linkTo, mailsTo } from './mailed.ts'
import {
  chooseAction,
  expectSoon,
  inspect,
  open,
  signIn,
  signInByForm,
  storeSession,
  visit,
} from './visit.ts'

let tenant: Tenant
/** People who have an account are users there. */
let home: Tenant

beforeAll(async () => {
  tenant = await newTenant()
  home = await newTenant()
})

const newEmail = () => `${unique('invited')}@example.com`

const invite = async ({ admin }: Tenant, email: string, nickname = ''): Promise<string> => {
  ok(await admin.post('/invitations', { email, nickname }))
  return linkTo(email)
}

const tokenOf = (link: string): string => link.split('#token=')[1] ?? ''

/** Makes an account with an owner; gives its tokens. */
const newPerson = async (email: string) =>
  ok(await accept(tokenOf(await invite(home, email)), { password })) as {
    access_token: string
    refresh_token: string
  }

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

const acceptButton = (page: Page) => page.getByRole('button', { name: 'Accept invitation' })

/** The console is open in the tenant that invited. */
const seeTenant = async (page: Page): Promise<void> => {
  await heading(page, 'Dashboard').waitFor()
  await expectSoon(() => page.title()).toContain(`Tenant ${tenant.slug}`)
}

const usersOf = async (email: string): Promise<{ username: string }[]> =>
  ok(await tenant.admin.get(`/users?search=${email}`)).items

describe('a mailed invitation', () => {
  test('makes an account with only the keyboard, and does nothing before the click', async () => {
    const { page, complaints } = await visit()
    const [email, username] = [newEmail(), unique('ada')]
    const { username: taken } = await tenant.member()
    const link = await invite(tenant, email, 'Ada L.')
    const sent: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') sent.push(new URL(request.url()).pathname)
    })
    await page.goto(link)
    await page.getByText(`Tenant ${tenant.slug} has invited you.`).waitFor()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    expect(await page.getByLabel('Username').inputValue()).toBe(email.split('@')[0])
    expect(await page.getByLabel('Display name').inputValue()).toBe('Ada L.')
    expect(page.url()).not.toContain('token')
    await inspect(page, 'accept-invitation')
    // Questions, which change nothing.
    const questions = ['/api/v1/auth/invitations/lookup', '/oauth2/look', '/oauth2/way-back']
    expect(sent.toSorted()).toEqual(questions)
    await page.getByLabel('Username').focus()
    await page.keyboard.press('Control+a')
    await page.keyboard.type(taken)
    await page.keyboard.press('Tab')
    await page.keyboard.type('Ada')
    await page.keyboard.press('Tab')
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await page.getByText('This username is taken.').waitFor()
    await inspect(page, 'accept-invitation-taken')
    await page.getByLabel('Username').fill(username)
    await page.keyboard.press('Enter')
    await seeTenant(page)
    expect(await usersOf(email)).toMatchObject([{ username, nickname: 'Ada' }])
    expect(complaints).toEqual([])
  })

  test('is accepted with the password of an account', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    await newPerson(email)
    await page.goto(await invite(tenant, email))
    await page.getByText('You already have an account with this e-mail.').waitFor()
    await inspect(page, 'accept-invitation-account')
    await page.getByLabel('Username').fill(unique('bob'))
    await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
    await acceptButton(page).click()
    await page.getByText('The e-mail or password is wrong.').waitFor()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await acceptButton(page).click()
    await seeTenant(page)
    expect(complaints).toEqual([])
  })

  test('takes the username alone in a session of its address', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    await newPerson(email)
    await signInByForm(page, email)
    await page.goto(await invite(tenant, email))
    await page.getByText('You’re signed in with this e-mail.').waitFor()
    expect(await page.getByRole('textbox', { name: 'Password' }).count()).toBe(0)
    await page.getByLabel('Username').fill(unique('cyd'))
    await page.keyboard.press('Enter')
    await seeTenant(page)
    expect(complaints).toEqual([])
  })

  test('an invitation opened in a session of another address waits until that signs out', async () => {
    const { page, complaints } = await visit()
    const [email, other] = [newEmail(), await home.member()]
    await signInByForm(page, other.email)
    await page.goto(await invite(tenant, email))
    await page.getByText(`This invitation is for ${email}, but you’re signed in as ${other.email}.`).waitFor()
    await inspect(page, 'accept-invitation-other')
    await page.getByRole('button', { name: 'Sign out and continue' }).press('Enter')
    await page.getByLabel('Username').fill(unique('dan'))
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await acceptButton(page).click()
    await seeTenant(page)
    expect(complaints).toEqual([])
  })

  test('asks at first for a new password where the account has no owner', async () => {
    const { page, complaints } = await visit()
    const { email } = await home.member()
    await page.goto(await invite(tenant, email))
    await page.getByText('an account that no one has confirmed yet').waitFor()
    await inspect(page, 'accept-invitation-owner')
    await page.getByRole('textbox', { name: 'New password' }).fill('a fine long password')
    await page.keyboard.press('Enter')
    await seeTenant(page)
    expect((await call('POST', '/auth/login', { body: { email, password } })).status).toBe(401)
    expect(complaints).toEqual([])
  })

  test('says at first that a link which was only shown is not enough for such an account', async () => {
    const silent = await startApp({}, undefined, { mailer: undefined })
    const { email } = await home.member()
    const { link } = ok(
      await call('POST', '/invitations', { token: tenant.admin.token, body: { email }, at: silent }),
    )
    const { page, complaints } = await visit()
    await page.goto(`${silent.url}${new URL(link).pathname}${new URL(link).hash}`)
    await page.getByText('No one has confirmed this e-mail yet').waitFor()
    expect(await page.getByRole('textbox').count()).toBe(0)
    await inspect(page, 'accept-invitation-shown')
    await page.getByRole('button', { name: 'Choose a new password' }).click()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    expect(complaints).toEqual([])
    await page.goto('about:blank')
    await silent.app.close()
  })

  test('continues with the second factor of the account', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    const app = await addTotp(withTokens(await home.member(), await newPerson(email)))
    await page.goto(await invite(tenant, email))
    await page.getByLabel('Username').fill(unique('fay'))
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await heading(page, 'Two-step verification').waitFor()
    await page.getByRole('textbox', { name: 'Code', exact: true }).fill(app.nextCode())
    await page.keyboard.press('Enter')
    await seeTenant(page)
    expect(complaints).toEqual([])
  })

  test('a revoked or dead invitation says that the link does not work', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    const { id } = ok(await tenant.admin.post('/invitations', { email }))
    await page.goto(await linkTo(email))
    await page.getByLabel('Username').fill(unique('gil'))
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    ok(await tenant.admin.delete(`/invitations/${id}`))
    await acceptButton(page).click()
    await page.getByText('This link no longer works').waitFor()
    await page.reload()
    await page.getByText('It was already used, replaced or revoked').waitFor()
    await inspect(page, 'accept-invitation-dead')
    await page.getByRole('link', { name: 'Sign in' }).press('Enter')
    await heading(page, 'Sign in').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('inviting', () => {
  test('mails a link with roles, sends it again, and revokes it after a question', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    const role = await tenant.role('audit:read')
    await signIn(page, tenant.admin.email, 'users')
    await chooseAction(page, 'Invitations')
    await heading(page, 'Invitations').waitFor()
    await page.getByRole('button', { name: 'Invite users' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mails').waitFor()
    await page.keyboard.type('not an email, nobody@')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('Not e-mails: “not an email”, “nobody@”').waitFor()
    await dialog.getByLabel('E-mails').fill(tenant.admin.email)
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText(`${tenant.admin.email}: This e-mail is already registered.`).waitFor()
    await dialog.getByLabel('E-mails').fill(email)
    await dialog.getByRole('combobox', { name: 'Roles' }).fill(role.name)
    await page.getByRole('option', { name: role.name }).click()
    // The list would cover the button.
    await page.keyboard.press('Tab')
    await inspect(page, 'invite')
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText(`Invitation sent to ${email}.`).waitFor()
    const row = page.getByRole('row', { name: email })
    await row.getByText(role.name).waitFor()
    await inspect(page, 'invitations')
    const earlier = tokenOf(await linkTo(email))

    await row.getByRole('button', { name: 'Send again' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Send again' }).press('Enter')
    await expectSoon(async () => (await mailsTo(email)).length).toBe(2)
    expect((await lookUp(earlier)).status).toBe(400)
    await page.getByRole('dialog').waitFor({ state: 'detached' })

    await row.getByRole('button', { name: 'Revoke the invitation' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Revoke' }).press('Enter')
    await page.getByText(`Invitation for ${email} revoked.`).waitFor()
    await row.waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Status' }).selectOption('Revoked')
    await row.waitFor()
    expect(complaints).toEqual([])
  })

  test('takes a list, and keeps those in the field who were not invited', async () => {
    const { page, complaints } = await visit()
    const [one, two] = [newEmail(), newEmail()]
    const role = await tenant.role('audit:read')
    await signIn(page, tenant.admin.email, 'users')
    await page.getByRole('button', { name: 'Invite users' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('E-mails').fill(`Ada Lovelace <${one}>, ${tenant.admin.email}; ${two}`)
    await dialog.getByRole('combobox', { name: 'Roles' }).fill(role.name)
    await page.getByRole('listbox', { name: 'Roles' }).getByRole('option', { name: role.name }).click()
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await dialog.getByText('1 of 3 failed').waitFor()
    await expectSoon(() => dialog.getByLabel('E-mails').inputValue()).toBe(tenant.admin.email)
    await inspect(page, 'invite-failed')
    const { items } = ok(await tenant.admin.get('/invitations'))
    expect(items).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ email: one, nickname: 'Ada Lovelace', role_ids: [role.id] }),
        expect.objectContaining({ email: two, nickname: '', role_ids: [role.id] }),
      ]),
    )
    await dialog.getByLabel('E-mails').fill(`${newEmail()} ${newEmail()}`)
    await dialog.getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('2 invitations sent.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(complaints).toEqual([])
  })

  test('says that none is pending, or that none matches', async () => {
    const { admin } = await newTenant()
    const { page, complaints } = await visit()
    await signIn(page, admin.email, 'users/invitations')
    await page.getByText('No pending invitations').waitFor()
    await inspect(page, 'invitations-none')
    await open(page, 'users/invitations?state=revoked')
    await page.getByText('No invitations match').waitFor()
    await page.getByRole('button', { name: 'Clear filters' }).click()
    await page.getByText('No pending invitations').waitFor()
    expect(complaints).toEqual([])
  })

  test('shows the links once where no e-mail is sent: of some people, and of many in a file', async () => {
    const silent = await startApp({}, undefined, { mailer: undefined })
    const { page, complaints } = await visit()
    const [email, other, second] = [newEmail(), newEmail(), newEmail()]
    await page.addInitScript(`navigator.clipboard.writeText = () => Promise.reject(new Error('refused'))`)
    await page.goto(`${silent.url}/healthz`)
    await storeSession(page, tenant.admin.email)
    await page.goto(`${silent.url}/console/users/invitations`)
    await page.getByRole('button', { name: 'Invite users' }).click()
    await page.getByRole('dialog').getByLabel('E-mails').fill(`${email}\n${other}`)
    await page.getByRole('dialog').getByRole('button', { name: 'Invite', exact: true }).click()
    await page.getByText('they aren’t shown again').waitFor()
    expect(await page.getByText(/aren’t shown again/).count()).toBe(1)
    const [link = '', otherLink = ''] = await page.getByRole('dialog').locator('code').allInnerTexts()
    await page.getByText(`Leads to ${new URL(link).host}.`).waitFor()
    expect((await lookUp(tokenOf(link))).data).toMatchObject({ email })
    expect((await lookUp(tokenOf(otherLink))).data).toMatchObject({ email: other })
    for (const name of [`Copy the link for ${other}`, 'Copy all links']) {
      await page.getByRole('button', { name }).click()
    }
    const alerts = page.getByRole('alert').filter({ hasText: 'Your browser couldn’t copy this.' })
    await expectSoon(() => alerts.count()).toBe(2)
    await inspect(page, 'invite-shown')

    await page.goto(`${silent.url}/console/users/import`)
    const text = `email,name\n${second},Grace\n${email},Ada\nnobody,`
    const buffer = Buffer.from(text)
    await page.locator('input[type=file]').setInputFiles({ name: 'staff.csv', mimeType: 'text/csv', buffer })
    await page.getByText('2 of 3 rows ready').waitFor()
    await page.getByText('Invite users').click()
    await inspect(page, 'user-import-invite')
    await page.getByRole('button', { name: 'Invite 2 users' }).click()
    await page.getByText('1 user invited, 2 rows skipped.').waitFor()
    await page.getByText('This e-mail has a pending invitation').waitFor()
    await page.getByText('The result contains the links to pass on.').waitFor()
    await inspect(page, 'user-import-invited')
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'Download the result' }).click(),
    ])
    const file = readFileSync(await download.path(), 'utf8')
    const [, token = ''] = /invited,\d+,\S+#token=([\w-]+)/.exec(file) ?? []
    expect((await lookUp(token)).data).toMatchObject({ email: second })
    expect(complaints).toEqual([])
    // The page has a stream open, for which the service would wait.
    await page.goto('about:blank')
    await silent.app.close()
  })

  test('the pages of inviting and accepting exist in Chinese', async () => {
    const { page, complaints } = await visit({ locale: 'zh-CN' })
    const email = newEmail()
    const link = await invite(tenant, email)
    // Not a page of the console: without a session it would leave for the sign-in meanwhile.
    await page.goto(`${service.url}/healthz`)
    await storeSession(page, tenant.admin.email)
    await open(page, 'users/invitations')
    await page.getByRole('row', { name: email }).waitFor()
    await inspect(page, 'invitations-zh')
    // The console would leave for the sign-in once its session is gone.
    await page.goto(`${service.url}/healthz`)
    await page.evaluate('localStorage.clear()')
    await page.goto(link)
    await heading(page, '接受邀请').waitFor()
    await inspect(page, 'accept-invitation-zh')
    expect(complaints).toEqual([])
  })
})
