import sql from 'sql-template-tag'
import { describe, expect, test } from 'vitest'
import { consent, newApplication } from '../../../../test/applications.ts'
import { refusal, tally } from '../../../../test/answers.ts'
import {
  auditRecords,
  keyWith,
  newTenant,
  newUser,
  ok,
  platformAdmin,
  type Caller,
} from '../../../../test/factories.ts'
import { parts } from '../../../../test/harness.ts'
import {
  ahead,
  days,
  itemsOfReview,
  newReviewedTenant,
  openReview,
  readReport,
  reviewBody,
  sha256,
  withFactor,
} from '../../../../test/reviews.ts'
import { systemCtx } from '../../../start/parts.ts'
import { closeDueReviews } from './closing.service.ts'
import { sweepReviews } from './sweep.service.ts'

/** Moves the end of a review, because a test cannot wait for it. */
const moveDue = (tenantId: string, id: number, seconds: number) =>
  parts.store.transaction({ tenantId }, (db) =>
    db.run(sql`
      update reviews set due_at = statement_timestamp() + ${seconds} * interval '1 second'
      where tenant_id = ${tenantId} and id = ${id}`),
  )

/** Inserts keys of a service account, few enough at once for the time that a statement has on a busy machine. */
const insertKeys = async (tenantId: string, accountId: number, count: number) => {
  const atOnce = 10_000
  for (let first = 1; first <= count; first += atOnce) {
    await parts.store.scoped({ tenantId }).run(sql`
      insert into service_account_keys (tenant_id, account_id, name, prefix, secret_hash, created_by, created_at)
      select ${tenantId}::uuid, ${accountId}::bigint, 'k' || n, 'tnt_', sha256(('k' || n)::bytea), 1, now()
      from generate_series(${first}::int, ${Math.min(first + atOnce - 1, count)}::int) n`)
  }
}

describe('a review', () => {
  test('is a snapshot of roles, eligible roles, keys and consents', async () => {
    const tenant = await newReviewedTenant()
    const { admin } = tenant
    const member = await tenant.member()
    const [held, startable] = [await tenant.role('user:read'), await tenant.role('audit:read')]
    const end = ahead(20 * days)
    ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: held.id, expires_at: end }))
    const eligible = { role_id: startable.id, max_minutes: 30 }
    ok(await admin.post(`/rbac/users/${member.userId}/eligible-roles`, eligible))
    const key = await keyWith(tenant.id, [], { expires_at: end })
    const application = await newApplication({ is_third_party: true })
    const grantId = await consent(member, application)
    const review = await openReview(tenant, [admin])
    expect(review).toMatchObject({
      name: 'First quarter',
      kinds: ['roles', 'keys', 'grants'],
      reviewer_ids: [admin.userId],
      status: 'open',
      created_by: { id: admin.userId, name: admin.username },
      closed_at: '',
      report_sha256: '',
    })
    const items = await itemsOfReview(admin, review.id)
    expect(review.counts).toMatchObject({ total: items.length, pending: items.length, kept: 0 })
    const find = (what: number, kind: string, source: string) =>
      items.find((one: any) => one.what.id === what && one.kind === kind && one.source === source)
    const subject = { id: member.userId, name: member.username, type: 'user' }
    const giver = { id: admin.userId, name: admin.username }
    const undecided = { decision: '', decided_by: { id: 0, name: '' }, comment: '', outcome: 'pending' }
    expect(find(held.id, 'roles', 'manual')).toMatchObject({
      subject,
      what: held,
      given_by: giver,
      expires_at: end,
      ...undecided,
    })
    expect(find(startable.id, 'roles', 'eligible')).toMatchObject({
      subject,
      given_by: giver,
      expires_at: '',
    })
    const root = await platformAdmin()
    expect(find(key.keyId, 'keys', 'manual')).toMatchObject({
      subject: { id: key.userId, type: 'service_account' },
      given_by: { id: root.userId },
      expires_at: end,
    })
    expect(find(application.id, 'grants', 'consent')).toMatchObject({ subject, given_by: subject.id && {} })
    expect(grantId).toBeGreaterThan(0)
    const late = await tenant.role('role:read')
    ok(await admin.post(`/rbac/users/${member.userId}/roles`, { role_id: late.id }))
    expect(await itemsOfReview(admin, review.id)).toEqual(items)
    expect(await itemsOfReview(admin, review.id, `page_size=200&after_id=${items[0].id}`)).toEqual(
      items.slice(1),
    )
    expect(await itemsOfReview(admin, review.id, 'page_size=200&kind=keys')).toEqual(
      items.filter((one: any) => one.kind === 'keys'),
    )
    expect(await itemsOfReview(admin, review.id, 'outcome=kept')).toEqual([])
  })

  test('names a giver of another tenant', async () => {
    const tenant = await newReviewedTenant()
    const member = await tenant.member()
    const role = await tenant.role('user:read')
    const root = await platformAdmin()
    ok(await root.post(`/rbac/users/${member.userId}/roles`, { role_id: role.id }, { tenant: tenant.id }))
    const review = await openReview(tenant, [tenant.admin], { kinds: ['roles'] })
    const items = await itemsOfReview(tenant.admin, review.id)
    expect(items.find((one: any) => one.what.id === role.id).given_by).toEqual({
      id: root.userId,
      name: root.username,
    })
  })

  test('is told to its reviewers, apart from the person who opens it', async () => {
    const tenant = await newReviewedTenant()
    const reviewer = await tenant.member()
    await openReview(tenant, [tenant.admin, reviewer])
    const titles = async (caller: Caller) =>
      ok(await caller.get(`/notifications/user/${caller.userId}`)).items.map(({ title }: any) => title)
    expect(await titles(reviewer)).toEqual(['You’re a reviewer in an access review'])
    expect(await titles(tenant.admin)).toEqual([])
  })

  test('has neither roles that have ended nor keys that have expired', async () => {
    const tenant = await newReviewedTenant()
    const member = await tenant.member()
    const role = await tenant.role('user:read')
    const path = `/rbac/users/${member.userId}/roles`
    ok(await tenant.admin.post(path, { role_id: role.id, expires_at: ahead(days) }))
    await parts.store.transaction({ tenantId: tenant.id }, (db) =>
      db.run(sql`
        update user_roles set warn_at = null, expires_at = statement_timestamp() - interval '1 second'
        where tenant_id = ${tenant.id} and role_id = ${role.id}`),
    )
    const review = await openReview(tenant, [tenant.admin])
    const items = await itemsOfReview(tenant.admin, review.id)
    expect(items.filter((one: any) => one.what.id === role.id && one.kind === 'roles')).toEqual([])
  })

  test('is read by review:read and its reviewers, and by nobody else', async () => {
    const tenant = await newReviewedTenant()
    const [reviewer, reader] = [await tenant.member(), await tenant.userWith('review:read')]
    const [stranger, foreign] = [await tenant.member(), (await newTenant()).admin]
    const review = await openReview(tenant, [reviewer])
    const other = await openReview(tenant, [tenant.admin])
    for (const path of [`/reviews/${review.id}`, `/reviews/${review.id}/items`]) {
      expect((await reviewer.get(path)).status).toBe(200)
      expect((await reader.get(path)).status).toBe(200)
      expect(await stranger.get(path)).toMatchObject(refusal('permissionMissing'))
      expect(await foreign.get(path)).toMatchObject(refusal('reviewUnknown'))
    }
    expect((await readReport(reviewer, review.id)).status).toBe(200)
    expect(await readReport(stranger, review.id)).toMatchObject(refusal('permissionMissing'))
    const ids = async (caller: Caller, query = '') =>
      ok(await caller.get(`/reviews${query}`)).items.map(({ id }: any) => id)
    expect(await ids(reader)).toEqual([review.id, other.id])
    expect(await ids(reader, `?after_id=${review.id}`)).toEqual([other.id])
    expect(await ids(reviewer)).toEqual([review.id])
    expect(await ids(stranger)).toEqual([])
    expect(await ids(reader, '?status=closed')).toEqual([])
    expect(await ids(reader, '?status=open')).toEqual([review.id, other.id])
  })

  test.each([
    ['a reviewer of another tenant', async () => ({ reviewer_ids: [(await platformAdmin()).userId] })],
    ['an end within a day', async () => ({ due_at: ahead(days - 60_000) })],
    ['an end after 91 days', async () => ({ due_at: ahead(91 * days) })],
    ['no kind', async () => ({ kinds: [] })],
    ['no reviewer', async () => ({ reviewer_ids: [] })],
    ['an unknown kind', async () => ({ kinds: ['users'] })],
    ['an empty name', async () => ({ name: ' ' })],
  ])('cannot have %s', async (_what, fields) => {
    const tenant = await newReviewedTenant()
    const body = reviewBody([tenant.admin], await fields())
    expect(await tenant.admin.post('/reviews', body)).toMatchObject({ status: 400 })
  })

  test('is opened and closed in a session with a second factor', async () => {
    const tenant = await newTenant()
    expect(await tenant.admin.post('/reviews', reviewBody([tenant.admin]))).toMatchObject(
      refusal('mfaRequired'),
    )
    const key = await keyWith(tenant.id, ['review:manage'])
    expect(await key.post('/reviews', reviewBody([tenant.admin]))).toMatchObject(refusal('ownSessionNeeded'))
    await withFactor(tenant.admin)
    const { id } = await openReview(tenant, [tenant.admin])
    expect(await key.post(`/reviews/${id}/close`)).toMatchObject(refusal('ownSessionNeeded'))
  })

  test('is one of ten open ones, however many requests come at once', async () => {
    const tenant = await newReviewedTenant()
    const requests = Array.from({ length: 12 }, () =>
      tenant.admin.post('/reviews', reviewBody([tenant.admin], { kinds: ['keys'] })),
    )
    const answers = await Promise.all(requests)
    expect(tally(answers)).toEqual({ 200: 10, 409: 2 })
    expect(await tenant.admin.post('/reviews', reviewBody([tenant.admin]))).toMatchObject(
      refusal('reviewsFull'),
    )
    const first = answers.find(({ status }) => status === 200)
    ok(await tenant.admin.post(`/reviews/${first?.data.id}/close`))
    ok(await tenant.admin.post('/reviews', reviewBody([tenant.admin])))
  })

  test('is one of 50 within a day', async () => {
    const tenant = await newReviewedTenant()
    const { id } = await openReview(tenant, [tenant.admin], { kinds: ['keys'] })
    ok(await tenant.admin.post(`/reviews/${id}/close`))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      insert into reviews (tenant_id, name, kinds, reviewer_ids, due_at, created_by, created_by_name, created_at, closed_at)
      select tenant_id, name, kinds, reviewer_ids, due_at, created_by, created_by_name, created_at, closed_at
      from reviews, generate_series(1, 49) where tenant_id = ${tenant.id}`)
    const body = reviewBody([tenant.admin], { kinds: ['keys'] })
    expect(await tenant.admin.post('/reviews', body)).toMatchObject({ status: 429 })
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`update reviews set created_at = created_at - interval '1 day' where tenant_id = ${tenant.id}`)
    expect((await tenant.admin.post('/reviews', body)).status).toBe(200)
  })

  test('has at most 100,000 items', async () => {
    const tenant = await newReviewedTenant()
    const { userId: accountId } = await keyWith(tenant.id, [])
    await insertKeys(tenant.id, accountId, 100_000)
    const body = reviewBody([tenant.admin], { kinds: ['keys'] })
    expect(await tenant.admin.post('/reviews', body)).toMatchObject(refusal('reviewTooLarge'))
    expect((await tenant.admin.get('/reviews')).data.total).toBe(0)
    await parts.store
      .scoped({ tenantId: tenant.id })
      .run(sql`delete from service_account_keys where tenant_id = ${tenant.id} and name = 'k1'`)
    const { id, counts } = ok(await tenant.admin.post('/reviews', body))
    expect(counts).toMatchObject({ total: 100_000, pending: 100_000 })
    const { report_sha256: hash } = ok(await tenant.admin.post(`/reviews/${id}/close`))
    expect(sha256((await readReport(tenant.admin, id)).text)).toBe(hash)
  }, 120_000)
})

describe('the end of a review', () => {
  test('seals the hash of a report that has the same bytes later', async () => {
    const tenant = await newReviewedTenant()
    const { admin } = tenant
    const [reviewer, member] = [await withFactor(await tenant.member()), await tenant.member()]
    const review = await openReview(tenant, [reviewer])
    const [item] = (await itemsOfReview(admin, review.id)).filter(
      (one: any) => one.subject.id === member.userId,
    )
    ok(
      await reviewer.post(`/reviews/${review.id}/decide`, {
        item_ids: [item.id],
        decision: 'keep',
        comment: 'Needs it — daily',
      }),
    )
    const before = await readReport(admin, review.id)
    expect(before.headers.get('content-disposition')).toContain(`review-${review.id}.json`)
    const closed = ok(await admin.post(`/reviews/${review.id}/close`))
    expect(closed).toMatchObject({ status: 'closed', counts: { kept: 1 } })
    const { text } = await readReport(admin, review.id)
    expect(closed.report_sha256).toBe(sha256(text))
    expect(closed.report_sha256).not.toBe(sha256(before.text))
    const file = JSON.parse(text)
    expect(file).toMatchObject({
      version: 1,
      review: { id: review.id, tenant_id: tenant.id, counts: closed.counts, closed_at: closed.closed_at },
    })
    expect(file.items).toHaveLength(closed.counts.total)
    expect(file.items.find((one: any) => one.id === item.id)).toMatchObject({
      outcome: 'kept',
      comment: 'Needs it — daily',
      decided_by: { id: reviewer.userId, name: reviewer.username },
    })
    const [record] = await auditRecords(tenant.id, 'review', review.id)
    expect(record).toMatchObject({ action: 'review.close', user_id: admin.userId })
    expect(record?.detail['report_sha256']).toEqual({ from: null, to: closed.report_sha256 })
    ok(await admin.put(`/users/${member.userId}`, { nickname: 'Renamed' }))
    ok(await admin.delete(`/users/${member.userId}`))
    ok(await admin.delete(`/users/${reviewer.userId}`))
    expect((await readReport(admin, review.id)).text).toBe(text)
    expect(await admin.post(`/reviews/${review.id}/close`)).toMatchObject(refusal('reviewClosed'))
    const late = { item_ids: [item.id], decision: 'revoke' }
    expect(await admin.post(`/reviews/${review.id}/decide`, late)).toMatchObject(refusal('notReviewer'))
  })

  test('comes at the due time, before any job has run, with one record of the system', async () => {
    const tenant = await newReviewedTenant()
    const [reviewer, member] = [await withFactor(await tenant.member()), await tenant.member()]
    const review = await openReview(tenant, [reviewer])
    const [item] = (await itemsOfReview(reviewer, review.id)).filter(
      (one: any) => one.subject.id === member.userId,
    )
    await moveDue(tenant.id, review.id, -1)
    const path = `/reviews/${review.id}`
    const early = (await reviewer.get(path)).data
    expect(early).toMatchObject({ status: 'closed', report_sha256: '' })
    expect(early.closed_at).toBe(early.due_at)
    expect(await reviewer.post(`${path}/decide`, { item_ids: [item.id], decision: 'keep' })).toMatchObject(
      refusal('reviewClosed'),
    )
    expect(await tenant.admin.post(`${path}/close`)).toMatchObject(refusal('reviewClosed'))
    const { text } = await readReport(reviewer, review.id)
    await Promise.all([closeDueReviews(systemCtx(parts, 'test')), closeDueReviews(systemCtx(parts, 'test'))])
    expect((await reviewer.get(path)).data).toEqual({ ...early, report_sha256: sha256(text) })
    expect((await readReport(reviewer, review.id)).text).toBe(text)
    const records = await auditRecords(tenant.id, 'review', review.id)
    expect(records.map(({ action, user_id }) => [action, user_id])).toEqual([
      ['review.close', 0],
      ['review.open', tenant.admin.userId],
    ])
  })

  test('happens once, and is found when it is due next', async () => {
    const tenant = await newReviewedTenant()
    const review = await openReview(tenant, [tenant.admin])
    const closings = Array.from({ length: 4 }, () => tenant.admin.post(`/reviews/${review.id}/close`))
    expect(tally(await Promise.all(closings))).toEqual({ 200: 1, 409: 3 })
    await openReview(tenant, [tenant.admin])
    expect(await closeDueReviews(systemCtx(parts, 'test'))).toBeGreaterThan(0)
  })

  test('is followed by the deletion of the review once audit records of its time expire', async () => {
    const tenant = await newReviewedTenant()
    const [old, young] = [await openReview(tenant, [tenant.admin]), await openReview(tenant, [tenant.admin])]
    for (const { id } of [old, young]) ok(await tenant.admin.post(`/reviews/${id}/close`))
    await parts.store.scoped({ tenantId: tenant.id }).run(sql`
      update reviews set closed_at = now() - interval '41 days' where tenant_id = ${tenant.id} and id = ${old.id}`)
    const ids = async () => ok(await tenant.admin.get('/reviews')).items.map(({ id }: any) => id)
    await sweepReviews(parts)
    expect(await ids()).toEqual([old.id, young.id])
    ok(await tenant.admin.put('/settings/tenant/audit.retention_days', { value: 40 }))
    await sweepReviews(parts)
    expect(await ids()).toEqual([young.id])
  })

  test('needs review:manage', async () => {
    const tenant = await newReviewedTenant()
    const reviewer = await withFactor(await newUser(tenant.id))
    const { id } = await openReview(tenant, [reviewer])
    expect(await reviewer.post(`/reviews/${id}/close`)).toMatchObject(refusal('permissionMissing'))
    const { admin: foreign } = await newReviewedTenant()
    expect(await foreign.post(`/reviews/${id}/close`)).toMatchObject(refusal('reviewUnknown'))
  })
})
