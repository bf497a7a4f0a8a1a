/** The consents of users to third-party applications. */
import { permissionsOf } from '../../../access/assistant-scopes.ts'
import { inTransaction, type Ctx, type TransactionCtx } from '../../../context.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, totalMax, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record, recordAs } from '../../audit/audit/audit.service.ts'
import { endSessionsOfGrant } from '../../accounts/sessions/application-ends.service.ts'
import type { Grant, GrantQuery } from './grants.schemas.ts'
import * as store from './grants.store.ts'

const grantUnknown = () => new AppError('grantUnknown', 'There is no such consent, or it was revoked')

/** The caller's consents, newest first. */
export const listOwnGrants = ({ db, actor, tenantId }: Ctx): Promise<Grant[]> =>
  store.selectGrantsOfUser(db, tenantId, actor.userId)

/** The consents of users of the tenant in scope, newest first. */
export const listGrants = async (ctx: Ctx, query: GrantQuery): Promise<CountedPage<Grant>> => {
  const { application_id: applicationId, user_id: userId, page } = query
  const isFiltered = applicationId !== undefined || userId !== undefined
  const filter = { applicationId, userId }
  const max = isFiltered ? totalMax : Number.MAX_SAFE_INTEGER - 1
  const [items, { count }] = await Promise.all([
    store.selectGrants(ctx.db, ctx.tenantId, filter, sliceOf(query)),
    store.countGrants(ctx.db, ctx.tenantId, filter, max),
  ])
  return pageOf(items, count, page, isFiltered)
}

/** Revokes a consent, and ends the sessions that it allowed. Locks the user's account. */
const revoke = async (ctx: TransactionCtx, grant: Grant | undefined): Promise<null> => {
  if (!grant) throw grantUnknown()
  const { id, application, user_id: userId, scopes, resource } = grant
  await store.lockAccountOfUser(ctx.db, ctx.tenantId, userId)
  if (!(await store.deleteGrantRow(ctx.db, ctx.tenantId, id))) throw grantUnknown()
  endSessionsOfGrant(ctx, { userId, grantId: id })
  record(ctx, {
    action: 'grant.revoke',
    resourceId: id,
    aboutUserId: userId,
    detail: {
      ...naming({ application: application.name, host: application.host }),
      ...changesBetween({ scopes, resource }, {}),
    },
  })
  return null
}

/** Revokes a consent of the caller. Throws 404 for any other id. */
export const revokeOwnGrant = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const grant = await store.selectGrant(ctx.db, ctx.tenantId, id)
    return revoke(ctx, grant?.user_id === ctx.actor.userId ? grant : undefined)
  })

/** Revokes a consent of a user of the tenant in scope. */
export const revokeGrant = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => revoke(ctx, await store.selectGrant(ctx.db, ctx.tenantId, id)))

/** The consent of a user of the tenant in scope. Undefined if the user gave none. */
export const findGrant = (
  { db, tenantId }: Pick<Ctx, 'db' | 'tenantId'>,
  subject: Omit<store.ConsentSubject, 'tenantId'>,
): Promise<store.StoredGrant | undefined> => store.selectGrantOf(db, { ...subject, tenantId })

/**
 * The scopes of a consent, with the permissions that they stand for at its time. A permission that a later release adds
 * needs another consent.
 */
export const consented = (scopes: string[]): string[] => [...new Set([...scopes, ...permissionsOf(scopes)])]

export interface Consent extends Omit<store.ConsentSubject, 'tenantId'> {
  username: string
  applicationName: string
  /** The permission codes of the consent. The codes of an earlier consent are added. */
  scopes: string[]
}

/** Stores the consent of a user of the tenant in scope, and returns its id. Lock the user's account first. */
export const storeGrant = async (ctx: TransactionCtx, consent: Consent): Promise<number> => {
  const { userId, username, applicationName, host } = consent
  const before = await findGrant(ctx, consent)
  const scopes = [...new Set([...(before?.scopes ?? []), ...consent.scopes])].toSorted()
  if (before?.scopes.length === scopes.length) return before.id
  const subject = { ...consent, tenantId: ctx.tenantId }
  const { id } = await store.upsertGrant(ctx.db, subject, scopes, ctx.parts.now())
  recordAs(
    ctx,
    { userId, username },
    {
      action: 'grant.create',
      resourceId: id,
      aboutUserId: userId,
      detail: {
        ...naming({ application: applicationName, host }),
        ...changesBetween({ scopes: before?.scopes }, { scopes }),
      },
    },
  )
  return id
}
