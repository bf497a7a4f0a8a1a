/** Access reviews for tests. */
import { createHash } from 'node:crypto'
import sql from 'sql-template-tag'
import { newTenant, ok, type Caller, type Tenant } from './factories.ts'
import { call, parts } from './harness.ts'
import { proveBy } from './second-factors.ts'

export const days = 24 * 3_600_000
export const ahead = (ms: number): string => new Date(Date.now() + ms).toISOString()

/** A tenant whose administrator has a second factor. */
export const newReviewedTenant = async (): Promise<Tenant> => {
  const tenant = await newTenant()
  await proveBy(tenant.admin, 'pwd', 'otp', 'mfa')
  return tenant
}

export const withFactor = async (caller: Caller): Promise<Caller> => {
  await proveBy(caller, 'pwd', 'otp', 'mfa')
  return caller
}

export const reviewBody = (reviewers: Caller[], fields: object = {}) => ({
  name: 'First quarter',
  kinds: ['roles', 'keys', 'grants'],
  reviewer_ids: reviewers.map(({ userId }) => userId),
  due_at: ahead(7 * days),
  ...fields,
})

export const openReview = async (tenant: Tenant, reviewers: Caller[], fields?: object) =>
  ok(await tenant.admin.post('/reviews', reviewBody(reviewers, fields)))

export const itemsOfReview = async (caller: Caller, id: number, query = 'page_size=200') =>
  ok(await caller.get(`/reviews/${id}/items?${query}`)).items

export const readReport = ({ token, tenantId }: Caller, id: number) =>
  call('GET', `/reviews/${id}/report`, { token, tenant: tenantId })

export const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Inserts an open review with one item, which the administrator decides. The item is about nobody who exists. */
export const insertReview = async ({
  id: tenantId,
  admin,
}: Pick<Tenant, 'id' | 'admin'>): Promise<{ reviewId: number; itemId: number }> => {
  return parts.store.transaction({ tenantId }, async (db) => {
    const { id: reviewId } = await db.only<{ id: number }>(sql`
      insert into reviews (tenant_id, name, kinds, reviewer_ids, due_at, created_by, created_by_name, created_at, counts)
      values (${tenantId}, 'Any', '{roles}', array[${admin.userId}::bigint], now() + interval '9 days', ${admin.userId},
        ${admin.username}, now(), '{"pending": 1}')
      returning id`)
    const { id: itemId } = await db.only<{ id: number }>(sql`
      insert into review_items (tenant_id, review_id, kind, source, subject_id, subject_name, subject_type, what_id, what_name,
        given_by, given_by_name, given_at, object_id, state)
      values (${tenantId}, ${reviewId}, 'roles', 'manual', 1, 'ada', 'user', 2, 'Editors', 1, 'root', now(), 1, '')
      returning id`)
    return { reviewId, itemId }
  })
}
