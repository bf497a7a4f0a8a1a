/** A link that was mailed at a sign-in returns to the home page of its application, and to no other address. */
import sql from 'sql-template-tag'
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest'
import { credentials, newSource } from '../../../../../test/accounts.ts'
import { refusal, refusalOf, tally } from '../../../../../test/answers.ts'
import { interactionOf, movedTo, openBrowser, pageHeaders, requestFor } from '../../../../../test/browser.ts'
import { newTenant, ok, password, platformAdmin, unique, type Tenant } from '../../../../../test/factories.ts'
import { changeApplication, newApplication, type TestApplication } from '../../../../../test/front-door.ts'
import { call, parts, startApp, type Answer } from '../../../../../test/harness.ts'
import { deliver, insertLink, useMailServer } from '../../../../../test/mail-queue.ts'
import type { Config } from '../../../../config/config.ts'

const home = 'https://invoices.example.com/'

const server = useMailServer()

let tenant: Tenant
let application: TestApplication
beforeAll(async () => {
  tenant = await newTenant()
  application = await newApplication({ home_url: home })
})

const begin = async (to = application) => {
  const browser = openBrowser()
  return { browser, id: interactionOf(await browser.authorize(requestFor(to).params)) }
}

/** The token of the newest link to an address. */
const mailedTo = async (email: string): Promise<string> => {
  await deliver(server)
  return server.to(email).findLast(({ link }) => link !== undefined)?.token ?? ''
}

const wayBack = (token: string) => openBrowser().call('POST', '/way-back', { token })

const forgetAt = async (to: TestApplication, email: string): Promise<string> => {
  const { browser, id } = await begin(to)
  ok(await browser.act(id, 'forgot', { email }))
  return mailedTo(email)
}

describe('the way back from a link of a sign-in', () => {
  test('the link of a forgotten password names its application, and stays unspent by the question', async () => {
    const { email } = await tenant.member()
    const token = await forgetAt(application, email)
    for (const _ of [1, 2]) {
      expect(ok(await wayBack(token))).toMatchObject({
        application: { name: application.name, home_url: home },
      })
    }
    const next = 'another good password'
    ok(await call('POST', '/auth/password/reset', { body: { token, new_password: next } }))
    expect(await wayBack(token)).toMatchObject(refusal('linkDead'))
  })

  test('the link of a registration names its application', async () => {
    const { browser, id } = await begin()
    const account = credentials()
    ok(await browser.act(id, 'register', account))
    const token = await mailedTo(account.email)
    expect(ok(await wayBack(token))).toMatchObject({
      application: { name: application.name, home_url: home },
      email: account.email,
    })
    ok(await browser.call('POST', '/verify-email', { token }))
  })
})

describe('the look of the pages of the own account', () => {
  const look = async (body: object) => ok(await openBrowser().call('POST', '/look', body))
  const plain = { name: '', logo: '', logo_dark: '', icon: '', color: '' }

  test('names an application with its registered home page, and none for another client id', async () => {
    const { name } = application
    const shown = { name, logo: '', home_url: home }
    const client_id = application.clientId
    expect(await look({ client_id })).toEqual({ application: shown, branding: plain })
    for (const other of ['', 'unknown', home, name]) {
      expect(await look({ client_id: other })).toEqual({ application: null, branding: plain })
    }
  })

  test('has the branding of a tenant, by its id or slug', async () => {
    const branding = { name: 'Acme & Co', color: '#336699' }
    ok(await tenant.admin.put('/settings/tenant/branding', { value: branding }))
    for (const named of [tenant.id, tenant.slug]) {
      expect((await look({ tenant: named })).branding).toEqual({ ...plain, ...branding })
    }
    expect((await look({ tenant: 'unknown' })).branding).toEqual(plain)
  })
})

describe('a sign-up that begins at a sign-in', () => {
  /** A service whose visitors may create organizations, and an interaction of it. */
  const open = async (changes: Partial<Config> = {}) => {
    const at = await startApp({ signUp: 'organization', signUpsPerHour: 1_000_000, ...changes })
    onTestFinished(() => at.app.close())
    const { browser, id } = await begin()
    return { at, id, browser: movedTo(at, browser) }
  }
  type Opened = Awaited<ReturnType<typeof open>>

  const signUp = ({ browser, id }: Opened, email: string, headers: Record<string, string> = {}) =>
    browser.call(
      'POST',
      `/interactions/${id}/sign-up`,
      { organization: unique('Acme '), email },
      { ...pageHeaders, ...headers },
    )

  test('is answered alike for every address, and its link leads back until it is followed', async () => {
    const opened = await open()
    const [stranger, member] = [credentials().email, (await tenant.member()).email]
    const answers = [await signUp(opened, stranger), await signUp(opened, member)]
    expect(tally(answers)).toEqual({ 200: 2 })
    expect(answers[0]?.data).toEqual(answers[1]?.data)
    for (const email of [stranger, member]) {
      const token = await mailedTo(email)
      expect(ok(await wayBack(token))).toMatchObject({
        application: { name: application.name, home_url: home },
      })
    }
    const token = await mailedTo(stranger)
    const body = { token, username: unique('u'), password }
    ok(await call('POST', '/auth/sign-up/confirm', { at: opened.at, body }))
    expect(await wayBack(token)).toMatchObject(refusal('linkDead'))
  })

  test('has the guards of every sign-up: closed, names, and the limit of a source that both ways share', async () => {
    const closed = await open({ signUp: 'closed' })
    expect(await signUp(closed, credentials().email)).toMatchObject(refusal('signUpClosed'))
    const limited = await open({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
    const source = newSource()
    const { email } = credentials()
    const answers: Answer[] = []
    for (let n = 0; n < 3; n += 1) answers.push(await signUp(limited, email, source))
    const body = { organization: unique('Acme '), email }
    for (let n = 0; n < 3; n += 1) {
      answers.push(await call('POST', '/auth/sign-up', { at: limited.at, headers: source, body }))
    }
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 429])
    expect(await signUp(limited, email, source)).toMatchObject(refusal('tooManyRequests'))
    const unsound = { organization: 'www.evil.example', email }
    expect(await limited.browser.act(limited.id, 'sign-up', unsound)).toMatchObject(refusalOf('organization'))
  })
})

describe('a link that names no application', () => {
  test('a link that began at the console names no application', async () => {
    const { email } = await tenant.member()
    ok(await call('POST', '/auth/password/forgot', { body: { email } }))
    expect(ok(await wayBack(await mailedTo(email)))).toMatchObject({ application: null })
  })

  test('a link names no application without a home page, and none that is disabled or deleted', async () => {
    const [homeless, disabled, deleted] = [
      await newApplication(),
      await newApplication({ home_url: home }),
      await newApplication({ home_url: home }),
    ]
    const tokens: string[] = []
    for (const one of [homeless, disabled, deleted]) {
      tokens.push(await forgetAt(one, (await tenant.member()).email))
    }
    await changeApplication(disabled, { status: 0 })
    ok(await (await platformAdmin()).delete(`/applications/${deleted.id}`))
    for (const token of tokens) expect(ok(await wayBack(token))).toMatchObject({ application: null })
  })

  test('an unknown link is refused', async () => {
    expect(await wayBack('x'.repeat(43))).toMatchObject(refusal('linkDead'))
  })
})

describe('a forgotten password', () => {
  test('is asked for alike with an unknown address, and mailed to none', async () => {
    const { browser, id } = await begin()
    const { email } = await tenant.member()
    const unknown = credentials().email
    const answers = [
      await browser.act(id, 'forgot', { email }),
      await browser.act(id, 'forgot', { email: unknown }),
    ]
    expect(answers[0]?.data).toEqual(answers[1]?.data)
    expect(tally(answers)).toEqual({ 200: 2 })
    await deliver(server)
    expect(server.to(unknown)).toEqual([])
  })

  test('is 503 where no e-mail is sent, and 404 at an unknown sign-in', async () => {
    const without = await startApp({}, undefined, { mailer: undefined })
    const { browser, id } = await begin()
    const { email } = await tenant.member()
    expect(
      await movedTo(without, browser).call('POST', `/interactions/${id}/forgot`, { email }),
    ).toMatchObject(refusal('mailOff'))
    await without.app.close()
    expect(await openBrowser().act(id, 'forgot', { email })).toMatchObject(refusal('interactionUnknown'))
  })
})

test('a source asks about 60 links in 15 minutes at most', async () => {
  const limited = await startApp({ rateLimit: true, trustedProxies: ['127.0.0.1'] })
  const token = await insertLink(await tenant.member(), 'reset')
  const headers = { ...pageHeaders, ...newSource() }
  const ask = () => openBrowser(limited).call('POST', '/way-back', { token }, headers)
  const answers = await Promise.all(Array.from({ length: 61 }, ask))
  expect(tally(answers)).toEqual({ 200: 60, 429: 1 })
  await limited.app.close()
})

test('the way back is stored as the id of an application, and never as an address', async () => {
  const { email } = await tenant.member()
  await forgetAt(application, email)
  const rows = await parts.store
    .scoped({})
    .many<{ application_id: number }>(sql`select application_id from account_links where email = ${email}`)
  expect(rows).toEqual([{ application_id: application.id }])
})
