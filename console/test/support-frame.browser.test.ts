/** The controls that a support session is offered, in a real browser (`npm run test:browser`). */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { beforeAll, expect, test } from 'vitest'
import { errorCodes } from '../../client/src/error-codes.ts'
import { ok, platformAdmin, unique, type Caller } from '../../server/test/factories.ts'
import { service } from '../../server/test/harness.ts'
import { newStaff, openSupport, within } from '../../server/test/support.ts'
import { open, sessionKey, settle, visit } from './visit.ts'
import { oddWorld, type Path } from './world.ts'

let world: Awaited<ReturnType<typeof oddWorld>>
let paths: Path[]

const keys = { plain: unique('shop.color'), secret: unique('shop.key') }

beforeAll(async () => {
  world = await oddWorld()
  const { admin } = world.tenant
  const root = await platformAdmin()
  for (const [kind, key] of Object.entries(keys)) {
    const declared = { schema: { type: 'string' }, scopes: ['tenant'], secret: kind === 'secret' }
    ok(await root.put(`/settings/definitions/${key}`, declared))
    ok(await admin.put(`/settings/tenant/${key}`, { value: 'blue' }))
  }
  const { items } = ok(await admin.get(`/notifications/user/${admin.userId}`))
  paths = [
    ...world.own,
    { name: 'user-activity', path: `users/${admin.userId}?tab=activity` },
    { name: 'grants', path: 'grants' },
    { name: 'notification', path: `notifications?id=${items[0].id}` },
    { name: 'plain-setting', path: 'settings?key=theme' },
    { name: 'declared-setting', path: `settings?key=${keys.plain}` },
    { name: 'secret-setting', path: `settings?key=${keys.secret}` },
  ]
})

/** Enters a running support session of staff. */
const enter = async (page: Page, staff: Caller, id: string): Promise<void> => {
  await page.goto(`${service.url}/healthz`)
  const session = JSON.stringify({
    accessToken: staff.token,
    refreshToken: '',
    expiresAt: Date.now() + 600_000,
  })
  await page.evaluate(`localStorage.setItem('${sessionKey}', ${JSON.stringify(session)})`)
  await open(page, `support/${id}?tenant=${world.tenant.id}`)
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByText(/minutes left/).waitFor()
}

const controls = 'button, input, textarea, select, [role=menuitem]'

/** The names of what a person can press or fill in on the page and in its window, outside the frame. */
const readControls = `[...document.querySelectorAll('main, [role=dialog]')]
  .flatMap((part) => [...part.querySelectorAll('${controls}')])
  .filter((one) => !one.matches(':disabled, :read-only:not(button, select, [type=checkbox], [type=radio])'))
  .filter((one) => one.checkVisibility())
  .map((one) => one.ariaLabel ?? one.labels?.[0]?.textContent ?? one.textContent)`

/** The controls of the page, once they stay the same for half a second: parts of windows come later. */
const offersOf = async (page: Page): Promise<string[]> => {
  let [before, names] = [['none'], await page.evaluate<string[]>(readControls)]
  while (names.join('\n') !== before.join('\n')) {
    await sleep(500)
    ;[before, names] = [names, await page.evaluate<string[]>(readControls)]
  }
  return names
}

/** Opens all pages in a support session. Returns the refused requests, and what each page offers. */
const walk = async (kind: 'view' | 'act') => {
  const { admin, id: tenantId } = world.tenant
  const staff = within(await newStaff(), tenantId)
  const { id } = await openSupport(staff, admin, { kind })
  const { page, complaints } = await visit()
  const refused: string[] = []
  page.on('response', async (response) => {
    if (response.status() !== 403) return
    const { code } = (await response.json().catch(() => ({}))) as { code?: number }
    if (code === errorCodes.supportShut) refused.push(`${response.request().method()} ${response.url()}`)
  })
  await enter(page, staff, id)
  const offered: Record<string, string[]> = {}
  for (const { name, path } of paths) {
    await open(page, path)
    await settle(page)
    offered[name] = await offersOf(page)
  }
  ok(await staff.delete(`/support/sessions/${id}`))
  return { refused, offered, complaints }
}

/** Buttons that change something begin with such a verb. */
const changing =
  /^(?:Activate|Add|Assign|Change|Create|Delete|Disable|Edit|Enable|End|Invite|Make|Mark|Remove|Restore|Revoke|Save|Send|Start|Test|Use)\b/

/** Two walks over all pages take longer than other tests. */
const walksMs = 300_000

test('a support session is offered only what it reaches', { timeout: walksMs }, async () => {
  const view = await walk('view')
  const act = await walk('act')
  expect([...view.refused, ...act.refused]).toEqual([])
  const changes = Object.entries(view.offered).filter(([, names]) => names.some((one) => changing.test(one)))
  expect(changes).toEqual([])
  const more = Object.entries(act.offered).flatMap(([name, names]) => {
    const others = names.filter((one) => !view.offered[name]?.includes(one))
    return others.length === 0 ? [] : [[name, others]]
  })
  // Secrets, and the settings that Tenantry reads, stay shut.
  expect(Object.fromEntries(more)).toEqual({
    'settings-product': ['Create setting'],
    'plain-setting': ['Create setting', 'Value (JSON)', 'Format', 'Delete', 'Cancel', 'Save'],
    'declared-setting': ['Create setting', keys.plain, 'Use the inherited value', 'Cancel'],
    'secret-setting': ['Create setting'],
  })
  expect([...view.complaints, ...act.complaints]).toEqual([])
})
