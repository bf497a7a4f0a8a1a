/** The pages on which people sign in to applications, in a real browser (`npm run test:browser`). */
import { mkdirSync } from 'node:fs'
import type { Locator, Page } from 'playwright-core'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../server/test/factories.ts'
import { newResource } from '../../server/test/applications.ts'
import { markRegistered, postForm } from '../../server/test/front-door.ts'
import { clock, service, startApp } from '../../server/test/harness.ts'
import { assistantsResource, startAssistants } from '../../server/test/mcp.ts'
import { dropGlobalWays, putGlobalWays } from '../../server/test/mailed-codes.ts'
import { insertMember } from '../../server/test/people.ts'
import { addTotp, codeOf, wrongCode } from '../../server/test/second-factors.ts'
import { openShop } from './front-door.ts'
import { linkTo, mailsTo } from './mailed.ts'
import { addDevice, startAtLocalhost } from './passkeys.ts'
import { expectNoOverflow, expectSoon, inspect, shots, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  await platformAdmin()
  tenant = await newTenant()
})

const heading = (page: Page, name: string | RegExp) => page.getByRole('heading', { name, level: 1 })

/** Looks at a step by axe, in both colours, and at the narrowest window (WCAG 2.2, 1.4.10). */
const look = async (page: Page, name: string): Promise<void> => {
  await inspect(page, `hosted-${name}`)
  await page.setViewportSize({ width: 320, height: 640 })
  mkdirSync(shots, { recursive: true })
  await page.screenshot({ path: `${shots}hosted-${name}-320.png`, fullPage: true })
  await expectNoOverflow(page)
  await page.setViewportSize({ width: 1280, height: 800 })
}

/** A PNG of one pixel. */
const picture =
  'data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg=='

/** The lines that the page leaves on paper. */
const printed = async (page: Page): Promise<string[]> => {
  await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
  const text = await page.evaluate<string>('document.body.innerText')
  await page.emulateMedia({ media: null, colorScheme: null })
  return text.split('\n').filter((line) => line !== '')
}

/** The name or the text of the element with the focus. */
const focused = (page: Page): Promise<string> =>
  page.evaluate<string>('document.activeElement.textContent || document.activeElement.name')

/** Presses a button by key. Unlike a click, a key waits for nothing, and a button that is not enabled takes none. */
const enter = async (button: Locator): Promise<void> => {
  await expectSoon(() => button.isEnabled()).toBe(true)
  await button.press('Enter')
}

const codeField = (page: Page) => page.getByRole('textbox', { name: 'Code' })

const arrived = (page: Page) => heading(page, 'Welcome to the shop').waitFor()

/** Gives address and password, only by keyboard. */
const prove = async (page: Page, email: string): Promise<void> => {
  await page.getByLabel('E-mail').fill(email)
  await page.keyboard.press('Enter')
  await heading(page, 'Enter your password').waitFor()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
}

test('a walk by keyboard from the application through every step and back', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  const app = await addTotp(user)
  const shop = await openShop({ is_third_party: true })
  await shop.send(page, { scope: 'openid profile email offline_access' })
  await heading(page, 'Sign in').waitFor()
  await page.getByText(`to continue to ${shop.name}`).waitFor()
  await look(page, 'identify')
  await page.keyboard.press('Enter')
  await page.getByText('Fill in this field.').waitFor()
  expect(await focused(page)).toBe('email')
  await look(page, 'identify-fault')
  await page.keyboard.type(user.email)
  await page.keyboard.press('Enter')
  await heading(page, 'Enter your password').waitFor()
  expect(await focused(page)).toBe('password')
  await page.getByRole('status').getByText('Enter your password').waitFor({ state: 'attached' })
  await look(page, 'password')
  await page.keyboard.type('not the password')
  expect(await focused(page)).toBe('password')
  await page.keyboard.press('Enter')
  await page.getByRole('alert').getByText('The e-mail or password is wrong.').waitFor()
  await look(page, 'password-wrong')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await heading(page, 'Two-step verification').waitFor()
  expect(await focused(page)).toBe('Two-step verification')
  await look(page, 'factor')
  await page.keyboard.type(app.nextCode())
  await page.keyboard.press('Enter')
  await heading(page, `Allow ${shop.name}?`).waitFor()
  await page.getByText(shop.host).waitFor()
  await look(page, 'consent')
  const allow = page.getByRole('button', { name: 'Allow', exact: true })
  await enter(allow)
  await arrived(page)
  expect(shop.answer()).toMatchObject({ code: expect.any(String), state: 'the state' })
  expect(complaints).toEqual([])
})

test('an expired password is replaced by one that the rules take, and the way goes on', async () => {
  const { page, complaints } = await visit()
  const strict = await newTenant()
  const user = await strict.member()
  ok(
    await strict.admin.put('/settings/tenant/auth.passwords', {
      value: { min_length: 15, refuse_personal: true },
    }),
  )
  ok(await strict.admin.post(`/users/${user.userId}/password-expiry`))
  const shop = await openShop()
  await shop.send(page)
  await prove(page, user.email)
  await heading(page, 'Choose a new password').waitFor()
  await page.getByText('15 to 128 characters. Not your name or e-mail.').waitFor()
  await look(page, 'new-password')
  const field = page.getByRole('textbox', { name: 'New password' })
  await field.fill('another good')
  await page.keyboard.press('Enter')
  await page.getByText('Use at least 15 characters, such as four or five words.').waitFor()
  await look(page, 'new-password-refused')
  await field.fill('another good password of words')
  await page.keyboard.press('Enter')
  await arrived(page)
  expect(complaints.filter((one) => !one.includes('400'))).toEqual([])
})

test('the button of consent is dead until 0.5 seconds after it was drawn', async () => {
  const { page } = await visit()
  const user = await tenant.member()
  const shop = await openShop({ is_third_party: true })
  await page.clock.install({ time: '2026-01-01T00:00:00Z' })
  await shop.send(page)
  await page.getByLabel('E-mail').waitFor()
  await page.clock.pauseAt('2026-01-01T01:00:00Z')
  await prove(page, user.email)
  await heading(page, `Allow ${shop.name}?`).waitFor()
  const allow = page.getByRole('button', { name: 'Allow', exact: true })
  await page.clock.runFor(499)
  expect(await allow.isDisabled()).toBe(true)
  await page.clock.runFor(1)
  await expectSoon(() => allow.isEnabled()).toBe(true)
  // A window that comes to the front could take a click that was meant for the one before it.
  await page.evaluate(`dispatchEvent(new Event('focus'))`)
  await expectSoon(() => allow.isDisabled()).toBe(true)
  await page.clock.runFor(500)
  await expectSoon(() => allow.isEnabled()).toBe(true)
  await page.getByRole('button', { name: 'Don’t allow' }).click()
  await arrived(page)
  expect(shop.answer()).toMatchObject({ error: 'access_denied' })
})

describe('a tenant', () => {
  test('is chosen by a person of several, and shows its name, logo and colour', async () => {
    const { page, complaints } = await visit()
    const other = await newTenant()
    const user = await tenant.member()
    await insertMember(user, other)
    const branding = { name: 'Analytical Engines', logo: picture, color: '#ffd43b' }
    ok(await other.admin.put('/settings/tenant/branding', { value: branding }))
    const shop = await openShop({ kind: 'native', redirect_uris: ['com.example.shop:/callback'] })
    await shop.send(page, { redirect_uri: 'com.example.shop:/callback' })
    await prove(page, user.email)
    await heading(page, 'Choose an organization').waitFor()
    await look(page, 'tenant')
    await page.getByRole('button', { name: `Tenant ${other.slug}` }).press('Enter')
    await heading(page, `Continue as ${user.email}?`).waitFor()
    await page.getByText('Analytical Engines').waitFor()
    await page.getByText(`to continue to ${shop.name}`).waitFor()
    await page.getByText('com.example.shop:').waitFor()
    expect(await page.getByText(new URL(service.url).host).count()).toBe(1)
    const link = page.getByRole('button', { name: 'Use another account' })
    const color: unknown = await link.evaluate('(node) => getComputedStyle(node).color')
    // The blue of Tenantry, light and dark.
    expect(['rgb(59, 91, 219)', 'rgb(145, 167, 255)']).not.toContain(color)
    await look(page, 'continue-branded')
    expect(complaints).toEqual([])
  })

  test('a person adds a required second factor on the page, which shows the recovery codes once', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const shop = await openShop({ require_mfa: true })
    await shop.send(page)
    await prove(page, user.email)
    await heading(page, 'Set up two-step verification').waitFor()
    await look(page, 'enrol')
    await enter(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('img', { name: 'QR code for the authenticator app' }).waitFor()
    await expectSoon(() => page.locator('.qr path').getAttribute('d')).toMatch(/^M/)
    await look(page, 'enrol-app')
    await codeField(page).fill('000000')
    await page.keyboard.press('Enter')
    await page.getByText('This code is wrong.').waitFor()
    await codeField(page).fill(codeOf(await page.locator('code').innerText()))
    await page.keyboard.press('Enter')
    await heading(page, 'Recovery codes').waitFor()
    const codes = await page
      .getByRole('list', { name: 'Recovery codes' })
      .getByRole('listitem')
      .allInnerTexts()
    expect(new Set(codes).size).toBe(10)
    await look(page, 'codes')
    expect(await printed(page)).toEqual([
      'Tenantry',
      'Recovery codes',
      new URL(page.url()).origin,
      user.email,
      ...codes,
    ])
    const download = page.waitForEvent('download')
    await page.getByRole('button', { name: 'Download' }).click()
    expect((await download).suggestedFilename()).toMatch(/^recovery-codes-127\.0\.0\.1-/)
    const next = page.getByRole('button', { name: 'Continue' })
    expect(await next.isDisabled()).toBe(true)
    await page.getByRole('checkbox', { name: 'I have saved these codes.' }).press('Space')
    await enter(next)
    await arrived(page)
    expect(shop.answer()).toMatchObject({ code: expect.any(String) })
    expect(complaints).toEqual([])
  })
})

test('a recovery code stands in for the app', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  const app = await addTotp(user)
  const shop = await openShop()
  await shop.send(page)
  await prove(page, user.email)
  await heading(page, 'Two-step verification').waitFor()
  await page.getByRole('button', { name: 'Use a recovery code instead' }).press('Enter')
  await page.getByLabel('Recovery code').fill(app.recoveryCodes[0] ?? '')
  await look(page, 'factor-recovery')
  await page.keyboard.press('Enter')
  await arrived(page)
  expect(complaints).toEqual([])
})

describe('a passkey', () => {
  test('is added on the page, and then signs in alone and as the second step', async () => {
    const { page, complaints } = await visit()
    const [url, user] = [await startAtLocalhost(), await tenant.member()]
    await addDevice(page)
    const shop = await openShop({ require_mfa: true })
    await shop.send(page, {}, url)
    await prove(page, user.email)
    await heading(page, 'Set up two-step verification').waitFor()
    await page.getByRole('radio', { name: 'Passkey' }).check()
    clock.advance(5 * 60_000)
    await enter(page.getByRole('button', { name: 'Continue' }))
    await page.getByRole('textbox', { name: 'Password' }).waitFor()
    await page.keyboard.type(password)
    await page.keyboard.press('Enter')
    await look(page, 'enrol-passkey')
    await page.getByRole('button', { name: 'Create passkey' }).press('Enter')
    await heading(page, 'Recovery codes').waitFor()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await arrived(page)

    await shop.send(page, { prompt: 'login' }, url)
    await page.getByRole('button', { name: 'Use a passkey' }).click()
    await arrived(page)

    // This device answers a list of passkeys by itself.
    await page.addInitScript('delete PublicKeyCredential.isConditionalMediationAvailable')
    await shop.send(page, { prompt: 'login' }, url)
    await prove(page, user.email)
    await heading(page, 'Two-step verification').waitFor()
    await look(page, 'factor-passkey')
    await page.getByRole('button', { name: 'Use a passkey' }).press('Enter')
    await arrived(page)
    expect(complaints).toEqual([])
  })

  test('is offered after a sign-in without one, then listed in the address field, and forgotten once it is unknown', async () => {
    await putGlobalWays({ offer_passkey: true })
    onTestFinished(async () => void (await dropGlobalWays()))
    const { page, complaints } = await visit()
    const [url, user, shop] = [await startAtLocalhost(), await tenant.member(), await openShop()]
    await addDevice(page)
    await shop.send(page, {}, url)
    await prove(page, user.email)
    await heading(page, 'Sign in without a password?').waitFor()
    await look(page, 'offer-passkey')
    await page.getByRole('button', { name: 'Not now' }).press('Enter')
    await arrived(page)

    const other = await tenant.member()
    await shop.send(page, { prompt: 'login' }, url)
    await prove(page, other.email)
    await page.getByRole('button', { name: 'Create passkey' }).press('Enter')
    await heading(page, 'Recovery codes').waitFor()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Continue' }).click()
    await arrived(page)

    await shop.send(page, { prompt: 'login' }, url)
    await arrived(page)
    expect(complaints).toEqual([])
  })
})

test('a stranger registers, with each fault beside its field, and arrives', async () => {
  const { page, complaints } = await visit()
  const shop = await openShop()
  await shop.send(page)
  await page.getByRole('button', { name: 'Create account' }).press('Enter')
  await heading(page, 'Create account').waitFor()
  await page.getByLabel('E-mail').fill(`${unique()}@example.com`)
  await page.getByLabel('Username').fill('ad')
  await page.getByRole('textbox', { name: 'Password' }).fill('short')
  await page.getByRole('button', { name: 'Show password', pressed: false }).click()
  await page.getByRole('button', { name: 'Show password', pressed: true }).waitFor()
  expect(await page.getByRole('textbox', { name: 'Password' }).getAttribute('type')).toBe('text')
  expect(await focused(page)).toBe('password')
  await page.keyboard.press('Enter')
  await page.getByText('Use 3 to 64 letters').waitFor()
  await page.getByText('Use 8 to 128 characters.').waitFor()
  expect(await focused(page)).toBe('username')
  // A password manager keeps what people sign in with.
  expect(await page.locator('[autocomplete=username]').getAttribute('name')).toBe('email')
  await look(page, 'register')
  await page.getByLabel('Username').fill(unique())
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await arrived(page)
  await shop.send(page, { prompt: 'create' })
  await heading(page, 'Create account').waitFor()
  await page.getByRole('button', { name: 'Sign in' }).click()
  await heading(page, 'Sign in').waitFor()
  expect(complaints).toEqual([])
})

describe('proof of work', () => {
  beforeAll(async () => {
    ok(await (await platformAdmin()).put('/settings/global/auth.robots', { value: 'proof_of_work' }))
    return async () => ok(await (await platformAdmin()).delete('/settings/global/auth.robots'))
  })

  const fill = async (page: Page, email: string): Promise<void> => {
    await page.getByRole('button', { name: 'Create account' }).click()
    await heading(page, 'Create account').waitFor()
    await page.getByLabel('E-mail').fill(email)
    await page.getByLabel('Username').fill(unique('u'))
    await page.getByRole('textbox', { name: 'Password' }).fill(password)
  }

  test('is done while the person types, and asks no other host', async () => {
    const { page, complaints } = await visit()
    const foreign: string[] = []
    page.on('request', (request) => {
      if (new URL(request.url()).hostname !== '127.0.0.1') foreign.push(request.url())
    })
    const shop = await openShop()
    await shop.send(page)
    const root = await platformAdmin()
    await fill(page, root.email)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('This e-mail is already registered').waitFor()
    // The failed attempt has spent its challenge.
    await page.getByLabel('E-mail').fill(`${unique('p')}@example.com`)
    await page.getByRole('button', { name: 'Create account' }).click()
    await arrived(page)
    expect([complaints.filter((one) => !one.includes('409')), foreign]).toEqual([[], []])
  })

  test('is done again for a form that was open too long, and shows the wait', async () => {
    const { page } = await visit()
    let answers = 0
    await page.route('**/api/v1/auth/challenge', async (route) => {
      answers += 1
      const response = await route.fetch()
      const body = await response.json()
      if (answers === 1) body.data.signature = '0'.repeat(64)
      else await new Promise((resolve) => setTimeout(resolve, 500))
      await route.fulfill({ response, json: body })
    })
    const shop = await openShop()
    await shop.send(page)
    await fill(page, `${unique('p')}@example.com`)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByText('Checking that you’re human').waitFor()
    await look(page, 'register-working')
    await arrived(page)
    expect(answers).toBe(2)
  })

  test('says so if it fails, and is tried again', async () => {
    const { page } = await visit()
    await page.route('**/assets/pbkdf2-*', (route) => route.abort())
    const shop = await openShop()
    await shop.send(page)
    await fill(page, `${unique('p')}@example.com`)
    await page.getByRole('button', { name: 'Create account' }).click()
    await page.getByRole('alert').getByText('couldn’t complete the bot check').waitFor()
    await look(page, 'register-unsolved')
    await page.unroute('**/assets/pbkdf2-*')
    await page.getByRole('button', { name: 'Create account' }).click()
    await arrived(page)
    expect(shop.answer()).toMatchObject({ code: expect.any(String) })
  })

  test('comes before the link to a new password', async () => {
    const { page, complaints } = await visit()
    const shop = await openShop()
    const user = await tenant.member()
    await shop.send(page)
    await page.getByLabel('E-mail').fill(user.email)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Forgot your password?' }).click()
    await page.getByRole('button', { name: 'Send link' }).click()
    await page.getByRole('status').filter({ hasText: user.email }).waitFor()
    expect(complaints).toEqual([])
  })
})

test('another account replaces the one that the browser remembers', async () => {
  const { page, complaints } = await visit()
  const [first, second] = [await tenant.member(), await tenant.member()]
  const shop = await openShop({ is_third_party: true })
  await shop.send(page)
  await prove(page, first.email)
  await page.getByText(`Signed in as ${first.email}`).waitFor()
  await page.getByRole('button', { name: 'Use another account' }).click()
  await prove(page, second.email)
  await page.getByText(`Signed in as ${second.email}`).waitFor()
  expect(complaints).toEqual([])
})

test('a person without the required permission reads so, and leads the application to the answer', async () => {
  const { page, complaints } = await visit()
  const root = await platformAdmin()
  const code = `${unique('m')}:use`
  ok(await root.post('/rbac/permissions', { code, name: 'Use' }))
  const shop = await openShop({ required_permission: code })
  await shop.send(page)
  await prove(page, (await tenant.member()).email)
  await heading(page, `You don’t have access to ${shop.name}`).waitFor()
  await page.getByText(`Ask an administrator of Tenant ${tenant.slug}.`).waitFor()
  await look(page, 'unpermitted')
  await page.getByRole('link', { name: `Go to ${shop.name}` }).click()
  await arrived(page)
  expect(shop.answer()).toMatchObject({ error: 'access_denied', state: 'the state' })
  expect(complaints).toEqual([])
})

test('a client that registered itself is called by its host, and its name comes after', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  const root = await platformAdmin()
  const code = `${unique('m')}:read`
  const permission = ok(
    await root.post('/rbac/permissions', { code, name: 'Read invoices', description: 'All of them' }),
  )
  const { identifier } = await newResource(permission.id, { allow_unregistered: true })
  ok(await tenant.admin.put('/settings/tenant/auth.unregistered_applications', { value: true }))
  const shop = await openShop({ kind: 'native', is_third_party: true })
  await markRegistered(shop)
  await shop.send(page, { scope: `${code} offline_access`, resource: identifier })
  await page.getByText(`to continue to ${shop.host}`).waitFor()
  await prove(page, user.email)
  await heading(page, `Allow ${shop.host}?`).waitFor()
  await page.getByText(`An app at ${shop.host} registered itself here as “${shop.name}”.`).waitFor()
  await page.getByText('Read invoices').waitFor()
  await page.getByText('which other apps there can impersonate').waitFor()
  await look(page, 'consent-registered')
  expect(complaints).toEqual([])
})

describe('a sign-in that is over', () => {
  test('says so, and leads to the application', async () => {
    const { page, complaints } = await visit()
    const shop = await openShop()
    await shop.send(page)
    await page.getByLabel('E-mail').fill('ada@example.com')
    await page.context().clearCookies()
    await page.keyboard.press('Enter')
    await heading(page, 'This sign-in has expired').waitFor()
    expect(await focused(page)).toBe('This sign-in has expired')
    await look(page, 'over')
    await page.reload()
    await page.getByRole('link', { name: `Go to ${shop.name}` }).click()
    await arrived(page)
    expect(complaints).toEqual([])
  })

  test('is cancelled by the person, which the application hears', async () => {
    const { page } = await visit()
    const shop = await openShop()
    await shop.send(page)
    await page.getByRole('button', { name: 'Cancel and go back' }).click()
    await arrived(page)
    expect(shop.answer()).toMatchObject({ error: 'access_denied', state: 'the state' })
  })

  test('leads back to the password after five wrong codes', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const app = await addTotp(user)
    const shop = await openShop()
    await shop.send(page)
    await prove(page, user.email)
    const wrong = page.getByText('This code or passkey is wrong.')
    for (let at = 0; at < 5; at++) {
      await codeField(page).fill(wrongCode(app.secret))
      await page.keyboard.press('Enter')
      await wrong.waitFor()
      await codeField(page).fill('')
      await page.keyboard.press('Enter')
      await page.getByText('Fill in this field.').waitFor()
    }
    await codeField(page).fill(app.nextCode())
    await page.keyboard.press('Enter')
    await heading(page, 'Enter your password').waitFor()
    await page.getByRole('alert').getByText('This sign-in took too long, or failed too often.').waitFor()
    expect(complaints).toEqual([])
  })

  test('waits for the network, and goes on with it', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const shop = await openShop()
    await shop.send(page)
    await page.getByLabel('E-mail').fill(user.email)
    await page.context().setOffline(true)
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('The service can’t be reached.').waitFor()
    await page.context().setOffline(false)
    await page.keyboard.press('Enter')
    await heading(page, 'Enter your password').waitFor()
    expect(complaints).toEqual([])
  })
})

test('an address that nobody has confirmed waits for its mailed link', async () => {
  const strict = await startApp({ requireVerifiedEmail: true })
  // After the browser has left.
  onTestFinished(() => strict.app.close())
  const { page, complaints } = await visit()
  const shop = await openShop()
  await shop.send(page, {}, strict.url)
  await page.getByRole('button', { name: 'Create account' }).click()
  const email = `${unique()}@example.com`
  await page.getByLabel('E-mail').fill(email)
  await page.getByLabel('Username').fill(unique())
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await heading(page, 'Confirm your e-mail').waitFor()
  await look(page, 'verify-email')
  await page.getByRole('button', { name: 'I have opened the link' }).click()
  await page.getByText('Not confirmed yet.').waitFor()
  await page.getByRole('button', { name: 'Send the link again' }).click()
  await expectSoon(async () => (await mailsTo(email)).length).toBe(2)
  const { pathname, hash } = new URL(await linkTo(email))
  const other = await page.context().newPage()
  await other.goto(`${strict.url}${pathname}${hash}`)
  await other.getByRole('textbox', { name: 'New password' }).fill(password)
  await other.getByRole('button', { name: 'Confirm e-mail' }).click()
  await other.getByText('E-mail confirmed.').waitFor()
  expect(await other.getByRole('link', { name: `Go to ${shop.name}` }).getAttribute('href')).toBe(
    `http://${shop.host}/`,
  )
  await page.getByRole('button', { name: 'I have opened the link' }).click()
  await arrived(page)
  expect(complaints).toEqual([])
})

test('an address that was mistyped is changed before it is confirmed, by a link to the right one', async () => {
  const strict = await startApp({ requireVerifiedEmail: true })
  onTestFinished(() => strict.app.close())
  const { page, complaints } = await visit()
  const shop = await openShop()
  await shop.send(page, {}, strict.url)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByLabel('E-mail').fill(`${unique()}@example.com`)
  await page.getByLabel('Username').fill(unique())
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Use another e-mail' }).click()
  const email = `${unique('right')}@example.com`
  await page.getByLabel('E-mail').fill(email)
  await page.getByRole('textbox', { name: 'Password' }).fill('not the password')
  await page.keyboard.press('Enter')
  await page.getByText('This isn’t your current password.').waitFor()
  await look(page, 'verify-email-other')
  await page.getByRole('textbox', { name: 'Password' }).fill(password)
  await page.keyboard.press('Enter')
  await page.getByText(`A link was sent to ${email}.`).waitFor()
  const { pathname, hash } = new URL(await linkTo(email))
  const other = await page.context().newPage()
  await other.goto(`${strict.url}${pathname}${hash}`)
  await other.getByRole('textbox', { name: 'New password' }).fill(password)
  await other.getByRole('button', { name: 'Confirm e-mail' }).click()
  await other.getByText('E-mail confirmed.').waitFor()
  await page.getByRole('button', { name: 'I have opened the link' }).click()
  await arrived(page)
  expect(complaints).toEqual([])
})

test('a password that was forgotten at a sign-in is set anew, and its page leads back to the application', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  const shop = await openShop()
  await shop.send(page)
  await page.getByLabel('E-mail').fill(user.email)
  await page.keyboard.press('Enter')
  await heading(page, 'Enter your password').waitFor()
  await page.getByRole('button', { name: 'Forgot your password?' }).press('Enter')
  await heading(page, 'Forgot your password?').waitFor()
  expect(await page.getByLabel('E-mail').inputValue()).toBe(user.email)
  await look(page, 'forgot')
  await page.getByRole('button', { name: 'Send link' }).press('Enter')
  await page.getByText('Check your e-mail').waitFor()
  expect(page.context().pages()).toHaveLength(1)
  await page.getByRole('button', { name: 'Back to sign-in' }).click()
  await heading(page, 'Enter your password').waitFor()
  const other = await page.context().newPage()
  await other.goto(await linkTo(user.email))
  await other.getByRole('textbox', { name: 'New password' }).fill('a fine long password')
  await other.keyboard.press('Enter')
  await other.getByText('Your new password is set.').waitFor()
  await inspect(other, 'hosted-password-set')
  await other.getByRole('link', { name: `Go to ${shop.name}` }).click()
  await arrived(other)
  expect(complaints).toEqual([])
})

test('the pages speak Chinese, by the browser or by choice', async () => {
  const { page, complaints } = await visit({ locale: 'zh-CN' })
  const user = await tenant.member()
  const app = await addTotp(user)
  const assistants = await startAssistants()
  onTestFinished(() => assistants.app.close())
  const { id, identifier: resource } = await assistantsResource()
  const shop = await openShop({ is_third_party: true, resource_ids: [id] })
  await shop.send(page, { scope: 'openid mcp:read user:create', resource }, assistants.url)
  await heading(page, '登录').waitFor()
  await look(page, 'identify-zh')
  await page.keyboard.type(user.email)
  await page.keyboard.press('Enter')
  await heading(page, '输入密码').waitFor()
  await page.keyboard.type(password)
  await page.keyboard.press('Enter')
  await heading(page, '两步验证').waitFor()
  await page.keyboard.type(app.nextCode())
  await page.keyboard.press('Enter')
  await heading(page, `允许 ${shop.name}？`).waitFor()
  await page.getByRole('listitem').getByText('创建用户', { exact: true }).waitFor()
  await page.getByRole('listitem').getByText('在组织中创建用户').waitFor()
  await look(page, 'consent-zh')
  await page.getByRole('combobox', { name: '语言' }).selectOption('English')
  await heading(page, `Allow ${shop.name}?`).waitFor()
  expect(complaints).toEqual([])
})

describe('a device', () => {
  test('is let in by the person who types its code, or confirms the one of its link', async () => {
    const { page, complaints } = await visit()
    const user = await tenant.member()
    const grantTypes = ['authorization_code', 'urn:ietf:params:oauth:grant-type:device_code']
    const shop = await openShop({ kind: 'native', grant_types: grantTypes })
    const ask = () => postForm('/device_authorization', { client_id: shop.clientId, scope: 'openid' })
    const linkOf = ({ body }: Awaited<ReturnType<typeof ask>>) =>
      `${service.url}/sign-in/device#code=${body.user_code}`
    const asked = await ask()
    await page.goto(linkOf(asked))
    await page.getByText(asked.body.user_code, { exact: true }).waitFor()
    await look(page, 'device-linked')
    await page.getByRole('button', { name: 'Enter another code' }).click()
    await look(page, 'device')
    await page.keyboard.type('BBBBBBBB')
    await page.keyboard.press('Enter')
    await page.getByRole('alert').getByText('No device shows this code.').waitFor()
    await codeField(page).fill(asked.body.user_code.toLowerCase())
    await page.keyboard.press('Enter')
    await prove(page, user.email)
    await heading(page, `Allow ${shop.name}?`).waitFor()
    await page.getByText('Only use a code from a device in front of you.').waitFor()
    await page.getByText('127.0.0.1', { exact: true }).waitFor()
    await look(page, 'consent-device')
    await page.getByRole('button', { name: 'Allow', exact: true }).click()
    await page.getByText('Continue on your device.').waitFor()
    await look(page, 'device-done')
    const grant = { grant_type: grantTypes[1], client_id: shop.clientId, device_code: asked.body.device_code }
    expect(await postForm('/token', grant)).toMatchObject({ status: 200 })
    await page.goto(linkOf(await ask()))
    await page.getByRole('button', { name: 'The codes match' }).click()
    await heading(page, `Allow ${shop.name}?`).waitFor()
    expect(complaints).toEqual([])
  })
})

test('signing out on the wish of an application asks first', async () => {
  const { page, complaints } = await visit()
  const user = await tenant.member()
  const shop = await openShop()
  await shop.send(page)
  await prove(page, user.email)
  await arrived(page)
  await page.goto(`${service.url}/oauth2/logout?client_id=${shop.clientId}`)
  await heading(page, 'Sign out?').waitFor()
  await page.getByText(`Signed in as ${user.email}`).waitFor()
  await page.getByRole('link', { name: `Go to ${shop.name}` }).waitFor()
  await look(page, 'log-out')
  await page.getByRole('button', { name: 'Sign out' }).press('Enter')
  await heading(page, 'You’re signed out').waitFor()
  await look(page, 'logged-out')
  await shop.send(page)
  await page.getByLabel('E-mail').waitFor()
  expect(complaints).toEqual([])
})

test('a page that nobody was sent to leads to the console', async () => {
  const { page, complaints } = await visit()
  await page.goto(`${service.url}/sign-in`)
  await heading(page, 'Sign in from an application').waitFor()
  await look(page, 'nothing')
  await page.goto(`${service.url}/sign-in/outcome?code=abc&state=x`)
  await heading(page, 'The sign-in works').waitFor()
  expect(new URL(page.url()).search).toBe('')
  await look(page, 'outcome')
  await page.goto(`${service.url}/sign-in/outcome?error=access_denied&error_description=The+person+refused`)
  await heading(page, 'The sign-in failed').waitFor()
  await page.getByText('The person refused').waitFor()
  expect(complaints).toEqual([])
})

test('all that a browser fetches for every step takes less than 120 kB', async () => {
  const { page } = await visit()
  const sizes = new Map<string, Promise<number>>()
  page.on('requestfinished', (request) => {
    const { pathname } = new URL(request.url())
    if (!/^\/sign-in|\.(?:js|css)$/.test(pathname)) return
    sizes.set(
      pathname,
      request.sizes().then(({ responseBodySize }) => responseBodySize),
    )
  })
  const user = await tenant.member()
  const shop = await openShop({ require_mfa: true })
  await shop.send(page)
  await prove(page, user.email)
  await heading(page, 'Set up two-step verification').waitFor()
  await enter(page.getByRole('button', { name: 'Continue' }))
  await expectSoon(() => page.locator('.qr path').getAttribute('d')).toMatch(/^M/)
  const bytes = (await Promise.all(sizes.values())).reduce((sum, size) => sum + size, 0)
  process.stdout.write(`${(bytes / 1000).toFixed(1)} kB in ${sizes.size} files\n`)
  expect(bytes).toBeGreaterThan(50_000)
  expect(bytes).toBeLessThan(120_000)
})
