/** Second factors: adding them, signing in with them, losing them (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { newTenant, ok, password, type Caller, type Tenant } from '../../server/test/factories.ts'
import { call, service } from '../../server/test/harness.ts'
import { addPasskey, addTotp, codeOf, wrongCode } from '../../server/test/second-factors.ts'
import { addDevice, startAtLocalhost } from './passkeys.ts'
import {
  expectSoon,
  inspect,
  open,
  openAccount,
  prove,
  signIn,
  signInByForm,
  signInToAccount,
  visit,
} from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 })

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code', exact: true })

/** Gives the password, only by keyboard. */
const givePassword = (page: Page, { email }: Caller): Promise<void> => prove(page, email)

const proveHere = (page: Page) =>
  page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill(password)

const signOutHere = async (page: Page): Promise<void> => {
  await page.getByRole('button', { name: 'Account', exact: true }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('link', { name: 'Sign in' }).click()
  await heading(page, 'Sign in').waitFor()
}

/** The texts of the shown recovery codes. */
const shownCodes = (page: Page): Promise<string[]> =>
  page.getByRole('list', { name: 'Recovery codes' }).getByRole('listitem').allInnerTexts()

/** The lines that the page leaves on paper. */
const printed = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const text = await page.evaluate<string>('document.body.innerText')
  await page.emulateMedia({ media: null, colorScheme: null })
  return text.split('\n').filter((line) => line !== '')
}

describe('an authenticator app', () => {
  test('is added in the own account, and its code signs in', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await signInToAccount(page, user.email, 'sign-in')
    await page.getByText('Two-step verification is off. Your password alone is enough to sign in.').waitFor()
    await page.getByRole('button', { name: 'Add authenticator app' }).click()
    await page.getByRole('dialog').getByRole('textbox', { name: 'Current password' }).fill('not my password')
    await page.keyboard.press('Enter')
    await page.getByText('This isn’t your current password.').waitFor()
    await proveHere(page)
    await page.keyboard.press('Enter')
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await inspect(page, 'factors-totp')
    const secret = await page.getByRole('dialog').locator('code').innerText()
    await page.evaluate('navigator.clipboard.writeText = async (text) => void (window.copied = text)')
    await page.getByRole('dialog').getByRole('button', { name: 'Copy' }).press('Enter')
    await page.getByRole('dialog').getByRole('button', { name: 'Copied' }).waitFor()
    expect(await page.evaluate('window.copied')).toBe(secret)
    await page.evaluate('navigator.clipboard.writeText = () => Promise.reject(new Error("refused"))')
    await page.getByRole('dialog').getByRole('button', { name: 'Copied' }).press('Enter')
    await page.getByText('Your browser couldn’t copy this').waitFor()
    expect(await page.evaluate('getSelection().toString()')).toBe(secret)
    await codeField(page).fill(wrongCode(secret))
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong.').waitFor()
    await codeField(page).fill(codeOf(secret))
    await page.keyboard.press('Enter')
    await page.getByText('These codes are shown only once').waitFor()
    const codes = await shownCodes(page)
    expect(new Set(codes).size).toBe(10)
    await inspect(page, 'factors-codes')
    expect(await printed(page)).toEqual(['Sign-in', 'Recovery codes', service.url, user.email, ...codes])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/^recovery-codes-127\.0\.0\.1-\d{4}-\d\d-\d\d\.txt$/)
    expect(await page.getByRole('button', { name: 'Continue' }).isEnabled()).toBe(false)
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('10 recovery codes left').waitFor()
    await inspect(page, 'account-factors')
    expect(complaints).toEqual([])
  })

  test('is asked for after the password, refuses a wrong code in place, and goes back', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const app = await addTotp(user)
    await open(page, 'notifications')
    await givePassword(page, user)
    await heading(page, 'Two-step verification').waitFor()
    const code = codeField(page)
    expect(await code.getAttribute('autocomplete')).toBe('one-time-code')
    await code.waitFor()
    await page.keyboard.type(wrongCode(app.secret))
    await page.keyboard.press('Enter')
    await page.getByText('This code or passkey is wrong.').waitFor()
    await inspect(page, 'second-step')
    await page.getByRole('button', { name: 'Start again' }).click()
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
    await page.keyboard.press('Enter')
    await code.fill(app.nextCode())
    await page.keyboard.press('Enter')
    await heading(page, 'Notifications').waitFor()
    expect(complaints).toEqual([])
  })

  test('leads back to the password after five wrong codes', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const app = await addTotp(user)
    await open(page)
    await givePassword(page, user)
    for (let wrong = 0; wrong < 5; wrong++) {
      await codeField(page).fill('')
      await page.keyboard.press('Enter')
      await page.getByText('Fill in this field.').waitFor()
      await codeField(page).fill(wrongCode(app.secret))
      await page.keyboard.press('Enter')
      await page.getByText('This code or passkey is wrong.').waitFor()
    }
    await codeField(page).fill(app.nextCode())
    await page.keyboard.press('Enter')
    await page.getByText('This sign-in took too long, or failed too often.').waitFor()
    await heading(page, 'Enter your password').waitFor()
    expect(complaints).toEqual([])
  })

  test('is removed with the password, in a session that was opened only with the password', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const app = await addTotp(user, 'Old telephone')
    await openAccount(page, 'sign-in')
    await givePassword(page, user)
    await codeField(page).fill(app.nextCode())
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Remove Old telephone' }).click()
    await proveHere(page)
    await inspect(page, 'factors-remove')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click()
    await page.getByText('Two-step verification is off. Your password alone is enough to sign in.').waitFor()
    expect(ok(await user.post('/auth/login', { email: user.email, password })).access_token).toBeTruthy()
    expect(complaints).toEqual([])
  })
})

describe('a recovery code', () => {
  test('signs in instead of the app, and new ones replace the rest', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const app = await addTotp(user)
    await openAccount(page, 'sign-in')
    await givePassword(page, user)
    await page.getByRole('button', { name: 'Use a recovery code instead' }).press('Enter')
    await page.getByLabel('Recovery code').fill(app.recoveryCodes[0] ?? '')
    await inspect(page, 'second-step-recovery')
    await page.keyboard.press('Enter')
    await page.getByText('9 recovery codes left').waitFor()
    await page.getByRole('button', { name: 'New recovery codes' }).click()
    await proveHere(page)
    await page.keyboard.press('Enter')
    await page.getByText('These codes are shown only once').waitFor()
    expect(app.recoveryCodes).not.toContain((await shownCodes(page))[0])
    expect(complaints).toEqual([])
  })
})

/** Otherwise the device answers for the list in the address field, before the test presses a button. */
const listNoPasskeys = (page: Page): Promise<unknown> =>
  page.addInitScript('PublicKeyCredential.isConditionalMediationAvailable = async () => false')

describe('a passkey', () => {
  test('is added, and signs in alone and as the second step', async () => {
    const { page, complaints } = await visit()
    await listNoPasskeys(page)
    const [url, user] = [await startAtLocalhost(), await tenant.member()]
    await addDevice(page)
    await openAccount(page, 'sign-in', url)
    await givePassword(page, user)
    await page.getByRole('button', { name: 'Add passkey' }).click()
    await proveHere(page)
    await page.keyboard.press('Enter')
    await page.getByText('These codes are shown only once').waitFor()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await page.getByText('Passkey · never used').waitFor()

    await page.goto(`${url}/console/`)
    await signOutHere(page)
    await inspect(page, 'sign-in-passkey')
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await heading(page, 'Dashboard').waitFor()

    await signOutHere(page)
    await givePassword(page, user)
    await heading(page, 'Two-step verification').waitFor()
    await inspect(page, 'second-step-passkey')
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
    await heading(page, 'Dashboard').waitFor()
    expect(complaints).toEqual([])
  })

  test('a passkey that the device lacks is reported in place', async () => {
    const { page, complaints } = await visit()
    const url = await startAtLocalhost()
    await addDevice(page)
    await page.goto(`${url}/console/`)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await page.getByText('Your browser didn’t return a passkey.').waitFor()
    expect(complaints).toEqual([])
  })
})

describe('a user who has lost factors', () => {
  test('gets the lost one removed on their page, and keeps the other', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await addTotp(user, 'Telephone')
    await addPasskey(user)
    await signIn(page, tenant.admin.email, `users/${user.userId}`)
    await page.getByRole('button', { name: 'Remove Telephone' }).click()
    await page.getByText('All their sessions end, and they are notified.').waitFor()
    await inspect(page, 'user-remove-factor')
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click()
    await page.getByText('Telephone removed.').waitFor()
    await page.getByRole('button', { name: 'Remove Telephone' }).waitFor({ state: 'detached' })
    await page.getByRole('button', { name: 'Remove Laptop' }).waitFor()
    expect(await call('POST', '/auth/login', { body: { email: user.email, password } })).toMatchObject({
      status: 401,
      data: { methods: ['passkey', 'recovery_code'] },
    })
    expect(complaints).toEqual([])
  })

  test('gets all removed on their page, after a question', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    await addTotp(user)
    await addPasskey(user)
    await signIn(page, tenant.admin.email, `users/${user.userId}`)
    await page.getByRole('button', { name: 'Turn off two-step verification' }).click()
    await page.getByText('All their sessions end, and they are notified.').waitFor()
    await inspect(page, 'user-reset-factors')
    await page.getByRole('dialog').getByRole('button', { name: 'Turn off two-step verification' }).click()
    await page.getByText(/^Two-step verification turned off for /).waitFor()
    ok(await user.post('/auth/login', { email: user.email, password }))
    expect(complaints).toEqual([])
  })
})

/** Adds an authenticator app on the page of the sign-in, which asks for no password typed a moment ago. */
const addFactorHere = async (page: Page): Promise<void> => {
  await heading(page, 'Set up two-step verification').waitFor()
  await inspect(page, 'second-factor-required')
  await page.getByRole('button', { name: 'Continue' }).click()
  await codeField(page).fill(codeOf(await page.locator('code').innerText()))
  await page.keyboard.press('Enter')
  await page.getByRole('checkbox').check()
  await page.getByRole('button', { name: 'Continue' }).click()
}

describe('a tenant that asks for a second factor', () => {
  test('leads a session that is open already to the page that adds it, and back', async () => {
    const { page, complaints } = await visit()
    const strict = await newTenant()
    const user = await strict.userWith()
    await signInByForm(page, user.email)
    await addTotp(strict.admin)
    ok(await strict.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
    await page.goto(`${service.url}/console/notifications`)
    await addFactorHere(page)
    await heading(page, 'Notifications').waitFor()
    expect(complaints).toEqual([])
  })

  test('is made so in the settings, by somebody who signed in with one', async () => {
    const { page, complaints } = await visit()
    const strict = await newTenant()
    await signIn(page, strict.admin.email, 'settings')
    const asked = page.getByRole('switch', { name: 'Require two-step verification' })
    await asked.press('Space')
    await page.getByText('This needs two-step verification. Set it up in your profile').waitFor()
    await inspect(page, 'settings-second-factor')
    const app = await addTotp(strict.admin)
    // The new factor has ended the session.
    await page.getByRole('link', { name: 'Sign in' }).click()
    await givePassword(page, strict.admin)
    await codeField(page).fill(app.nextCode())
    await page.keyboard.press('Enter')
    await asked.press('Space')
    await expectSoon(() => asked.isChecked()).toBe(true)
    expect(complaints).toEqual([])
  })

  test('leads a session without one to a page that adds it, and then continues', async () => {
    const { page, complaints } = await visit()
    const strict = await newTenant()
    const user = await strict.userWith()
    await addTotp(strict.admin)
    ok(await strict.admin.put('/settings/tenant/auth.require_second_factor', { value: true }))
    await open(page, 'notifications')
    await givePassword(page, user)
    await addFactorHere(page)
    await heading(page, 'Notifications').waitFor()
    expect(complaints).toEqual([])
  })
})

test('second factors are added and asked for in Chinese', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const user = await tenant.member()
  const app = await addTotp(user)
  await openAccount(page, 'sign-in')
  await page.getByLabel('邮箱').fill(user.email)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: '密码' }).fill(password)
  await page.keyboard.press('Enter')
  await heading(page, '两步验证').waitFor()
  await inspect(page, 'second-step-zh')
  await page.getByRole('textbox', { name: '验证码' }).fill(app.nextCode())
  await page.keyboard.press('Enter')
  await page.getByText('剩余 10 个恢复码').waitFor()
  await inspect(page, 'account-factors-zh')
  expect(complaints).toEqual([])
})
