/** Applications belong to the installation. Their audit records are in the built-in tenant. */
import { randomUUID } from 'node:crypto'
import { changingCatalogue, type AuthorityCtx } from '../../../access/authority.ts'
import { builtInTenant, permissions } from '../../../access/permissions.ts'
import { lacking, outlasting, policies, requireMay } from '../../../access/policies.ts'
import { inTenant, inTransaction, type Ctx, type CallerlessCtx } from '../../../context.ts'
import { createClientId, createSecretText } from '../../../crypto/access-keys.ts'
import { AppError } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { listProductCodes } from '../../accounts/roles/roles.service.ts'
import {
  endSessionsBeyondResources,
  endSessionsBeyondTenants,
  endSessionsOfApplication,
} from '../../accounts/sessions/application-ends.service.ts'
import type {
  Application,
  ApplicationQuery,
  CreateApplication,
  CreatedApplication,
  CreatedSecret,
  OneApplicationQuery,
  UpdateApplication,
} from './applications.schemas.ts'
import * as store from './applications.store.ts'
import { findUnknownResources } from './resources.service.ts'
import { requireKnown, requireSound, type Unknown } from './registration.ts'

/** docs/contract.md, "Applications". */
const applicationsMax = 1000
/** 7 days. */
const sessionSecondsUsual = 604_800

/** All applications, by id. Includes clients that registered themselves unless the query excludes them. */
export const listApplications = async (
  { db }: Ctx,
  query: ApplicationQuery,
): Promise<CountedPage<Application>> => {
  const { search, kind, status, is_registered, page } = query
  const filter = { search, kind, status, is_registered }
  const [items, { count }] = await Promise.all([
    store.selectApplications(db, filter, { ...sliceOf(query), include: query.include }),
    store.countApplications(db, filter),
  ])
  return pageOf(items, count, page, false)
}

export const getApplication = async (
  { db }: CallerlessCtx,
  id: number,
  { include }: OneApplicationQuery = {},
): Promise<Application> => {
  const application = await store.selectApplication(db, id, include)
  if (!application) throw new AppError('applicationUnknown', 'There is no application with this id')
  return application
}

/**
 * Throws 403 unless the caller may change the application. A first-party application can act for every user. An
 * application that uses Tenantry's API has the permissions of its users in that API.
 */
export const requireMayManage = async (
  ctx: AuthorityCtx,
  ...states: Pick<Application, 'is_third_party' | 'tenantry_api'>[]
): Promise<void> => {
  for (const state of states) requireMay(ctx.actor, policies.manageApplication, state)
  if (!states.some((state) => state.tenantry_api)) return
  const codes = [...permissions.map(({ code }) => code), ...(await listProductCodes(ctx))]
  const isLacking = lacking(ctx.actor, codes).length > 0
  if (isLacking || outlasting(ctx.actor, codes, undefined).length > 0) {
    throw new AppError(
      isLacking ? 'grantExceedsOwn' : 'grantOutlastsOwn',
      'An application that uses the API of Tenantry can do whatever its user may: this needs every permission there is, without an end',
    )
  }
}

/** Fields that an audit record omits: they never change, change with every change, or have records of their own. */
const unrecorded = new Set(['id', 'secrets', 'created_at', 'updated_at'])

const recordedFields = (application: Application) =>
  Object.fromEntries(Object.entries(application).filter(([field]) => !unrecorded.has(field)))

const distinct = <T>(list: T[]): T[] => [...new Set(list)]

/** Removes duplicates from lists, and converts tenant ids to the form of the database. */
const tidy = <Row extends store.NewApplication>(row: Row): Row => ({
  ...row,
  redirect_uris: distinct(row.redirect_uris),
  post_logout_redirect_uris: distinct(row.post_logout_redirect_uris),
  allowed_origins: distinct(row.allowed_origins),
  grant_types: distinct(row.grant_types),
  resource_ids: distinct(row.resource_ids),
  tenant_ids: row.tenant_ids && distinct(row.tenant_ids.map((id) => id.toLowerCase())),
})

const newApplication = (input: CreateApplication): store.NewApplication =>
  tidy({
    status: 1,
    is_third_party: false,
    post_logout_redirect_uris: [],
    backchannel_logout_uri: '',
    allowed_origins: [],
    grant_types: ['authorization_code'],
    resource_ids: [],
    require_mfa: false,
    session_seconds: sessionSecondsUsual,
    tenant_ids: null,
    required_permission: null,
    tenantry_api: false,
    logo: '',
    home_url: '',
    support_uri: '',
    ...input,
    client_id: createClientId(),
  })

/** Adds a secret to an application that the caller may change. */
export const addSecret = (
  ctx: AuthorityCtx,
  applicationId: number,
  expiresAt: Date | undefined,
): CreatedSecret => {
  const id = randomUUID()
  const { secret, hash } = createSecretText()
  store.insertSecret(ctx.db, applicationId, { id, hash, expiresAt }, ctx.parts.now())
  return { id, secret }
}

/** The tenants, resources and permissions of an application that do not exist. */
const findUnknown = async ({ db }: CallerlessCtx, row: store.NewApplication): Promise<Unknown> => {
  const [tenants, resources, codes] = await Promise.all([
    store.selectUnknownTenants(db, row.tenant_ids ?? []),
    findUnknownResources(db, row.resource_ids, row.is_third_party),
    row.required_permission === null ? [] : store.selectUnknownPermissions(db, row.required_permission),
  ])
  return { tenants, resources, permissions: codes }
}

/** Creates an application. If it has a server, only the answer shows its secret. */
export const createApplication = (ctx: Ctx, input: CreateApplication): Promise<CreatedApplication> => {
  const row = newApplication(input)
  requireSound(ctx.parts.config, row)
  return changingCatalogue(
    ctx,
    (ctx) => Promise.all([store.countManaged(ctx.db), findUnknown(ctx, row)]),
    async (ctx, [{ count }, unknown]) => {
      await requireMayManage(ctx, row)
      requireKnown(row, unknown)
      if (count >= applicationsMax) {
        throw new AppError(
          'applicationsFull',
          `An installation has at most ${applicationsMax} applications. Delete one first`,
        )
      }
      const added = await store.insertApplication(ctx.db, row, ctx.parts.now())
      const secret = row.kind === 'web' ? addSecret(ctx, added.id, undefined).secret : undefined
      record(ctx, {
        action: 'application.create',
        resourceId: added.id,
        detail: changesBetween({}, recordedFields(added)),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return { ...(await getApplication(ctx, added.id)), ...(secret && { secret }) }
    },
  )
}

/** Uses only the changeable fields: the body may also name a kind. */
const mergeUpdate = (before: Application, input: UpdateApplication): Application => {
  const { id, client_id, kind, is_third_party, secrets, created_at, updated_at } = before
  const kept = { id, client_id, kind, is_third_party, secrets, created_at, updated_at }
  return tidy({ ...before, ...input, ...kept })
}

/** Omits earlier tenants and the earlier permission, which may have been removed since. */
const withNewNames = (before: Application, after: Application): Application => ({
  ...after,
  required_permission:
    after.required_permission === before.required_permission ? null : after.required_permission,
  tenant_ids: after.tenant_ids?.filter((id) => !before.tenant_ids?.includes(id)) ?? null,
})

/**
 * Changes an application. Ends sessions that the application may no longer have: all if it is disabled, or those of a
 * tenant or resource.
 */
export const updateApplication = (ctx: Ctx, id: number, input: UpdateApplication): Promise<Application> => {
  if (Object.keys(input).length === 0) {
    return inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => getApplication(ctx, id))
  }
  return changingCatalogue(
    ctx,
    (ctx) => getApplication(ctx, id),
    async (ctx, before) => {
      const after = mergeUpdate(before, input)
      requireSound(ctx.parts.config, after)
      await requireMayManage(ctx, before, after)
      requireKnown(after, await findUnknown(ctx, withNewNames(before, after)))
      const detail = changesBetween(recordedFields(before), recordedFields(after))
      if (Object.keys(detail).length === 0) return before
      const updated = await store.updateApplication(ctx.db, after, ctx.parts.now())
      endLostSessions(ctx, before, after)
      record(ctx, {
        action: 'application.update',
        resourceId: id,
        detail: { ...naming({ name: before.name }), ...detail },
      })
      ctx.changes.push({ kind: 'catalogue' })
      return updated
    },
  )
}

const endLostSessions = (ctx: AuthorityCtx, before: Application, after: Application): void => {
  const { id, status, tenant_ids: tenantIds, resource_ids: resourceIds } = after
  if (status === 0) return endSessionsOfApplication(ctx, id)
  if (tenantIds) endSessionsBeyondTenants(ctx, id, tenantIds)
  const isNarrower = before.resource_ids.some((one) => !resourceIds.includes(one))
  if (isNarrower) endSessionsBeyondResources(ctx, id, resourceIds)
}

/** Deletes an application with its secrets and consents, and ends its sessions. */
export const deleteApplication = (ctx: Ctx, id: number): Promise<null> =>
  changingCatalogue(
    ctx,
    (ctx) => getApplication(ctx, id),
    async (ctx, application) => {
      await requireMayManage(ctx, application)
      endSessionsOfApplication(ctx, id)
      store.deleteApplicationRow(ctx.db, id)
      const { created_at } = application
      record(ctx, {
        action: 'application.delete',
        resourceId: id,
        detail: changesBetween({ ...recordedFields(application), created_at }, {}),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return null
    },
  )
