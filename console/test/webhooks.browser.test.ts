/** Webhooks, in a real browser, with real receivers (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { verifyWebhook } from '../../client/src/client.ts'
import {
  assign,
  builtIn,
  newTenant,
  nobodysId,
  ok,
  password,
  platformAdmin,
  type Caller,
  type Tenant,
} from '../../server/test/factories.ts'
import { clock } from '../../server/test/harness.ts'
import {
  alterRecord,
  deliver,
  deliveriesOf,
  happen,
  heardBy,
  hookNow,
  hookOf,
  loseSecrets,
  openReceiver,
} from '../../server/test/hooks.ts'
import { answering, taking, type Received } from '../../lab/receiver.ts'
import { expectSoon, inspect, open, signIn, visit } from './visit.ts'

let tenant: Tenant

beforeAll(async () => {
  tenant = await newTenant()
})

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) =>
  page.getByRole('main').getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()
/** By the button below the secret, not by that of the title. */
const closeSecret = (page: Page) =>
  dialog(page).last().getByRole('button', { name: 'Close', exact: true }).last().click()
const seeTitle = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 }).waitFor()

/** Types into the list of events, and chooses a hit. */
const chooseEvent = async (page: Page, text: string, name: string): Promise<void> => {
  await dialog(page).getByRole('combobox', { name: 'Events' }).fill(text)
  await page.getByRole('option', { name }).first().click()
}

const closeList = (page: Page) => page.keyboard.press('Tab')

const newHook = async (by: Caller, body: object = {}): Promise<{ id: number; secret: string }> =>
  ok(await by.post('/webhooks', { url: 'http://127.0.0.1:9/hook', events: ['user.*'], ...body }))

/** The secret in the open window. */
const shownSecret = async (page: Page): Promise<string> =>
  (await dialog(page)
    .getByText(/^whsec_\S+$/)
    .textContent()) ?? ''

/** Everything that the browser keeps for the page: storages, address, state of the history, cookies. */
const keptBy = async (page: Page): Promise<string> => {
  const kept = await page.evaluate<string>(
    'JSON.stringify([{ ...localStorage }, { ...sessionStorage }, location.href, history.state, document.cookie])',
  )
  return kept + JSON.stringify(await page.context().storageState({ indexedDB: true }))
}

const verify = ({ headers, text }: Received, secret: string) => verifyWebhook(headers, text, secret)

/** Rows of the list of deliveries, without its header. */
const rows = (page: Page) => page.getByRole('table', { name: 'Deliveries' }).locator('tbody tr')

describe('the list', () => {
  test('is reached by navigation, palette and keyboard, and tells the state of each webhook', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const working = await hookOf(own.admin, receiver.url)
    ok(await own.admin.put(`/webhooks/${working.id}`, { description: 'Billing' }))
    await newHook(own.admin, { description: 'Search index', events: ['user.*', 'role.assign'] })
    const off = await newHook(own.admin, { url: 'https://example.com/secret-path' })
    ok(await own.admin.put(`/webhooks/${off.id}`, { status: 0 }))
    const editor = await own.userWith('webhook:manage', 'audit:read')
    await hookOf(editor, receiver.url)
    ok(await own.admin.put(`/users/${editor.userId}`, { status: 0 }))
    await happen(own, 'one')
    await deliver(own)
    await happen(own, 'two')
    await signIn(page, own.admin.email)
    await page.getByRole('navigation').getByRole('link', { name: 'Webhooks' }).click()
    await seeTitle(page, 'Webhooks')
    const row = (name: string) => page.getByRole('row', { name })
    await row('Billing').getByText('Enabled', { exact: true }).waitFor()
    await row('Billing')
      .getByText(/now|ago/)
      .waitFor()
    await row('Search index').getByText('Not tested yet').waitFor()
    await row('Search index').getByText('user.*, role.assign').waitFor()
    await row('https://example.com').getByText('It was disabled by hand.').waitFor()
    expect(await page.getByText('secret-path').count()).toBe(0)
    await page.getByText(`The last editor, ${editor.username}, is disabled.`).waitFor()
    await inspect(page, 'webhooks')
    await row('Billing').getByRole('link').press('Enter')
    await seeTitle(page, 'Billing')
    await page.getByRole('main').getByRole('link', { name: 'Webhooks' }).click()
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find pages, users, roles and tenants').fill('create web')
    await dialog(page).getByRole('button', { name: 'Create webhook' }).click()
    await dialog(page).getByLabel('URL').waitFor()
    await page.keyboard.press('Escape')
    await open(page, 'users')
    await seeTitle(page, 'Users')
    await page.keyboard.press('g')
    await page.keyboard.press('w')
    await seeTitle(page, 'Webhooks')
    expect(complaints).toEqual([])
  })

  test('explains webhooks while there is none, and offers the first one', async () => {
    const { page, complaints } = await visit()
    await signIn(page, (await newTenant()).admin.email, 'webhooks')
    await page.getByText('Create one, start the receiver with its secret').waitFor()
    await inspect(page, 'webhooks-none')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').waitFor()
    expect(complaints).toEqual([])
  })

  test('is offered only with webhook:read', async () => {
    const { page } = await visit()
    await signIn(page, (await tenant.userWith('user:read')).email, 'webhooks')
    await page.getByText('You need the permission webhook:read.').waitFor()
    expect(await page.getByRole('link', { name: 'Webhooks' }).count()).toBe(0)
  })
})

const changing = /Edit|able|Delete|Create|secret|test|Replay/i

describe('a caller', () => {
  test('who may only read sees the webhook and its deliveries, and no control that changes it', async () => {
    const { page } = await visit()
    const receiver = await openReceiver()
    const hook = await hookOf(tenant.admin, receiver.url)
    await happen(tenant, 'seen')
    await deliver(tenant)
    await signIn(page, (await tenant.userWith('webhook:read')).email, 'webhooks')
    await page.getByRole('link', { name: 'http://127.0.0.1' }).first().waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: changing }).count()).toBe(0)
    await open(page, `webhooks/${hook.id}`)
    await rows(page).first().waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: changing }).count()).toBe(0)
    expect(await page.getByText('History').count()).toBe(0)
    await rows(page).first().getByRole('link').click()
    await dialog(page).getByText('You need the permission audit:read.').waitFor()
    expect(await dialog(page).getByRole('button', { name: changing }).count()).toBe(0)
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Find pages, users, roles and tenants').fill('create web')
    await page.getByText('Nothing found').waitFor()
  })

  test('who manages webhooks without audit:read is told what is missing', async () => {
    const { page } = await visit()
    const hook = await newHook(tenant.admin)
    const manager = await tenant.userWith('webhook:read', 'webhook:manage')
    await signIn(page, manager.email, `webhooks/${hook.id}`)
    await page.getByText('You lack the permission audit:read.').waitFor()
    expect(await page.getByRole('main').getByRole('button', { name: changing }).count()).toBe(0)
    await inspect(page, 'webhook-refused')
  })

  test('without tenant:enter cannot change a webhook of all tenants', async () => {
    const { page } = await visit()
    const root = await platformAdmin()
    const hook = await newHook(root, { all_tenants: true })
    const manager = await builtIn.userWith('webhook:read', 'webhook:manage', 'audit:read')
    await signIn(page, manager.email, `webhooks/${hook.id}`)
    await page.getByText('You lack the permission tenant:enter.').waitFor()
    await open(page, 'webhooks')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').waitFor()
    expect(await dialog(page).getByLabel('All tenants').count()).toBe(0)
    ok(await root.delete(`/webhooks/${hook.id}`))
  })
})

describe('creating a webhook', () => {
  test('shows a secret that verifies deliveries, keeps it nowhere, and leads through the first test to events', async () => {
    const { page, complaints } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
    const own = await newTenant()
    const receiver = await openReceiver(answering(500))
    await signIn(page, own.admin.email, 'webhooks')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').fill(receiver.url)
    await chooseEvent(page, 'notif', 'Notification: all events')
    await chooseEvent(page, 'role.ass', 'Assigned a role to a user')
    await inspect(page, 'webhook-create')
    await closeList(page)
    await dialog(page).getByLabel('Description').fill('Billing')
    await answer(page, 'Create webhook')
    await dialog(page).getByText('This secret is shown only once').waitFor()
    const secret = await shownSecret(page)
    expect(await keptBy(page)).not.toContain(secret)
    await answer(page, 'Send test')
    await dialog(page).getByText('The test failed').waitFor()
    await dialog(page).getByText('status 500').waitFor()
    await happen(own, 'too early')
    await deliver(own)
    receiver.behave(taking)
    await answer(page, 'Send test')
    await dialog(page).getByText('The test was taken').waitFor()
    await dialog(page).getByText('The answer was 204.').waitFor()
    await inspect(page, 'webhook-created')
    await answer(page, 'Copy the secret')
    await expectSoon(() => page.evaluate<string>('navigator.clipboard.readText()')).toBe(secret)
    await dialog(page).getByRole('link', { name: 'Open the webhook' }).click()
    await seeTitle(page, 'Billing')
    const [id] = await happen(own, 'in time')
    await deliver(own)
    expect(heardBy(receiver)).toContain(id)
    expect(receiver.received.length).toBeGreaterThan(2)
    for (const one of receiver.received) expect(await verify(one, secret)).toEqual(one.event)
    const [hook] = ok(await own.admin.get('/webhooks'))
    expect(hook).toMatchObject({ events: ['notification.*', 'role.assign'], all_tenants: false })
    expect(complaints).toEqual([])
  })

  test('asks before the window closes with the secret uncopied, by every way out', async () => {
    const { page } = await visit()
    const own = await newTenant()
    await signIn(page, own.admin.email, 'webhooks')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').fill('https://example.com')
    await chooseEvent(page, '', 'All events, and those of later versions')
    await closeList(page)
    await answer(page, 'Create webhook')
    await dialog(page).getByText('This secret is shown only once').waitFor()
    const question = page.getByRole('dialog', { name: 'Close without copying the secret?' })
    const waysOut = [
      () => page.keyboard.press('Escape'),
      () => closeSecret(page),
      () => dialog(page).getByRole('link', { name: 'Open the webhook' }).click(),
    ]
    for (const leave of waysOut) {
      await leave()
      await question.getByRole('button', { name: 'Cancel' }).click()
      await question.waitFor({ state: 'detached' })
    }
    await page.keyboard.press('Escape')
    await answer(page, 'Close without copying')
    await dialog(page).first().waitFor({ state: 'detached' })
    await page.getByRole('link', { name: 'https://example.com' }).waitFor()
    expect(await page.getByText('whsec_').count()).toBe(0)
  })

  test('shows its own faults and those that only the service finds beside their fields', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    await signIn(page, own.admin.email, 'webhooks')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').fill('https://me:secret@example.com')
    await dialog(page).getByLabel('Description').fill('x'.repeat(256))
    await answer(page, 'Create webhook')
    await dialog(page).getByText('The URL needs to begin with https://').waitFor()
    await dialog(page).getByText('Choose at least one event.').waitFor()
    await dialog(page).getByText('The description has more than 255 characters.').waitFor()
    await inspect(page, 'webhook-faults')
    // The service gets what the form would not send.
    let body: object = { url: 'https://example.com', events: ['user.*', 'no.such'] }
    await page.route('**/webhooks', (route) =>
      route.request().method() === 'POST'
        ? route.continue({ postData: JSON.stringify(body) })
        : route.continue(),
    )
    await dialog(page).getByLabel('URL').fill('https://example.com')
    await dialog(page).getByLabel('Description').fill('')
    await chooseEvent(page, 'user.cr', 'Created a user')
    await closeList(page)
    const refused = page.getByText('The service does not accept what was entered.')
    const described = (label: string) =>
      dialog(page)
        .locator('.mantine-InputWrapper-root')
        .filter({ has: page.getByLabel(label) })
        .filter({ has: refused })
    await answer(page, 'Create webhook')
    await described('Events').waitFor()
    body = { url: 'ftp://example.com', events: ['user.*'] }
    await answer(page, 'Create webhook')
    await described('URL').waitFor()
    expect(await refused.count()).toBe(1)
    await page.unroute('**/webhooks')
    for (let number = 0; number < 20; number += 1) await newHook(own.admin)
    await answer(page, 'Create webhook')
    await dialog(page).getByText('Delete one that is not needed.').waitFor()
    expect(await dialog(page).getByLabel('URL').inputValue()).toBe('https://example.com')
    expect(complaints).toEqual([])
  })

  test('offers events by words, codes and resources, and drops those that another one covers', async () => {
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'webhooks')
    await press(page, 'Create webhook')
    const events = dialog(page).getByRole('combobox', { name: 'Events' })
    const options = page.getByRole('option')
    await events.fill('password')
    await page.getByRole('option', { name: 'Changed the own password' }).waitFor()
    await events.fill('Access key')
    await expectSoon(() => options.count()).toBe(3)
    await events.fill('tenant.')
    await page.getByText('No events match').waitFor()
    await chooseEvent(page, 'user.create', 'Created a user')
    await chooseEvent(page, 'user.delete', 'Deleted a user')
    await chooseEvent(page, 'user.*', 'User: all events')
    await events.fill('user.create')
    await expectSoon(() => options.first().getAttribute('data-combobox-disabled')).toBe('true')
    const chosen = () => dialog(page).locator('.mantine-Pill-label').allTextContents()
    expect(await chosen()).toEqual(['User: all events'])
    await chooseEvent(page, 'all events, and', 'All events, and those of later versions')
    expect(await chosen()).toEqual(['All events, and those of later versions'])
    expect(complaints).toEqual([])
  })

  test('for all tenants is offered in the built-in tenant alone, and hears every tenant', async () => {
    const { page, complaints } = await visit()
    const root = await platformAdmin()
    const receiver = await openReceiver()
    await signIn(page, root.email, `webhooks?tenant=${tenant.id}`)
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').waitFor()
    expect(await dialog(page).getByLabel('All tenants').count()).toBe(0)
    await open(page, 'webhooks')
    await press(page, 'Create webhook')
    await dialog(page).getByLabel('URL').fill(receiver.url)
    await chooseEvent(page, 'notification.cr', 'Sent a notification')
    await closeList(page)
    await dialog(page).getByLabel('All tenants').check()
    await inspect(page, 'webhook-create-all')
    await answer(page, 'Create webhook')
    await answer(page, 'Send test')
    await dialog(page).getByText('The test was taken').waitFor()
    const secret = await shownSecret(page)
    const [id] = await happen(tenant, 'elsewhere')
    await deliver(tenant)
    await expectSoon(() => heardBy(receiver)).toContain(id)
    for (const one of receiver.received) await verify(one, secret)
    await dialog(page).getByRole('link', { name: 'Open the webhook' }).click()
    await answer(page, 'Close without copying')
    await page.getByText('All tenants', { exact: true }).first().waitFor()
    await rows(page).first().getByRole('link').click()
    await dialog(page).getByText('is in another tenant, or has expired.').waitFor()
    await page.keyboard.press('Escape')
    for (const { id: hook, all_tenants: isForAll } of ok(await root.get('/webhooks'))) {
      if (isForAll) ok(await root.delete(`/webhooks/${hook}`))
    }
    expect(complaints).toEqual([])
  })
})

describe('the page of a webhook', () => {
  test('changes it, and another URL has to answer a test before it gets events', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const [first, second] = [await openReceiver(), await openReceiver()]
    const hook = await hookOf(own.admin, first.url)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Edit')
    await dialog(page).getByLabel('Description').fill('Search index')
    await dialog(page).getByLabel('URL').fill(second.url)
    await dialog(page).getByText('Another URL has to answer a test').waitFor()
    await inspect(page, 'webhook-edit')
    await answer(page, 'Save')
    await seeTitle(page, 'Search index')
    await page.getByText('Its URL has not answered a test yet. Send one below.').waitFor()
    const [id] = await happen(own, 'waits')
    await deliver(own)
    expect([...heardBy(first), ...heardBy(second)]).toEqual([])
    await press(page, 'Send test')
    await page.getByText('The test was taken').waitFor()
    await page.getByText('Its URL has not answered').waitFor({ state: 'detached' })
    await deliver(own)
    expect([heardBy(first), heardBy(second)]).toEqual([[], [id]])
    await page.getByRole('link', { name: /changed the webhook to http/ }).waitFor()
    expect(complaints).toEqual([])
  })

  test('disables and enables it after a question, and it goes on where it stood', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Disable')
    await dialog(page).getByText('Nothing is sent any more.').waitFor()
    await inspect(page, 'webhook-disable')
    await answer(page, 'Disable')
    await page.getByText('It was disabled by hand.').waitFor()
    await inspect(page, 'webhook-disabled')
    const ids = await happen(own, 'one', 'two')
    await deliver(own)
    expect(heardBy(receiver)).toEqual([])
    await press(page, 'Enable')
    await dialog(page).getByText('It goes on where it stood').waitFor()
    await answer(page, 'Enable')
    await page.getByText('It was disabled by hand.').waitFor({ state: 'detached' })
    await deliver(own)
    expect(heardBy(receiver)).toEqual(ids)
    expect(complaints).toEqual([])
  })

  test('makes another secret, shown once, while deliveries keep the signature of the present one', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    const rotate = async (keep: string): Promise<string> => {
      await press(page, 'New secret')
      await dialog(page).getByRole('combobox', { name: 'Keep the present secret for' }).click()
      await page.getByRole('option', { name: keep, exact: true }).click()
      await answer(page, 'New secret')
      await dialog(page).getByText('This secret is shown only once').waitFor()
      const secret = await shownSecret(page)
      expect(await keptBy(page)).not.toContain(secret)
      await closeSecret(page)
      await answer(page, 'Close without copying')
      await dialog(page).first().waitFor({ state: 'detached' })
      return secret
    }
    const sendTest = async (): Promise<Received> => {
      receiver.received.length = 0
      await press(page, 'Send test')
      await expectSoon(() => receiver.received.length).toBe(1)
      return receiver.received[0] as Received
    }
    await press(page, 'New secret')
    await dialog(page).getByText('deliveries carry the signatures of both secrets').waitFor()
    await inspect(page, 'webhook-rotate')
    await answer(page, 'Cancel')
    const second = await rotate('1 hour')
    const one = await sendTest()
    await Promise.all([verify(one, hook.secret), verify(one, second)])
    const third = await rotate('Not at all')
    const other = await sendTest()
    await verify(other, third)
    await expect(verify(other, second)).rejects.toMatchObject({ name: 'WebhookInvalid' })
    expect(complaints).toEqual([])
  })

  test('shows why a test failed, with the first 1 kB of the answer', async () => {
    const { page, complaints } = await visit()
    const receiver = await openReceiver((_request, response) => {
      response.writeHead(502, { 'content-type': 'text/html' }).end(`<h1>Bad gateway</h1>${'x'.repeat(5000)}`)
    })
    const hook = await newHook(tenant.admin, { url: receiver.url })
    await signIn(page, tenant.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Send test')
    await page.getByText('The answer was 502.').waitFor()
    const shown = await page.getByText('<h1>Bad gateway</h1>').textContent()
    expect(shown).toHaveLength(1024)
    await inspect(page, 'webhook-test-failed')
    await receiver.stop()
    await press(page, 'Send test')
    await page.getByText('The connection failed: ECONNREFUSED.').waitFor()
    expect(complaints).toEqual([])
  })

  test('deletes it after its host is typed', async () => {
    const { page, complaints } = await visit()
    const hook = await newHook(tenant.admin, { url: 'https://example.com/path', description: 'Old one' })
    await signIn(page, tenant.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Delete')
    await dialog(page).getByText('This cannot be undone.').waitFor()
    await dialog(page).getByRole('button', { name: 'Delete' }).click()
    await dialog(page).getByText('Fill in this field.').waitFor()
    await dialog(page).getByRole('textbox').fill('example.com')
    await inspect(page, 'webhook-delete')
    await answer(page, 'Delete')
    await seeTitle(page, 'Webhooks')
    expect((await tenant.admin.get(`/webhooks/${hook.id}`)).status).toBe(404)
    await open(page, `webhooks/${hook.id}`)
    await page.getByText('This webhook no longer exists.').waitFor()
    await open(page, `webhooks/${nobodysId}`)
    await page.getByText('This webhook no longer exists.').waitFor()
    await open(page, 'webhooks/abc')
    await page.getByText('Page not found').waitFor()
    expect(complaints).toEqual([])
  })

  test('lets another administrator take it over when its last editor lost a permission', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const editor = await own.member()
    const role = await own.role('webhook:manage', 'audit:read')
    await assign(own.id, editor.userId, role.id)
    const hook = await hookOf(editor, receiver.url)
    ok(await own.admin.delete(`/rbac/users/${editor.userId}/roles/${role.id}`))
    const [id] = await happen(own, 'waits')
    await deliver(own)
    expect(heardBy(receiver)).toEqual([])
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await page.getByText(`The last editor, ${editor.username}, lacks the permission webhook:manage`).waitFor()
    await inspect(page, 'webhook-stopped')
    await press(page, 'Take over')
    await page.getByText('You are now the last editor').waitFor()
    await page.getByText('lacks the permission').waitFor({ state: 'detached' })
    clock.advance(6000)
    await deliver(own)
    expect(heardBy(receiver)).toEqual([id])
    expect(complaints).toEqual([])
  })
})

describe('the deliveries', () => {
  test('are filtered and paged, and each shows the body as it was sent, and the answer', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    await happen(own, ...Array.from({ length: 21 }, (_, number) => `Number ${number}`))
    await deliver(own)
    receiver.behave(answering(503))
    await happen(own, 'refused')
    await deliver(own)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await page.getByText('22 entries').waitFor()
    await rows(page).first().getByText('Retrying', { exact: true }).waitFor()
    await inspect(page, 'webhook')
    await page.getByRole('button', { name: 'Next page' }).click()
    await expectSoon(() => rows(page).count()).toBe(2)
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Retrying' }).click()
    await page.getByText('1 entry').waitFor()
    expect(Object.fromEntries(new URL(page.url()).searchParams)).toEqual({ status: 'pending' })
    await rows(page).first().getByRole('link').press('Enter')
    await dialog(page).getByText('503', { exact: true }).waitFor()
    await dialog(page).getByText('Next attempt').waitFor()
    const body = dialog(page).getByRole('region', { name: 'What was sent' })
    expect(JSON.parse((await body.textContent()) ?? '')).toEqual(receiver.received.at(-1)?.event)
    await inspect(page, 'webhook-delivery')
    await dialog(page).getByRole('link', { name: 'Open in the audit log' }).click()
    await dialog(page)
      .getByRole('heading', { name: /^Sent refused to/ })
      .waitFor()
    await page.goBack()
    await dialog(page).getByText('503', { exact: true }).waitFor()
    await page.keyboard.press('Escape')
    await dialog(page).waitFor({ state: 'detached' })
    await page.getByRole('combobox', { name: 'Status' }).click()
    await page.getByRole('option', { name: 'Failed' }).click()
    await page.getByText('No deliveries match').waitFor()
    await press(page, 'Clear filters')
    await page.getByText('22 entries').waitFor()
    expect(complaints).toEqual([])
  })

  test('are sent again from one of them, with the same webhook-id', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    const [, second, third] = await happen(own, 'one', 'two', 'three')
    await deliver(own)
    const idsOf = () => receiver.events().map(({ headers }) => headers['webhook-id'])
    const before = idsOf()
    receiver.received.length = 0
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await rows(page).nth(1).getByRole('link').click()
    await answer(page, 'Replay from here')
    const question = page.getByRole('dialog', { name: 'Replay from here' })
    await question.getByText('it sends it and all later ones again').waitFor()
    await inspect(page, 'webhook-replay')
    await page.keyboard.press('Escape')
    await question.waitFor({ state: 'detached' })
    await answer(page, 'Replay from here')
    await question.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The webhook goes on from there.').waitFor()
    await deliver(own)
    expect(heardBy(receiver)).toEqual([second, third])
    expect(idsOf()).toEqual(before.slice(1))
    expect(complaints).toEqual([])
  })

  test('that wait are skipped for good when the webhook goes on with new events alone', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    ok(await own.admin.put(`/webhooks/${hook.id}`, { status: 0 }))
    await happen(own, 'one', 'two')
    await deliver(own)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Replay')
    await dialog(page).getByRole('combobox', { name: 'Go on with' }).click()
    await page.getByRole('option', { name: 'Only new events' }).click()
    const { backlog } = await hookNow(own.admin, hook)
    await dialog(page).getByText(`The ${backlog} records that wait are skipped`).waitFor()
    await inspect(page, 'webhook-skip')
    await answer(page, 'Replay')
    await page.getByText('The webhook goes on from there.').waitFor()
    ok(await own.admin.put(`/webhooks/${hook.id}`, { status: 1 }))
    await deliver(own)
    const [id] = await happen(own, 'three')
    await deliver(own)
    expect(heardBy(receiver)).toEqual([id])
    const states = (await deliveriesOf(own.admin, hook)).map(({ status }) => status)
    expect(states).toEqual(['delivered', 'dead', 'dead'])
    await open(page, `webhooks/${hook.id}?status=dead`)
    await rows(page).first().getByText('Skipped', { exact: true }).waitFor()
    await rows(page).first().getByRole('link').click()
    await dialog(page).getByText('A replay skipped it, and it was never sent.').waitFor()
    expect(complaints).toEqual([])
  })

  test('are sent again since a moment of the past', async () => {
    const { page, complaints } = await visit({ timezoneId: 'Asia/Shanghai' })
    const own = await newTenant()
    const receiver = await openReceiver()
    const hook = await hookOf(own.admin, receiver.url)
    const ids = await happen(own, 'one', 'two')
    await deliver(own)
    await signIn(page, own.admin.email, `webhooks/${hook.id}`)
    await press(page, 'Replay')
    await dialog(page).getByRole('combobox', { name: 'Go on with' }).click()
    await page.getByRole('option', { name: 'The events since a moment' }).click()
    await answer(page, 'Replay')
    await dialog(page)
      .getByText(/Fill in this field|Choose a date and a time/)
      .waitFor()
    await dialog(page).getByLabel('Date and time').fill('2020-01-31T09:30')
    const sent = page.waitForRequest((request) => request.url().endsWith('/replay'))
    await answer(page, 'Replay')
    expect((await sent).postDataJSON()).toEqual({ from: '2020-01-31T01:30:00.000Z' })
    await page.getByText('The webhook goes on from there.').waitFor()
    await deliver(own)
    expect(heardBy(receiver)).toEqual([...ids, ...ids])
    expect(complaints).toEqual([])
  })

  test('begin again at a record of the audit log, by any webhook of the tenant', async () => {
    const { page, complaints } = await visit()
    const own = await newTenant()
    const [first, second] = [await openReceiver(), await openReceiver()]
    await hookOf(own.admin, first.url)
    const other = await hookOf(own.admin, second.url)
    ok(await own.admin.put(`/webhooks/${other.id}`, { description: 'Billing' }))
    const ids = await happen(own, 'one', 'two')
    await deliver(own)
    await signIn(page, own.admin.email, 'audit?action=notification.create')
    await page.getByRole('link', { name: 'Open the record' }).first().click()
    await answer(page, 'Replay a webhook from here')
    const question = page.getByRole('dialog', { name: 'Replay from here' })
    await question.getByRole('combobox', { name: 'Webhook' }).click()
    await page.getByRole('option', { name: 'Billing' }).click()
    await inspect(page, 'audit-replay')
    await question.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('The webhook goes on from there.').waitFor()
    await deliver(own)
    expect([heardBy(first), heardBy(second)]).toEqual([ids, [...ids, ids[1]]])
    await open(page, 'audit?resource=webhook')
    await page.getByRole('link', { name: 'Open the record: Replayed events of the webhook to' }).click()
    await dialog(page)
      .getByRole('link', { name: new URL(second.url).origin })
      .click()
    await seeTitle(page, 'Billing')
    expect(complaints).toEqual([])
  })
})

describe('in Chinese', () => {
  const rowsZh = (page: Page) => page.getByRole('table', { name: '投递记录' }).locator('tbody tr')

  const enter = async (path: string, { email }: Caller) => {
    const visited = await visit({ locale: 'zh-CN' })
    await open(visited.page, path)
    await visited.page.getByLabel('邮箱').fill(email)
    await visited.page.getByRole('textbox', { name: '密码' }).fill(password)
    await visited.page.getByRole('button', { name: '登录' }).click()
    await visited.page.getByRole('button', { name: '账户' }).waitFor()
    return visited
  }

  test('each reason why nothing is sent is told, without the English of the service', async () => {
    const own = await newTenant()
    const receiver = await openReceiver()
    const editors = [
      await own.userWith('webhook:manage', 'audit:read'),
      await own.userWith('webhook:manage', 'audit:read'),
    ] as const
    for (const editor of editors) await hookOf(editor, receiver.url)
    const role = await own.role('webhook:manage', 'audit:read')
    const lacking = await own.member()
    await assign(own.id, lacking.userId, role.id)
    await hookOf(lacking, receiver.url)
    ok(await own.admin.put(`/users/${editors[0].userId}`, { status: 0 }))
    ok(await own.admin.delete(`/users/${editors[1].userId}`))
    ok(await own.admin.delete(`/rbac/users/${lacking.userId}/roles/${role.id}`))
    await newHook(own.admin)
    const off = await newHook(own.admin)
    ok(await own.admin.put(`/webhooks/${off.id}`, { status: 0 }))
    const lost = await hookOf(own.admin, receiver.url)
    await loseSecrets(own, lost)
    const gone = await openReceiver()
    const failing = await openReceiver()
    await hookOf(own.admin, gone.url)
    await hookOf(own.admin, failing.url)
    gone.behave(answering(410))
    failing.behave(answering(500))
    await happen(own, 'any')
    await deliver(own)
    for (let attempt = 2; attempt <= 18; attempt += 1) {
      clock.advance(6 * 3_600_000 + 1)
      await deliver(own)
    }
    clock.offsetMs = 0
    await hookOf(own.admin, receiver.url)
    const [altered = 0] = await happen(own, 'altered')
    await alterRecord(own, altered)
    await deliver(own)
    const all = ok(await own.admin.get('/webhooks')) as { disabled_reason: string }[]
    expect(all).toHaveLength(9)
    expect(all.every(({ disabled_reason: reason }) => reason !== '')).toBe(true)
    const { page, complaints } = await enter('webhooks', own.admin)
    await page.getByText('接收端响应了 410 Gone。').waitFor()
    await inspect(page, 'webhooks-zh')
    const main = (await page.getByRole('main').textContent()) ?? ''
    for (const { disabled_reason: reason } of all) expect(main).not.toContain(reason.slice(0, 12))
    await page.getByText('3 天内没有一次尝试成功。响应状态为 500。').waitFor()
    await page.getByText(/审计日志不完整：record \d+ was changed。/).waitFor()
    await page.getByText('其密钥已丢失').waitFor()
    await page.getByText('最后编辑者已不存在。').waitFor()
    expect(complaints).toEqual([])
  })

  test('the pages have room for long names, URLs and many events', async () => {
    const own = await newTenant()
    const receiver = await openReceiver()
    const url = `${receiver.url}/${'a-rather-long-path-of-a-receiver/'.repeat(8)}`
    const events = ['notification.*', 'user.*', 'role.assign', 'role.unassign', 'auth.login', 'setting.*']
    const hook = await hookOf(own.admin, url, { events })
    ok(
      await own.admin.put(`/webhooks/${hook.id}`, { description: 'Abrechnungs-Dienst Frankfurt '.repeat(8) }),
    )
    await happen(own, 'x'.repeat(200))
    receiver.behave(answering(503))
    await deliver(own)
    const { page, complaints } = await enter('webhooks', own.admin)
    await page.getByRole('link', { name: 'Abrechnungs-Dienst' }).waitFor()
    await inspect(page, 'webhooks-long-zh')
    await page.getByRole('link', { name: 'Abrechnungs-Dienst' }).click()
    await rowsZh(page).first().waitFor()
    await inspect(page, 'webhook-zh')
    await rowsZh(page).first().getByRole('link').click()
    await dialog(page).getByText('503', { exact: true }).waitFor()
    await inspect(page, 'webhook-delivery-zh')
    await page.keyboard.press('Escape')
    await press(page, '编辑')
    await dialog(page).getByText('角色').first().waitFor()
    await inspect(page, 'webhook-edit-zh')
    expect(complaints).toEqual([])
  })
})

test('the keyboard alone creates, tests and replays a webhook, and the focus returns to its opener', async () => {
  const { page } = await visit({ permissions: ['clipboard-read', 'clipboard-write'] })
  const own = await newTenant()
  const receiver = await openReceiver()
  const isInWindow = () => page.evaluate<boolean>("document.activeElement.closest('[role=dialog]') !== null")
  const focused = () => page.evaluate<string>('document.activeElement.textContent')
  await signIn(page, own.admin.email, 'webhooks')
  await page.getByRole('button', { name: 'Create webhook' }).press('Enter')
  await dialog(page).getByLabel('URL').waitFor()
  await expectSoon(isInWindow).toBe(true)
  await page.keyboard.type(receiver.url)
  await page.keyboard.press('Tab')
  await page.keyboard.type('notification.create')
  await page.getByRole('option', { name: 'Sent a notification' }).waitFor()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await page.keyboard.press('Tab')
  await page.keyboard.type('Billing')
  await dialog(page).getByRole('button', { name: 'Create webhook' }).press('Enter')
  await expectSoon(focused).toBe('Copy the secret')
  await page.keyboard.press('Enter')
  await dialog(page).getByRole('button', { name: 'Copied' }).waitFor()
  await dialog(page).getByRole('button', { name: 'Send test' }).press('Enter')
  await dialog(page).getByText('The test was taken').waitFor()
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
  await expectSoon(focused).toBe('Create webhook')
  await happen(own, 'one')
  await deliver(own)
  await page.getByRole('link', { name: 'Billing' }).press('Enter')
  await seeTitle(page, 'Billing')
  await rows(page).first().getByRole('link').press('Enter')
  await dialog(page).getByRole('button', { name: 'Replay from here' }).press('Enter')
  const question = page.getByRole('dialog', { name: 'Replay from here' })
  await question.waitFor()
  await page.keyboard.press('Escape')
  await question.waitFor({ state: 'detached' })
  await expectSoon(focused).toBe('Replay from here')
  await page.keyboard.press('Escape')
  await dialog(page).waitFor({ state: 'detached' })
})
