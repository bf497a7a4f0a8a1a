import { randomBytes } from 'node:crypto'
import type { Limit } from '../../../cache/cache.ts'
import { guestShut } from '../../../access/policies.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { foldedDomain, requireProvable } from './domain-names.ts'
import type { CreateDomain, Domain, LookedAtDomain } from './domains.schemas.ts'
import * as store from './domains.store.ts'
import { effectOfDomain } from './mapping-effects.service.ts'
import { notifyManagers } from './managers.service.ts'
import { changingSignIn } from './rank.service.ts'

/** docs/contract.md, "Enterprise sign-in". */
const domainsMax = 20
const perMinute: Limit = { name: 'domain-proof', points: 20, windowSeconds: 60 }
const lapseMs = 7 * 86_400_000

const recordName = (domain: string): string => `_tenantry-challenge.${domain}`
const recordValue = (token: string): string => `tenantry-domain-verification=${token}`

const toDomain = ({ token, ...row }: store.DomainRow): Domain => ({
  ...row,
  record_name: recordName(row.domain),
  record_value: recordValue(token),
})

/** The domains of the tenant in scope, by id. */
export const listDomains = async ({ db, tenantId }: Ctx): Promise<Domain[]> =>
  (await store.selectDomains(db, tenantId)).map(toDomain)

/** Adds a domain. It decides about no sign-in until DNS proves it. */
export const createDomain = async (ctx: Ctx, input: CreateDomain): Promise<Domain> => {
  const domain = foldedDomain(input.domain)
  await requireProvable(domain)
  return changingSignIn(ctx, async (ctx) => {
    if ((await store.selectDomains(ctx.db, ctx.tenantId)).length >= domainsMax) {
      throw new AppError('domainsFull', `A tenant has at most ${domainsMax} domains. Delete one first`)
    }
    const token = randomBytes(16).toString('base64url')
    const row = await store
      .insertDomain(ctx.db, ctx.tenantId, { domain, token, now: ctx.parts.now() })
      .catch((err: unknown) => {
        throw violatesUnique(err, 'domains_tenant_id_domain_key') ? domainThere() : err
      })
    record(ctx, { action: 'domain.create', resourceId: row.id, detail: changesBetween({}, { domain }) })
    await notifyManagers(ctx, 'domainAdded', { domain })
    return toDomain(row)
  })
}

const domainThere = () => new AppError('domainThere', 'The tenant has this domain already')
const domainUnknown = () => new AppError('domainUnknown', 'The domain does not exist in this tenant')

/**
 * Checks DNS now, and returns the found texts. Checks the permission first: otherwise any caller could make the service
 * query DNS.
 */
export const verifyDomain = async (ctx: Ctx, id: number): Promise<LookedAtDomain> => {
  const { domain, token } = await getProvable(ctx, id)
  await countCheck(ctx)
  const texts = await readRecordTexts(ctx, domain)
  return changingSignIn(ctx, async (ctx) => {
    const row = await store.selectDomainForUpdate(ctx.db, ctx.tenantId, id)
    if (!row) throw domainUnknown()
    const found = texts?.slice(0, foundMax).map((text) => text.slice(0, textMax)) ?? null
    return { ...toDomain(await storeCheck(ctx, row, hasRecord(texts, token))), found }
  })
}

const getProvable = (ctx: Ctx, id: number): Promise<store.DomainRow> =>
  changingSignIn(ctx, async ({ db, tenantId }) => {
    const row = await store.selectDomain(db, tenantId, id)
    if (!row) throw domainUnknown()
    return row
  })

const countCheck = async ({ parts: { cache, config }, tenantId }: Ctx): Promise<void> => {
  if (!config.rateLimit) return
  const { allowed, retryAfterSeconds } = await cache.consume(perMinute, tenantId)
  if (allowed) return
  throw new AppError('tooManyRequests', `Too many looks. Try again in ${retryAfterSeconds} seconds`, {
    retryAfterSeconds,
  })
}

/** The texts at the record's name. Undefined if no server answers. */
export const readRecordTexts = ({ parts }: Ctx, domain: string): Promise<string[] | undefined> =>
  parts.readTexts(recordName(domain)).catch(() => undefined)

/** A longer text is shortened in answers, and never matches. */
const textMax = 255
const foundMax = 10

/** Whether one of the texts is the expected text. Ignores quotes and spaces around it, which some DNS hosts add. */
export const hasRecord = (texts: string[] | undefined, token: string): boolean | undefined =>
  texts?.some(
    (text) => text.length <= textMax && text.replaceAll(/^["\s]+|["\s]+$/g, '') === recordValue(token),
  )

/** Gives the domain to the tenant. Throws 409 if another tenant has it. */
const storePresent = async (ctx: TransactionCtx, row: store.DomainRow): Promise<store.DomainRow> => {
  const isOwn = row.status === 'verified'
  const { id, domain } = row
  if (!isOwn && (await store.insertOwner(ctx.db, ctx.tenantId, domain)) === 0) {
    throw new AppError('domainOfAnother', 'Another tenant has proved this domain. It has to delete it first')
  }
  const verifiedAt = isOwn ? row.verified_at : ctx.parts.now().toISOString()
  const verified = { id, status: 'verified' as const, verifiedAt, missingSince: '' }
  const after = await store.updateDomain(ctx.db, ctx.tenantId, verified, ctx.parts.now())
  if (isOwn) return after
  record(ctx, {
    action: 'domain.verify',
    resourceId: id,
    detail: { ...naming({ domain }), ...changesBetween({ status: row.status }, { status: 'verified' }) },
    effect: await effectOfDomain(ctx, id),
  })
  await notifyManagers(ctx, 'domainVerified', { domain })
  return after
}

/**
 * The time since which a verified domain's record is missing; "" while the record is present. Stays the same if DNS
 * does not answer.
 */
const missingSince = (row: store.DomainRow, isThere: false | undefined, now: Date): string => {
  if (row.status !== 'verified') return ''
  return isThere === undefined ? row.missing_since : row.missing_since || now.toISOString()
}

/** Stores that the record is missing. A verified domain lapses after 7 days without the record. */
const storeMissing = async (
  ctx: TransactionCtx,
  row: store.DomainRow,
  isThere: false | undefined,
): Promise<store.DomainRow> => {
  const now = ctx.parts.now()
  const { id, status, verified_at: verifiedAt } = row
  const since = missingSince(row, isThere, now)
  const isOver = isThere === false && since !== '' && Date.parse(since) <= now.getTime() - lapseMs
  if (isOver) return lapse(ctx, row)
  return store.updateDomain(ctx.db, ctx.tenantId, { id, status, verifiedAt, missingSince: since }, now)
}

const lapse = async (ctx: TransactionCtx, row: store.DomainRow): Promise<store.DomainRow> => {
  const { id, domain, verified_at: verifiedAt } = row
  const lapsed = { id, status: 'lapsed' as const, verifiedAt, missingSince: '' }
  const after = await store.updateDomain(ctx.db, ctx.tenantId, lapsed, ctx.parts.now())
  store.deleteOwner(ctx.db, ctx.tenantId, domain)
  record(ctx, {
    action: 'domain.lapse',
    resourceId: id,
    detail: { ...naming({ domain }), ...changesBetween({ status: row.status }, { status: 'lapsed' }) },
  })
  await notifyManagers(ctx, 'domainLapsed', { domain })
  return after
}

/** Stores the result of a check. `isThere` is undefined if DNS did not answer. */
export const storeCheck = (
  ctx: TransactionCtx,
  row: store.DomainRow,
  isThere: boolean | undefined,
): Promise<store.DomainRow> => (isThere ? storePresent(ctx, row) : storeMissing(ctx, row, isThere))

/** A guest deletes only what nobody has proved, and what concerns no connection in use. */
const requireGuestDeletes = async (ctx: TransactionCtx, { id, status }: store.DomainRow): Promise<void> => {
  if (!ctx.actor.guest) return
  if (status !== 'pending' || (await store.selectLeadsOn(ctx.db, ctx.tenantId, id))) throw guestShut()
}

/** Deletes a domain, and frees it at once for other tenants. */
export const deleteDomain = (ctx: Ctx, id: number): Promise<null> =>
  changingSignIn(ctx, async (ctx) => {
    const row = await store.selectDomainForUpdate(ctx.db, ctx.tenantId, id)
    if (!row) throw domainUnknown()
    await requireGuestDeletes(ctx, row)
    await store.deleteDomainRow(ctx.db, ctx.tenantId, id)
    store.deleteOwner(ctx.db, ctx.tenantId, row.domain)
    record(ctx, {
      action: 'domain.delete',
      resourceId: id,
      detail: changesBetween({ domain: row.domain, status: row.status }, {}),
    })
    await notifyManagers(ctx, 'domainDeleted', { domain: row.domain })
    return null
  })
