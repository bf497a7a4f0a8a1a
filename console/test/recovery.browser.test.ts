/** Mailed links, from the page that asks for one to the page that it opens (`npm run test:browser`). */
import type { Page, Request } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newTenant, ok, password, unique, type Tenant } from '../../server/test/factories.ts'
import { call, service, startApp } from '../../server/test/harness.ts'
import { linkTo, mailsTo } from './mailed.ts'
import { inspect, open, openAccount, prove, signIn, signInByForm, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const newPassword = 'a fine long password'

/** A Chinese subject is one word in base64. */
const subjectOf = (mail = ''): string =>
  Buffer.from(/^Subject: =\?UTF-8\?B\?([^?]*)/m.exec(mail)?.[1] ?? '', 'base64').toString()

const mailReset = async (email: string): Promise<string> => {
  ok(await call('POST', '/auth/password/forgot', { body: { email } }))
  return linkTo(email)
}

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

/** Confirms the e-mail. The first proof of a mailbox takes the next password. */
const confirmFirst = async (page: Page): Promise<void> => {
  await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
  await page.getByRole('button', { name: 'Confirm e-mail' }).press('Enter')
}

const newEmail = () => `${unique('new')}@example.com`

const statusOfLogin = async (email: string, withPassword = password) =>
  (await call('POST', '/auth/login', { body: { email, password: withPassword } })).status

describe('a forgotten password', () => {
  test('is replaced by a mailed link, with only the keyboard', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await open(page)
    await page.getByLabel('E-mail').fill(user.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forgot your password?' }).press('Enter')
    await heading(page, 'Forgot your password?').waitFor()
    await inspect(page, 'forgot-password')
    await page.getByRole('button', { name: 'Send link' }).press('Enter')
    await page.getByText('Check your e-mail').waitFor()
    expect(await page.evaluate('document.activeElement.getAttribute("role")')).toBe('status')
    await inspect(page, 'forgot-password-sent')

    await page.goto(await linkTo(user.email))
    await heading(page, 'Choose a new password').waitFor()
    await inspect(page, 'reset-password')
    await page.getByRole('textbox', { name: 'New password' }).focus()
    await page.keyboard.type(newPassword)
    await page.keyboard.press('Enter')
    await heading(page, 'Password changed').waitFor()
    await page.getByText('Your new password is set. Sign in with it.').waitFor()
    await inspect(page, 'sign-in-after-reset')
    expect(await statusOfLogin(user.email)).toBe(401)
    await page.getByRole('link', { name: 'Sign in' }).press('Enter')
    await prove(page, user.email, newPassword)
    await heading(page, 'Dashboard').waitFor()
    expect(complaints).toEqual([])
  })

  test('gets the same page for an address without an account, and can be asked for again', async () => {
    const { page, complaints } = await visit()
    const email = newEmail()
    await open(page)
    await page.getByLabel('E-mail').fill(newEmail())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByLabel('E-mail').fill('ada@example')
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText('Enter a valid e-mail.').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByText(`If ${email} belongs to an account`).waitFor()
    expect(await mailsTo(email)).toEqual([])
    await page.getByRole('button', { name: 'Request another link' }).click()
    expect(await page.getByLabel('E-mail').inputValue()).toBe(email)
    expect(complaints).toEqual([])
  })

  test('is replaced in Chinese, and the e-mail is Chinese as well', async () => {
    const { page, complaints } = await visit({ locale: 'zh-CN' })
    const user = await tenant.member()
    await open(page)
    await page.getByLabel('邮箱').fill(user.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '忘记密码？' }).click()
    await page.getByRole('button', { name: '发送链接' }).click()
    await page.getByText('请查看您的邮箱').waitFor()
    await inspect(page, 'forgot-password-zh')
    const link = await linkTo(user.email)
    expect(subjectOf((await mailsTo(user.email)).at(-1))).toBe('重置您的密码')
    await page.goto(link)
    await heading(page, '设置新密码').waitFor()
    await inspect(page, 'reset-password-zh')
    expect(complaints).toEqual([])
  })

  test('ends the session that this browser holds', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await signInByForm(page, user.email)
    await page.goto(await mailReset(user.email))
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your new password is set. Sign in with it.').waitFor()
    expect(await statusOfLogin(user.email, newPassword)).toBe(200)
    await open(page)
    await heading(page, 'Your session has ended').waitFor()
    await page.getByRole('link', { name: 'Sign in' }).click()
    await page.getByLabel('E-mail').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('the token of a link', () => {
  test('leaves the address at once, and goes into no address, history or lasting storage', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const link = await mailReset(user.email)
    const token = link.split('#token=')[1] ?? ''
    const addresses: string[] = []
    const note = (request: Request) => addresses.push(request.url(), request.headers()['referer'] ?? '')
    page.on('request', note)
    await page.goto(link)
    await heading(page, 'Choose a new password').waitFor()
    expect(page.url()).toBe(`${service.url}/sign-in/reset-password`)
    await page.goto(`${service.url}/healthz`)
    await page.goBack()
    await heading(page, 'Choose a new password').waitFor()
    expect(page.url()).toBe(`${service.url}/sign-in/reset-password`)
    // Playwright shows the fragment of the page's own address, which browsers do not send.
    const sent = addresses.map((address) => address.split('#')[0] ?? '')
    expect(sent.filter((address) => address.includes(token))).toEqual([])
    expect(sent.filter((address) => address !== '' && new URL(address).origin !== service.url)).toEqual([])
    expect(await page.evaluate('JSON.stringify({ ...localStorage, state: history.state })')).not.toContain(
      token,
    )
    expect(complaints).toEqual([])
  })

  test('survives a reload, and gives way to that of a newer link', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const link = await mailReset(user.email)
    await page.goto(`${service.url}/sign-in/reset-password#token=dead`)
    await heading(page, 'Choose a new password').waitFor()
    // The address differs only in its fragment, so that the browser loads no document.
    await page.goto(link)
    await page.waitForURL(`${service.url}/sign-in/reset-password`)
    await page.reload()
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('Your new password is set. Sign in with it.').waitFor()
    expect(await page.evaluate('JSON.stringify(sessionStorage)')).not.toContain(link.split('#token=')[1])
    expect(complaints).toEqual([])
  })

  test('does nothing before a click', async () => {
    const { page } = await visit()
    const user = await tenant.member()
    const link = await mailReset(user.email)
    await page.goto(link)
    await heading(page, 'Choose a new password').waitFor()
    await page.waitForLoadState('networkidle')
    const body = { token: link.split('#token=')[1], new_password: newPassword }
    expect(await call('POST', '/auth/password/reset', { body })).toMatchObject({ status: 200 })
  })

  test('a dead or missing token offers a new link', async () => {
    const { page, complaints } = await visit()
    await page.goto(`${service.url}/sign-in/reset-password#token=dead`)
    await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
    await page.getByRole('button', { name: 'Set password' }).click()
    await page.getByText('This link no longer works').waitFor()
    await inspect(page, 'reset-password-dead')
    await page.getByRole('button', { name: 'Request a new link' }).press('Enter')
    await heading(page, 'Forgot your password?').waitFor()
    await page.goto(`${service.url}/sign-in/verify-email`)
    await page.getByText('This link no longer works').waitFor()
    expect(await page.getByRole('link', { name: 'Open your profile' }).count()).toBe(1)
    await inspect(page, 'verify-email-dead')
    expect(complaints).toEqual([])
  })
})

const registerByForm = async (page: Page): Promise<string> => {
  const email = newEmail()
  await open(page)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Username').fill(unique('u'))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.getByRole('button', { name: 'Create account' }).click()
  await heading(page, 'Dashboard').waitFor()
  return email
}

describe('the own e-mail', () => {
  test('is confirmed after registering, by a click in the own session', async () => {
    const { page, complaints } = await visit()
    const email = await registerByForm(page)
    await page.goto(await linkTo(email))
    await heading(page, 'Confirm your e-mail').waitFor()
    expect(page.url()).toBe(`${service.url}/sign-in/verify-email`)
    await inspect(page, 'verify-email')
    await confirmFirst(page)
    await page.getByText('E-mail confirmed.').waitFor()
    await inspect(page, 'verify-email-done')
    await page.getByRole('link', { name: 'Go to the dashboard' }).press('Enter')
    await heading(page, 'Dashboard').waitFor()
    expect(complaints).toEqual([])
  })

  test('is confirmed after a sign-in on the way', async () => {
    const email = await registerByForm((await visit()).page)
    const { page, complaints } = await visit()
    await page.goto(await linkTo(email))
    await inspect(page, 'verify-email-signed-out')
    // The person could be signed in to an application: only the click shows it.
    await confirmFirst(page)
    await page.getByRole('link', { name: 'Sign in' }).press('Enter')
    await heading(page, 'Sign in').waitFor()
    await prove(page, email)
    await confirmFirst(page)
    await page.getByText('E-mail confirmed.').waitFor()
    expect(complaints).toEqual([])
  })

  test('is not confirmed in the session of another account, and the link stays', async () => {
    const email = await registerByForm((await visit()).page)
    const { page, complaints } = await visit()
    await signInByForm(page, (await tenant.member()).email)
    await page.goto(await linkTo(email))
    await confirmFirst(page)
    await page.getByText('This link is for another account.').waitFor()
    await inspect(page, 'verify-email-other')
    await page.getByRole('link', { name: 'Sign in to another account' }).press('Enter')
    await heading(page, 'Sign in').waitFor()
    await prove(page, email)
    await confirmFirst(page)
    await page.getByText('E-mail confirmed.').waitFor()
    expect(complaints).toEqual([])
  })

  test('gets its link again in the own account', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await openAccount(page, 'sign-in')
    await prove(page, user.email)
    await page.getByRole('button', { name: 'Send confirmation link' }).press('Enter')
    await page.getByText(`If ${user.email} isn’t confirmed yet`).waitFor()
    await page.goto(await linkTo(user.email))
    await confirmFirst(page)
    await page.getByText('E-mail confirmed.').waitFor()
    await openAccount(page, 'sign-in')
    await page.getByText('Confirmed', { exact: true }).waitFor()
    expect(await page.getByRole('button', { name: 'Send confirmation link' }).count()).toBe(0)
    expect(complaints).toEqual([])
  })

  test('is confirmed in Chinese', async () => {
    const { page, complaints } = await visit({ locale: 'zh-CN' })
    const user = await tenant.member()
    await openAccount(page, 'sign-in')
    await page.getByLabel('邮箱').fill(user.email)
    await page.keyboard.press('Enter')
    await page.getByRole('textbox', { name: '密码' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: '发送确认链接' }).click()
    await page.getByText(`如果 ${user.email} 尚未确认`).waitFor()
    await inspect(page, 'account-email-zh')
    await page.goto(await linkTo(user.email))
    await heading(page, '确认您的邮箱').waitFor()
    await inspect(page, 'verify-email-zh')
    await page.getByRole('textbox', { name: '新密码' }).fill(newPassword)
    await page.getByRole('button', { name: '确认邮箱' }).click()
    await page.getByText('邮箱已确认。').waitFor()
    expect(complaints).toEqual([])
  })

  test('changes by a link to the new one, after the password', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const email = newEmail()
    await openAccount(page, 'sign-in')
    await prove(page, user.email)
    await page.getByRole('button', { name: 'Change e-mail' }).press('Enter')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('New e-mail').waitFor()
    await page.keyboard.type(email)
    await dialog.getByRole('textbox', { name: 'Current password' }).fill('not the password')
    await page.keyboard.press('Enter')
    await dialog.getByText('This isn’t your current password.').waitFor()
    await inspect(page, 'change-email')
    await dialog.getByRole('textbox', { name: 'Current password' }).fill(password)
    await page.keyboard.press('Enter')
    await page.getByText(`A link has been sent to ${email}.`).waitFor()
    await inspect(page, 'account-email')
    await page.goto(await linkTo(email))
    await confirmFirst(page)
    await page.getByText('E-mail confirmed.').waitFor()
    await openAccount(page, 'sign-in')
    await page.getByText(email).first().waitFor()
    expect(await page.getByText(user.email).count()).toBe(0)
    expect(await statusOfLogin(email, newPassword)).toBe(200)
    expect(await statusOfLogin(user.email, newPassword)).toBe(401)
    expect(complaints).toEqual([])
  })

  test('cannot be changed on the page of the own user, which leads to the own account', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, `users/${tenant.admin.userId}`)
    const field = page.getByRole('textbox', { name: 'E-mail' })
    await field.waitFor()
    expect(await field.isEditable()).toBe(false)
    await page
      .getByText('Change your own e-mail in your profile. You confirm it with a link sent to the new e-mail.')
      .waitFor()
    await inspect(page, 'user-own')
    const details = page.getByRole('region', { name: 'Details' })
    await details.getByRole('link', { name: 'Open your profile' }).press('Enter')
    await page.getByRole('button', { name: 'Change e-mail' }).waitFor()
    await open(page, `users/${(await tenant.member()).userId}`)
    await field.waitFor()
    expect(await field.isEditable()).toBe(true)
    expect(complaints).toEqual([])
  })
})

test('an installation without e-mail offers neither a new password nor a change of the e-mail', async () => {
  const silent = await startApp({}, undefined, { mailer: undefined })
  const { page, complaints } = await visit()
  await page.goto(`${silent.url}/account/sign-in`)
  await page.getByLabel('E-mail').fill((await tenant.member()).email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.waitForLoadState('networkidle')
  expect(await page.getByRole('button', { name: 'Forgot your password?' }).count()).toBe(0)
  await page.keyboard.press('Enter')
  await page.getByText('This installation sends no e-mails').waitFor()
  expect(await page.getByRole('button', { name: 'Change e-mail' }).count()).toBe(0)
  await page.goto(`${silent.url}/sign-in/reset-password#token=dead`)
  await page.getByRole('textbox', { name: 'New password' }).fill(newPassword)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Request a new link' }).click()
  await page.getByLabel('E-mail').fill(tenant.admin.email)
  await page.getByRole('button', { name: 'Send link' }).click()
  await page.getByText('This installation sends no e-mails').waitFor()
  expect(complaints).toEqual([])
  await silent.app.close()
})

test('a registered person continues when the e-mail is confirmed, where that is required', async () => {
  const strict = await startApp({ requireVerifiedEmail: true })
  onTestFinished(() => strict.app.close())
  const { page, complaints } = await visit()
  const email = newEmail()
  await page.goto(`${strict.url}/console/`)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Username').fill(unique('new'))
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await heading(page, 'Confirm your e-mail').waitFor()
  await inspect(page, 'confirm-email')
  await page.getByRole('button', { name: 'I have opened the link' }).press('Enter')
  await page.getByText('Not confirmed yet.').waitFor()
  const link = new URL(await linkTo(email))
  const tab = await page.context().newPage()
  await tab.goto(`${strict.url}${link.pathname}${link.hash}`)
  await confirmFirst(tab)
  await tab.getByText('E-mail confirmed.').waitFor()
  await page.getByRole('button', { name: 'I have opened the link' }).press('Enter')
  await heading(page, 'Dashboard').waitFor()
  expect(complaints).toEqual([])
})
