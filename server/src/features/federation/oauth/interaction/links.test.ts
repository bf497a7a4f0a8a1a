/** Invitations and sign-up links on the sign-in pages open the sign-in of the browser. */
import { beforeAll, describe, expect, test } from 'vitest'
import { refusal } from '../../../../../test/answers.ts'
import {
  beginForConsole,
  consoleCodeIn,
  interactionOf,
  openBrowser,
  openConsole,
  type Browser,
} from '../../../../../test/browser.ts'
import { newTenant, ok, password, unique, type Tenant } from '../../../../../test/factories.ts'
import { useMailServer } from '../../../../../test/mail-queue.ts'
import { claimsOf, invite, newPerson } from '../../../../../test/people.ts'
import { addTotp, withTokens } from '../../../../../test/second-factors.ts'

const server = useMailServer()

let home: Tenant
let tenant: Tenant
beforeAll(async () => {
  home = await newTenant()
  tenant = await newTenant()
})

const newEmail = () => `${unique('l')}@example.com`

const inviteTo = async (email: string) => (await invite(server, tenant.admin, { email })).token

const acceptIn = (browser: Browser, body: object, headers?: Record<string, string>) =>
  browser.call('POST', '/links/invitation', { username: unique('u'), ...body }, headers)

/** The tenant of the session that the console opens without a further step. */
const tenantOfConsole = async (browser: Browser, asked?: string) => {
  const { location } = await beginForConsole(browser, { tenant: asked })
  const { data } = await openConsole(browser, consoleCodeIn(location) ?? '')
  return claimsOf(data.access_token).tenantId
}

const readerOf = async (browser: Browser) => ok(await browser.call('GET', '/links/reader')).account

const signIn = async (browser: Browser, email: string) => {
  const id = interactionOf(await beginForConsole(browser))
  ok(await browser.act(id, 'identify', { email }))
  ok(await browser.act(id, 'password', { email, password }))
}

describe('an invitation', () => {
  test('signs the browser of a new person in to the tenant', async () => {
    const [browser, email] = [openBrowser(), newEmail()]
    expect(await readerOf(browser)).toBe('')
    const answer = ok(await acceptIn(browser, { token: await inviteTo(email), password }))
    expect(answer).toEqual({ tenant_id: tenant.id, second_step: null })
    expect(await readerOf(browser)).toBe(email)
    expect(await tenantOfConsole(browser)).toBe(tenant.id)
  })

  test('takes no password of the person who is signed in, whose sign-in goes on', async () => {
    const browser = openBrowser()
    const { email } = await newPerson(server, home)
    const token = await inviteTo(email)
    expect((await acceptIn(openBrowser(), { token })).status).toBe(400)
    await signIn(browser, email)
    const before = new Map(browser.cookies)
    ok(await acceptIn(browser, { token }))
    expect(browser.cookies).toEqual(before)
    expect(await tenantOfConsole(browser, tenant.id)).toBe(tenant.id)
  })

  test('is refused to another person, and to the page of another site; the link is unspent', async () => {
    const browser = openBrowser()
    const { email } = await newPerson(server, home)
    await signIn(browser, (await newPerson(server, home)).email)
    const token = await inviteTo(email)
    expect(await acceptIn(browser, { token, password })).toMatchObject(refusal('invitationOfAnother'))
    const foreign = { origin: 'https://elsewhere.example.com' }
    expect(await acceptIn(openBrowser(), { token, password }, foreign)).toMatchObject(refusal('foreignPage'))
    expect(await acceptIn(openBrowser(), { token, password: 'wrong' })).toMatchObject(
      refusal('credentialsWrong'),
    )
    ok(await acceptIn(openBrowser(), { token, password }))
  })

  test('signs nobody in by the password of a person with a second factor, before the second step', async () => {
    const browser = openBrowser()
    const person = await newPerson(server, home)
    const pair = { access_token: person.token, refresh_token: person.refreshToken }
    const app = await addTotp(withTokens(await home.member(), pair))
    const joined = ok(await acceptIn(browser, { token: await inviteTo(person.email), password }))
    expect(joined).toMatchObject({
      tenant_id: null,
      second_step: { methods: expect.arrayContaining(['totp']) },
    })
    expect(await readerOf(browser)).toBe('')
    const { challenge } = joined.second_step
    expect(await browser.call('POST', '/links/factor', { challenge, code: '000000' })).toMatchObject({
      status: 401,
    })
    const given = ok(await browser.call('POST', '/links/factor', { challenge, code: app.nextCode() }))
    expect(given.tenant_id).toBe(tenant.id)
    expect(await readerOf(browser)).toBe(person.email)
  })
})
