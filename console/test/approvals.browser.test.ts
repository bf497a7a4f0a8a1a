/** Changes that others approve, in a real browser (`npm run test:browser`). */
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { administrators, approve, ask, withPolicy } from '../../server/test/approving.ts'
import { ok, type Caller, type Tenant } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { chooseAction, inspect, open, sessionKey, visit } from './visit.ts'

const dialog = (page: Page) => page.getByRole('dialog').last()
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) => dialog(page).getByRole('button', { name, exact: true }).click()

/** Gives the browser the session of this user, in which a second factor was used. */
const enter = async ({ token, refreshToken }: Caller, path: string) => {
  const visited = await visit()
  const { page } = visited
  const session = JSON.stringify({ accessToken: token, refreshToken, expiresAt: Date.now() + 600_000 })
  await page.goto(`${service.url}/healthz`)
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`)
  await open(page, path)
  await page.getByRole('button', { name: 'Account', exact: true }).waitFor()
  return visited
}

const statusOf = async (user: Caller, id: number): Promise<string> =>
  ok(await user.get(`/approvals/${id}`)).status

const newestOf = async (user: Caller): Promise<{ id: number; digest: string; status: string }> =>
  ok(await user.get('/approvals')).items[0]

/** Asks for the approval of a change that the page has just reported as refused. */
const askFor = async (page: Page, reason: string): Promise<void> => {
  await dialog(page).getByText('This change needs approval').waitFor()
  await answer(page, 'Ask for approval')
  await dialog(page).getByLabel('Reason').fill(reason)
}

const createUser = async (page: Page, { name, password }: { name: string; password: string }) => {
  await chooseAction(page, 'Create user')
  await dialog(page).getByLabel('E-mail').fill(`${name}@example.com`)
  await dialog(page).getByLabel('Username').fill(name)
  await dialog(page).getByRole('textbox', { name: 'Password' }).fill(password)
  await answer(page, 'Create user')
}

const deleteWebhook = async (page: Page) => {
  await chooseAction(page, 'Delete')
  await dialog(page).getByRole('textbox').fill('example.com')
  await answer(page, 'Delete')
}

const newWebhook = async ({ admin }: Tenant): Promise<{ id: number }> =>
  ok(await admin.post('/webhooks', { url: 'https://example.com/hook', events: ['user.*'] }))

describe('approvals', () => {
  test('a policy is set, and a change is refused, asked for, approved by another person, and carried out', async () => {
    const { tenant, all } = await administrators()
    const [asker, decider] = all
    const webhook = await newWebhook(tenant)
    const { page, complaints } = await enter(asker, '')
    await page.getByRole('navigation').getByRole('link', { name: 'Approvals' }).click()
    await page.getByText('No pending requests').waitFor()
    await page.getByRole('tab', { name: 'Policies' }).click()
    await page.getByRole('button', { name: /^Require approval: Grant/ }).waitFor()
    await inspect(page, 'approval-policies')
    await press(page, 'Require approval: Change webhooks')
    await inspect(page, 'approval-policy')
    await answer(page, 'Save')
    await page.getByText('Policy saved.').waitFor()
    await page.getByRole('cell', { name: '1 approver' }).waitFor()

    await open(page, `webhooks/${webhook.id}`)
    await deleteWebhook(page)
    await askFor(page, 'Ticket 4711: the receiver is gone')
    await inspect(page, 'approval-ask')
    await answer(page, 'Ask for approval')
    await page.getByText('Approval requested. Make the change').waitFor()
    const { id } = await newestOf(asker)

    const other = await enter(decider, 'approvals')
    await other.page.getByRole('link', { name: 'Delete the webhook' }).click()
    await other.page.getByText('Ticket 4711: the receiver is gone').waitFor()
    await other.page.getByRole('heading', { name: 'What changes' }).waitFor()
    await inspect(other.page, 'approval')
    await press(other.page, 'Approve')
    await dialog(other.page).getByLabel('Comment').fill('As agreed')
    await inspect(other.page, 'approval-decide')
    await answer(other.page, 'Approve')
    await other.page.getByText('Request approved.').waitFor()
    await other.page.getByText('As agreed').waitFor()
    expect(await statusOf(asker, id)).toBe('approved')

    await open(page, 'approvals')
    await page.getByText('1 of your changes is approved').waitFor()
    await inspect(page, 'approvals')
    await page.getByRole('alert').getByRole('link', { name: 'Delete the webhook' }).click()
    await press(page, 'Make change')
    await answer(page, 'Make change')
    await page.getByText('Change made.').waitFor()
    await page.getByText('Change made', { exact: true }).waitFor()
    expect(await statusOf(asker, id)).toBe('done')
    expect((await asker.get(`/webhooks/${webhook.id}`)).status).toBe(404)
    expect(complaints).toEqual([])
    expect(other.complaints).toEqual([])
  })

  test('a change with a secret is made again, and uses the approval', async () => {
    const { asker, decider } = await withPolicy('user.create')
    const given = { name: `ada${Date.now()}`, password: 'correct horse battery' }
    const { page, complaints } = await enter(asker, 'users')
    await createUser(page, given)
    await askFor(page, 'Ticket 4712')
    await answer(page, 'Ask for approval')
    await page.getByText('Approval requested. Make the change').waitFor()
    const asked = await newestOf(asker)
    ok(await approve(decider, asked))
    await open(page, `approvals/${asked.id}`)
    await page.getByText('The request contains secrets').waitFor()
    expect(await page.getByRole('button', { name: 'Make change' }).count()).toBe(0)
    await inspect(page, 'approval-secret')
    await open(page, 'users')
    await createUser(page, given)
    await dialog(page).getByText('This change needs approval').waitFor()
    await answer(page, 'Ask for approval')
    await answer(page, 'Make change')
    await page.getByText('Change made.').waitFor()
    expect(await statusOf(asker, asked.id)).toBe('done')
    expect(complaints).toEqual([])
  })

  test('breaking the glass makes a change at once, and shows its secret', async () => {
    const { tenant, asker } = await withPolicy('key.create', { approvals: 1, break_glass: true })
    const account = ok(await tenant.admin.post('/service-accounts', { name: 'Backup' }))
    const { page, complaints } = await enter(asker, `service-accounts/${account.id}`)
    await press(page, 'Create key')
    await dialog(page).getByLabel('Name').fill('Night')
    await answer(page, 'Create key')
    await askFor(page, 'Too short')
    await dialog(page).getByRole('checkbox', { name: 'Urgent' }).check()
    await inspect(page, 'approval-urgent')
    await answer(page, 'Make urgent change')
    await dialog(page).getByText('Enter at least 20 characters.').waitFor()
    await dialog(page).getByLabel('Reason').fill('The nightly backup has no key, and fails')
    await answer(page, 'Make urgent change')
    await answer(page, 'Make change')
    await dialog(page).getByText('This secret is shown only once').waitFor()
    expect(await dialog(page).getByLabel('Secret', { exact: true }).textContent()).toMatch(/^tnt_/)
    await inspect(page, 'approval-new-secret')
    expect(await newestOf(asker)).toMatchObject({ status: 'done', break_glass: true })
    expect(complaints).toEqual([])
  })

  test('a request is rejected with a comment, or cancelled by its requester', async () => {
    const { tenant, all } = await administrators()
    const [asker, decider] = all
    const path = `/webhooks/${(await newWebhook(tenant)).id}`
    ok(await asker.put('/approval-policies/webhook.change', { approvals: 1 }))
    const [first, second] = [ok(await ask(asker, 'DELETE', path)), ok(await ask(asker, 'DELETE', path))]
    const { page, complaints } = await enter(decider, `approvals/${first.id}`)
    await press(page, 'Reject')
    await dialog(page).getByLabel('Comment').fill('Not this one')
    await answer(page, 'Reject')
    await page.getByText('Request rejected.').waitFor()
    await page.getByText('Not this one').waitFor()
    const own = await enter(asker, `approvals/${second.id}`)
    await press(own.page, 'Cancel request')
    await answer(own.page, 'Cancel request')
    await own.page.getByText('Request canceled.').waitFor()
    expect(await own.page.getByRole('button', { name: 'Approve' }).count()).toBe(0)
    expect(await statusOf(asker, first.id)).toBe('rejected')
    expect(await statusOf(asker, second.id)).toBe('cancelled')
    expect([...complaints, ...own.complaints]).toEqual([])
  })
})
