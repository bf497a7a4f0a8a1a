/** A tenant in which everything has an odd name, and the pages that show it. */
import type { BrowserContextOptions } from 'playwright-core'
import { newTenant, ok, platformAdmin, unique } from '../../server/test/factories.ts'
import { newApplication } from '../../server/test/applications.ts'
import { insertApprovalRows } from '../../server/test/approval-rows.ts'
import { insertConnectionRows } from '../../server/test/connection-rows.ts'
import { makeFlag } from '../../server/test/flags.ts'
import { newProvider } from '../../server/test/provider-rows.ts'
import { openReview } from '../../server/test/reviews.ts'
import { proveBy } from '../../server/test/second-factors.ts'
import { insertSupportRows } from '../../server/test/support.ts'
import { refuseStream, signIn, visit } from './visit.ts'

/** Shown without an isolate, it turns the words that follow it around: "abcgnp.exe". */
export const turned = (): string => `abc\u202Eexe.png ${unique('')}`

/** The same with letters only, since names take no signs of direction. */
const turnedName = (): string => `אבגד (${unique('')}) דגבא`

export interface Path {
  name: string
  path: string
}

const idOf = (answer: unknown): string => String((answer as { id: number | string }).id)

/** Two persons and the pages that each may open. */
export const oddWorld = async () => {
  const tenant = await newTenant()
  const platform = await platformAdmin()
  const { admin } = tenant
  const member = await tenant.member()
  const role = idOf(ok(await admin.post('/rbac/roles', { name: turnedName(), description: turned() })))
  ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: Number(role) }))
  ok(await admin.put(`/users/${member.userId}`, { nickname: turnedName() }))
  ok(await admin.put('/profile', { nickname: turnedName() }))
  const account = idOf(
    ok(await admin.post('/service-accounts', { name: turnedName(), description: turned() })),
  )
  ok(await admin.post(`/service-accounts/${account}/keys`, { name: turnedName() }))
  const webhook = idOf(
    ok(
      await admin.post('/webhooks', {
        description: turned(),
        url: 'https://example.com/hooks',
        events: ['user.*'],
      }),
    ),
  )
  ok(await admin.post('/notifications', { user_id: admin.userId, title: turnedName(), content: turned() }))
  ok(await admin.put('/settings/tenant/theme', { value: { name: turned() } }))
  ok(await platform.put(`/org/tenants/${tenant.id}`, { name: turnedName() }))
  const provider = idOf(ok(await platform.post('/providers', newProvider({ name: turnedName() }))))
  const { id: application } = await newApplication({ name: turnedName() })
  const flag = await makeFlag()
  const connection = await insertConnectionRows(tenant)
  await proveBy(admin, 'pwd', 'otp', 'mfa')
  const review = idOf(await openReview(tenant, [admin, member], { name: turnedName() }))
  const approval = await insertApprovalRows(tenant)
  const support = await insertSupportRows(tenant)
  const attribute = unique('odd')
  const shown = { label: { en: turnedName() }, description: turned(), group: turnedName() }
  ok(
    await platform.put(`/attributes/user/${attribute}`, {
      schema: { type: 'string' },
      administrators: 'write',
      ...shown,
    }),
  )
  ok(await admin.patch(`/users/${member.userId}/attributes`, { [attribute]: turned() }))
  const own: Path[] = [
    { name: 'dashboard', path: '' },
    { name: 'users', path: 'users' },
    { name: 'user', path: `users/${member.userId}` },
    { name: 'user-access', path: `users/${member.userId}?tab=access` },
    { name: 'user-attributes', path: `users/${member.userId}?tab=attributes` },
    { name: 'user-import', path: 'users/import' },
    { name: 'invitations', path: 'users/invitations' },
    { name: 'roles', path: 'roles' },
    { name: 'role', path: `roles/${role}` },
    { name: 'roles-compare', path: 'roles?tab=compare' },
    { name: 'reviews', path: 'reviews' },
    { name: 'review', path: `reviews/${review}` },
    { name: 'support', path: 'support' },
    { name: 'support-session', path: `support/${support}` },
    { name: 'approvals', path: 'approvals?status=all' },
    { name: 'approval', path: `approvals/${approval}` },
    { name: 'approval-policies', path: 'approvals?tab=policies' },
    { name: 'service-accounts', path: 'service-accounts' },
    { name: 'service-account', path: `service-accounts/${account}` },
    { name: 'connections', path: 'connections' },
    { name: 'new-connection', path: 'connections/new' },
    { name: 'connection', path: `connections/${connection}` },
    { name: 'connection-people', path: `connections/${connection}?tab=people` },
    { name: 'connection-groups', path: `connections/${connection}?tab=groups` },
    { name: 'webhooks', path: 'webhooks' },
    { name: 'webhook', path: `webhooks/${webhook}` },
    { name: 'audit', path: 'audit' },
    { name: 'settings', path: 'settings' },
    { name: 'settings-branding', path: 'settings?section=branding' },
    { name: 'settings-product', path: 'settings?section=product' },
    { name: 'settings-advanced', path: 'settings?section=advanced' },
    { name: 'notifications', path: 'notifications' },
    { name: 'not-found', path: 'no-such-page' },
  ]
  const ofPlatform: Path[] = [
    { name: 'tenants', path: 'tenants' },
    { name: 'tenant', path: `tenants/${tenant.id}` },
    { name: 'attributes', path: 'attributes' },
    { name: 'catalogue', path: 'catalogue' },
    { name: 'providers', path: 'providers' },
    { name: 'new-provider', path: 'providers/new' },
    { name: 'provider', path: `providers/${provider}` },
    { name: 'application', path: `applications/${application}` },
    { name: 'flag', path: `flags/${flag}` },
    { name: 'settings-of-all', path: 'settings?scope=global' },
    { name: 'branding-of-all', path: 'settings?scope=global&section=branding' },
    { name: 'elsewhere', path: `users?tenant=${tenant.id}` },
  ]
  return { tenant, platform, own, ofPlatform }
}

/** Signs this user in, in a window that asks for no stream and so comes to rest. */
export const begin = async (email: string, options: BrowserContextOptions = {}) => {
  const { page, complaints } = await visit(options)
  await refuseStream(page)
  await signIn(page, email)
  return { page, complaints }
}
