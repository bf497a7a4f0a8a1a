/** Draws the README's pictures into docs/images, from a tenant with plausible activity: `npm run screenshots`. */
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import type { Page } from 'playwright-core'
import { expect, test } from 'vitest'
import {
  assign,
  ok,
  password,
  permissionIds,
  platformAdmin,
  signIn as signInAgain,
  systemRoleId,
  type Caller,
} from '../../server/test/factories.ts'
import { writeDaysOf } from '../../server/src/features/tenancy/dashboard/days.service.ts'
import { clock, parts } from '../../server/test/harness.ts'
import { seeMostToday } from '../../server/test/past.ts'
import type { PermissionCode } from '../../server/src/access/permissions.ts'
import { navigationOf, open, picturedNavigation, signIn, visit } from './visit.ts'

const images = fileURLToPath(new URL('../../docs/images/', import.meta.url))

const minuteMs = 60_000
const dayMs = 24 * 60 * minuteMs
const daysBack = 29
/** In days: older than the dashboard's comparison, with most users, so that growth is moderate. */
const foundedAgo = 45
const founders = 34

const firsts = ['Amara', 'Bruno', 'Chiara', 'Daniel', 'Elif', 'Farid', 'Greta', 'Hana']
const lasts = ['Okafor', 'Silva', 'Rossi', 'Lindqvist', 'Demir', 'Haddad']
const people = Array.from({ length: firsts.length * lasts.length }, (_, n) => ({
  name: `${firsts[n % 8]} ${lasts[(n * 5 + Math.floor(n / 8)) % 6]}`,
  // Several users join on some days, none on others.
  joinedAgo: n < founders ? foundedAgo : daysBack - ((n * n) % daysBack),
}))
const usernameOf = (name: string): string => name.toLowerCase().replace(' ', '.')

const onLeave = people[20]?.name ?? ''

const newcomer = {
  email: 'ines.moreau@acme.example',
  username: 'ines.moreau',
  nickname: 'Inès Moreau',
  password,
}

/** Creates Acme and other tenants; resolves to the signed-in administrator of Acme. */
const foundTenants = async (): Promise<Caller> => {
  const root = await platformAdmin()
  for (const name of ['Globex', 'Initech', 'Hooli']) {
    ok(await root.post('/org/tenants', { name, slug: name.toLowerCase() }))
  }
  const { id } = ok(await root.post('/org/tenants', { name: 'Acme', slug: 'acme' }))
  const who = { email: 'noor.visser@acme.example', username: 'noor.visser' }
  const body = { ...who, nickname: 'Noor Visser', password }
  const { id: userId } = ok(await root.post('/users', body, { tenant: id }))
  await assign(id, userId, systemRoleId('admin'))
  return signInAgain({ ...who, userId, tenantId: id })
}

const hire = async (admin: Caller, name: string): Promise<Caller> => {
  const username = usernameOf(name)
  const who = { email: `${username}@acme.example`, username }
  const { id } = ok(await admin.post('/users', { ...who, nickname: name, password }))
  return { ...admin, ...who, userId: id }
}

const makeRole = async (
  admin: Caller,
  name: string,
  description: string,
  ...codes: PermissionCode[]
): Promise<number> => {
  const { id } = ok(await admin.post('/rbac/roles', { name, description }))
  ok(await admin.put(`/rbac/roles/${id}/permissions`, { permission_ids: permissionIds(...codes) }))
  return id
}

const makeRoles = async (admin: Caller) => ({
  auditor: await makeRole(admin, 'Auditor', 'Reads the audit log', 'audit:read', 'user:read', 'role:read'),
  support: await makeRole(admin, 'Support', 'Helps users', 'user:read', 'user:update', 'notification:send'),
  staff: await makeRole(admin, 'Staff desk', 'Brings people in', 'user:read', 'user:create', 'role:read'),
})

/** A month of Acme, day by day; resolves to its users and roles. */
const liveThroughMonth = async (admin: Caller) => {
  const staff: Caller[] = []
  const roles = await makeRoles(admin)
  for (const ago of [foundedAgo, ...Array.from({ length: daysBack }, (_, n) => daysBack - n)]) {
    clock.offsetMs = -ago * dayMs
    // The maintenance of the service counts each day once it is over.
    await writeDaysOf(parts, admin.tenantId)
    const today = await signInAgain(admin)
    for (const { name, joinedAgo } of people) if (joinedAgo === ago) staff.push(await hire(today, name))
    await seeMostToday(admin.tenantId)
  }
  return { staff, roles }
}

type Month = Awaited<ReturnType<typeof liveThroughMonth>>

const liveThroughToday = async (admin: Caller, { staff, roles }: Month): Promise<void> => {
  const at = (minutesAgo: number): void => void (clock.offsetMs = -minutesAgo * minuteMs)
  at(100)
  const here = await Promise.all(staff.slice(0, 11).map((one) => signInAgain(one)))
  const today = await signInAgain(admin)
  const [first, second] = here
  await writeDaysOf(parts, admin.tenantId)
  at(90)
  ok(await today.post('/service-accounts', { name: 'Billing', description: 'Asks what a user may do' }))
  at(82)
  ok(await today.put('/settings/tenant/branding.color', { value: '#3b5bdb' }))
  at(57)
  for (const [nth, { userId }] of staff.entries()) {
    if (nth % 6 === 1) await assignAs(today, userId, roles.support)
  }
  at(38)
  await assignAs(today, first?.userId ?? 0, roles.auditor)
  at(26)
  await assignAs(today, second?.userId ?? 0, roles.staff)
  at(12)
  ok(await today.post('/users', newcomer))
  at(4)
  const leaver = staff.find(({ username }) => username === usernameOf(onLeave))
  ok(await today.put(`/users/${leaver?.userId}`, { nickname: `${onLeave} (on leave)`, status: 0 }))
  at(0)
  await Promise.all(here.map((one) => one.get('/profile')))
}

const assignAs = async (admin: Caller, userId: number, roleId: number): Promise<void> => {
  ok(await admin.post(`/rbac/users/${userId}/roles`, { role_id: roleId }))
}

const shoot = async (page: Page, name: string, height: number): Promise<void> => {
  await page.setViewportSize({ width: 1280, height })
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await page.mouse.move(640, 2)
  await page.screenshot({ path: `${images}${name}.png`, timeout: 60_000 })
}

const shootReview = async (page: Page): Promise<void> => {
  await open(page, 'roles?tab=compare')
  await page.getByRole('checkbox', { name: 'Edit users, for Support' }).uncheck()
  await page.getByRole('checkbox', { name: 'View the audit log, for Support' }).check()
  await page.getByRole('button', { name: 'Review' }).click()
  await page
    .getByRole('dialog')
    .getByText(/^Gains? /)
    .first()
    .waitFor()
  await shoot(page, 'review', 720)
}

test('Acme is shown as its administrator sees it', { timeout: 900_000 }, async () => {
  mkdirSync(images, { recursive: true })
  clock.offsetMs = -foundedAgo * dayMs
  const admin = await foundTenants()
  await liveThroughToday(admin, await liveThroughMonth(admin))
  const { page, complaints } = await visit()
  page.setDefaultTimeout(30_000)
  await signIn(page, admin.email)
  await page.getByRole('img', { name: 'Sign-ups and active users' }).waitFor()
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' })
  await shoot(page, 'dashboard', await page.evaluate('document.documentElement.scrollHeight'))
  writeFileSync(picturedNavigation('dashboard'), await navigationOf(page))
  await open(page, 'users?sort=-id')
  await page.getByText('Inès Moreau').waitFor()
  await shoot(page, 'users', 720)
  await shootReview(page)
  await page.emulateMedia({ colorScheme: 'dark', reducedMotion: 'reduce' })
  await open(page, 'audit')
  await page.getByRole('link', { name: 'Open the record: Changed the user' }).click()
  await page.getByRole('table', { name: 'Changes' }).waitFor()
  await shoot(page, 'audit-record', 720)
  expect(complaints).toEqual([])
})
