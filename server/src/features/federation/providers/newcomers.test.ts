/** People without an account who come by a provider. */
import sql from 'sql-template-tag'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { recordsOf } from '../../../../test/accounts.ts'
import { refusal } from '../../../../test/answers.ts'
import { personOf, tokensOf, useProviders, type Made } from '../../../../test/at-providers.ts'
import { openBrowser, openConsole, type Browser } from '../../../../test/browser.ts'
import { consoleCodeIn } from '../../../../../lab/browser.ts'
import { builtIn, newTenant, ok, unique, type Tenant } from '../../../../test/factories.ts'
import { call, parts, startApp, type Running } from '../../../../test/harness.ts'
import { deliver, proofMailedTo, useMailServer } from '../../../../test/mail-queue.ts'
import { claimsOf, invite, inviteShown } from '../../../../test/people.ts'

const mails = useMailServer()
const { activate, returnOf, goTo } = useProviders()

let users: Running
let organizations: Running
let tenant: Tenant
beforeAll(async () => {
  users = await startApp({ signUp: 'user' })
  organizations = await startApp({ signUp: 'organization' })
  tenant = await newTenant()
})
afterAll(async () => {
  await users.app.close()
  await organizations.app.close()
})

const accountOf = (email: string) =>
  parts.store.scoped({}).one<Record<string, unknown>>(sql`
    select password_scheme, has_own_password, proved_email from accounts where email = ${email}`)

const owned = (email: string) => ({
  password_scheme: 'none',
  has_own_password: true,
  proved_email: email,
})

describe('a typed address without an account', () => {
  const typed = { trusts_email: false }

  test('registers its person by the mailed link, in the browser of the sign-in alone', async () => {
    const [provider, person] = [await activate(typed), personOf()]
    const { browser, id } = await goTo(provider, person, openBrowser(users))
    ok(await browser.act(id, 'proof', {}))
    const { token } = await proofMailedTo(mails, person.email)
    expect((await openBrowser(users).act(id, 'proof', { token })).status).toBe(404)
    expect(await accountOf(person.email)).toBeUndefined()
    const { redirect_to: to } = ok(await browser.act(id, 'proof', { token }))
    const { access_token: access } = ok(await openConsole(browser, consoleCodeIn(to) ?? ''))
    expect(ok(await call('GET', '/profile', { token: access, at: users })).nickname).toBe('Ada Lovelace')
    expect(await accountOf(person.email)).toEqual(owned(person.email))
    const actions = (await recordsOf(claimsOf(access))).map(({ action }) => action)
    expect(actions).toEqual(expect.arrayContaining(['auth.register', 'identity.add']))
    const again = await goTo(provider, person, openBrowser(users))
    expect((await tokensOf(again)).access_token).toBeDefined()
  })

  test.each([
    ['the provider brings nobody new', { ...typed, allow_new: false }, 'user'],
    ['registration is closed', typed, 'closed'],
  ] as const)('gets no mail, and the same answers, where %s', async (_why, changes, signUp) => {
    const at = await startApp({ signUp })
    const [provider, person] = [await activate(changes), personOf()]
    const { browser, id } = await goTo(provider, person, openBrowser(at))
    expect((await browser.act(id, 'proof', {})).data.step).toBe('proof')
    expect((await proofMailedTo(mails, person.email)).token).toBe('')
    await at.app.close()
  })
})

describe('the creation of an organization', () => {
  test.each([
    ['a proved', true],
    ['a typed', false],
  ])('is offered to the person of %s address', async (_how, isTrusted) => {
    const [provider, person] = [await activate({ trusts_email: isTrusted }), personOf()]
    const { browser, id } = await goTo(provider, person, openBrowser(organizations))
    if (!isTrusted) {
      ok(await browser.act(id, 'proof', {}))
      const { token } = await proofMailedTo(mails, person.email)
      ok(await browser.act(id, 'proof', { token }))
    }
    const { data } = await browser.read(id)
    expect(data).toMatchObject({ step: 'identify', account: person.email })
    expect(data.methods[0]).toBe('sign_up')
    expect(await accountOf(person.email)).toBeUndefined()
  })
})

const openLink = async (browser: Browser, kind: 'invitation' | 'sign_up', token: string): Promise<string> =>
  ok(await browser.call('POST', '/links/interaction', { kind, token })).id

/** The page that the browser sees after the provider's answer to the interaction of a link. */
const bring = async (browser: Browser, id: string, provider: Made, person: object) => {
  const { location, status } = await browser.open(await returnOf(browser, id, provider, person))
  return location === `/oauth2/resume/${id}` ? browser.open(location) : { location, status }
}

describe('an invitation', () => {
  const inviteBy = async (email = `${unique('i')}@example.com`) => ({
    email,
    token: (await invite(mails, tenant.admin, { email })).token,
  })
  const join = (browser: Browser, token: string, interaction: string) =>
    browser.call('POST', '/links/invitation', { token, username: unique('i'), interaction })

  test.each([
    ['proved', true],
    ['typed, as the mailed link proves it', false],
  ])('is accepted by a provider whose address is %s', async (_how, isTrusted) => {
    const provider = await activate({ trusts_email: isTrusted })
    const [{ email, token }, browser] = [await inviteBy(), openBrowser()]
    const id = await openLink(browser, 'invitation', token)
    const page = await bring(browser, id, provider, personOf({ email }))
    expect(page.location).toBe(`/sign-in/accept-invitation?interaction=${id}`)
    expect((await join(openBrowser(), token, id)).status).toBe(404)
    expect(ok(await join(browser, token, id)).tenant_id).toBe(tenant.id)
    expect(await accountOf(email)).toEqual(owned(email))
    const again = await goTo(provider, personOf({ email }))
    expect((await again.browser.read(again.id)).data.step).toBe('proof')
  })

  test('is not accepted by the person of another address, or of a provider that brings nobody new', async () => {
    const [{ token, email }, browser] = [await inviteBy(), openBrowser()]
    const other = await openLink(browser, 'invitation', token)
    expect((await bring(browser, other, await activate(), personOf())).status).toBe(403)
    const closed = await openLink(browser, 'invitation', token)
    expect(
      (await bring(browser, closed, await activate({ allow_new: false }), personOf({ email }))).status,
    ).toBe(403)
    expect(await join(browser, token, other)).toMatchObject(refusal('interactionUnknown'))
    expect(await accountOf(email)).toBeUndefined()
  })

  test('takes no typed address by a shown link, and none for another invitation', async () => {
    const [email, browser] = [`${unique('i')}@example.com`, openBrowser()]
    const shown = await inviteShown(tenant.admin, email)
    const id = await openLink(browser, 'invitation', shown)
    const provider = await activate({ trusts_email: false })
    expect((await bring(browser, id, provider, personOf({ email }))).status).toBe(403)
    const [mine, victim] = [await inviteBy(), await inviteBy()]
    const own = await openLink(browser, 'invitation', mine.token)
    await bring(browser, own, await activate(), personOf({ email: mine.email }))
    expect(await join(browser, victim.token, own)).toMatchObject(refusal('providerRefused'))
  })

  test('signs a known person in, and returns to its page', async () => {
    const provider = await activate()
    const [{ email, token }, browser] = [await inviteBy(), openBrowser()]
    const person = personOf({ email })
    await bring(browser, await openLink(browser, 'invitation', token), provider, person)
    const first = await openLink(browser, 'invitation', token)
    await bring(browser, first, provider, person)
    ok(await join(browser, token, first))
    const other = await newTenant()
    const next = await invite(mails, other.admin, { email })
    const anew = openBrowser()
    const id = await openLink(anew, 'invitation', next.token)
    expect((await bring(anew, id, provider, person)).location).toBe('/sign-in/accept-invitation')
    const body = { token: next.token, username: unique('i') }
    expect(ok(await anew.call('POST', '/links/invitation', body)).tenant_id).toBe(other.id)
  })

  test('opens nothing once it is used', async () => {
    expect(
      await openBrowser().call('POST', '/links/interaction', { kind: 'invitation', token: 'x' }),
    ).toMatchObject(refusal('linkDead'))
  })
})

test('an organization is created by a provider, without a password', async () => {
  const email = `${unique('o')}@example.com`
  const [browser, provider] = [openBrowser(organizations), await activate()]
  const asked = { email, organization: unique('Org ') }
  ok(await call('POST', '/auth/sign-up', { body: asked, at: organizations }))
  await deliver(mails)
  const token = mails.to(email).at(-1)?.token ?? ''
  const id = await openLink(browser, 'sign_up', token)
  expect((await bring(browser, id, provider, personOf({ email }))).location).toBe(
    `/sign-in/sign-up?interaction=${id}`,
  )
  const body = { token, username: unique('o'), interaction: id }
  const { tenant_id: made } = ok(await browser.call('POST', '/links/sign-up', body))
  expect(made).not.toBe(builtIn.id)
  expect(await accountOf(email)).toEqual(owned(email))
})
