/** Access reviews, in a real browser (`npm run test:browser`). */
import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { ok, unique, type Caller, type Tenant } from '../../server/test/factories.ts'
import { proveTwice } from '../../server/test/second-factors.ts'
import { newReviewedTenant, openReview, sha256 } from '../../server/test/reviews.ts'
import { expectSoon, inspect, open, signIn, visit } from './visit.ts'

const dialog = (page: Page) => page.getByRole('dialog')
const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click()
const answer = (page: Page, name: string) =>
  dialog(page).last().getByRole('button', { name, exact: true }).click()

/** A tenant with three members who hold a role. */
const scene = async () => {
  const tenant = await newReviewedTenant()
  const role = await tenant.role('user:read')
  const members: Caller[] = []
  for (let number = 0; number < 3; number += 1) {
    const member = await tenant.member()
    ok(await tenant.admin.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }))
    members.push(member)
  }
  return { tenant, role, members }
}

/** Signs in, with a second factor by the look of the session. */
const enter = async (page: Page, user: Caller, path: string): Promise<void> => {
  await signIn(page, user.email)
  await proveTwice(user)
  await open(page, path)
  await page.getByRole('heading', { level: 1 }).first().waitFor()
}

const holders = async ({ admin }: Tenant, roleId: number): Promise<number> =>
  ok(await admin.get(`/rbac/roles/${roleId}/users`)).total

const row = (page: Page, user: Caller, role: { name: string }) =>
  page.getByRole('row').filter({ hasText: user.username }).filter({ hasText: role.name })

describe('a review', () => {
  test('is one click from the notification of its reviewer', async () => {
    const { tenant, members } = await scene()
    const [reviewer] = members
    if (!reviewer) throw new Error('the tenant has no member')
    const { name } = await openReview(tenant, [reviewer])
    const { page, complaints } = await visit()
    await enter(page, reviewer, 'notifications')
    await page.getByRole('link', { name: /reviewer in an access review/ }).click()
    await dialog(page).getByRole('link', { name: 'View details' }).click()
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    expect(complaints).toEqual([])
  })

  test('is opened for reviewers, decided for many rows, closed, and saved', async () => {
    const { tenant, role, members } = await scene()
    const { page, complaints } = await visit()
    await enter(page, tenant.admin, '')
    await page.getByRole('navigation').getByRole('link', { name: 'Access reviews' }).click()
    await page.getByText('No access reviews yet').waitFor()
    await press(page, 'Create review')
    const name = unique('Quarter ')
    await dialog(page).getByLabel('Name').fill(name)
    await dialog(page).getByRole('checkbox', { name: 'Consents' }).uncheck()
    await dialog(page).getByRole('combobox', { name: 'Reviewers' }).fill(tenant.admin.username)
    await page.getByRole('option', { name: tenant.admin.username }).click()
    await inspect(page, 'review-open')
    await answer(page, 'Create review')
    await page.getByRole('heading', { name, level: 1 }).waitFor()
    await inspect(page, 'review')
    for (const member of members) {
      await row(page, member, role).getByRole('checkbox').check()
    }
    await press(page, 'Revoke')
    await dialog(page).getByLabel('Comment').fill('Left the team')
    await inspect(page, 'review-decide')
    await answer(page, 'Revoke')
    await page.getByText('Revoked: 3').waitFor()
    expect(await holders(tenant, role.id)).toBe(0)
    await page.getByRole('checkbox', { name: 'Select all' }).check()
    await press(page, 'Keep')
    await dialog(page)
      .getByText(/about you/)
      .waitFor()
    await answer(page, 'Keep')
    await page.getByText('Kept: 3', { exact: true }).waitFor()
    await inspect(page, 'review-decided')
    await page.getByRole('combobox', { name: 'Decision' }).selectOption('Undecided')
    await row(page, tenant.admin, { name: 'admin' }).waitFor()
    await press(page, 'Close review')
    await answer(page, 'Close review')
    await page.getByText('SHA-256 of the report').waitFor()
    await inspect(page, 'review-closed')
    const [download] = await Promise.all([page.waitForEvent('download'), press(page, 'Download report')])
    const bytes = readFileSync(await download.path(), 'utf8')
    await page.getByText(sha256(bytes)).waitFor()
    await open(page, 'reviews?status=closed')
    await page.getByRole('link', { name }).waitFor()
    await inspect(page, 'reviews')
    expect(complaints).toEqual([])
  })

  test('asks for a second factor first, in place of the form', async () => {
    const { tenant } = await scene()
    const { page, complaints } = await visit()
    await signIn(page, tenant.admin.email, 'reviews')
    await press(page, 'Create review')
    await dialog(page).getByText('Set up two-step verification first').waitFor()
    await dialog(page).getByRole('link', { name: 'Open your profile' }).waitFor()
    expect(await dialog(page).getByRole('textbox').count()).toBe(0)
    await inspect(page, 'review-refused')
    expect(complaints).toEqual([])
  })

  test('shows a reviewer without permissions the refusal of a revocation', async () => {
    const { tenant, role, members } = await scene()
    const reviewer = await tenant.member()
    const { id } = await openReview(tenant, [reviewer])
    const { page, complaints } = await visit()
    await enter(page, reviewer, '')
    await page.getByRole('navigation').getByRole('link', { name: 'Access reviews' }).click()
    await page.getByRole('link', { name: 'First quarter' }).click()
    const [member] = members
    if (!member) throw new Error('there is no member')
    await row(page, member, role).getByRole('checkbox').check()
    await press(page, 'Revoke')
    await answer(page, 'Revoke')
    await page.getByText('Refused: 1').waitFor()
    await row(page, member, role).getByText('It needs a reviewer with more permissions.').waitFor()
    expect(await holders(tenant, role.id)).toBe(3)
    expect(await page.getByRole('button', { name: 'Close review' }).count()).toBe(0)
    await expectSoon(async () => ok(await tenant.admin.get(`/reviews/${id}`)).counts.refused).toBe(1)
    expect(complaints).toEqual([])
  })

  test('lets its readers look, and not decide', async () => {
    const { tenant } = await scene()
    const { id } = await openReview(tenant, [tenant.admin])
    const { page, complaints } = await visit()
    await signIn(page, (await tenant.userWith('review:read')).email, `reviews/${id}`)
    await page.getByRole('cell', { name: 'Undecided' }).first().waitFor()
    expect(await page.getByRole('checkbox').count()).toBe(0)
    expect(await page.getByRole('button', { name: /Create|Close review/ }).count()).toBe(0)
    expect(complaints).toEqual([])
  })
})
