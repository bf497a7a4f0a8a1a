/** Resources belong to the installation. Their audit records are in the built-in tenant. */
import { changingCatalogue, type AuthorityCtx } from '../../../access/authority.ts'
import { builtInIdMax, builtInTenant } from '../../../access/permissions.ts'
import {
  inTenant,
  inTransaction,
  type CallerlessCtx,
  type Ctx,
  type TransactionCtx,
} from '../../../context.ts'
import { violatesUnique } from '../../../db/errors.ts'
import type { Db } from '../../../db/client.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage, type PageQuery } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { findPermissions, requireKnown } from '../../accounts/roles/roles.service.ts'
import {
  endSessionsOfResource,
  endUnregisteredSessionsOfResource,
} from '../../accounts/sessions/application-ends.service.ts'
import { foldIdentifier } from './addresses.ts'
import type { CreateResource, Resource, UpdateResource } from './resources.schemas.ts'
import * as store from './resources.store.ts'

/** docs/contract.md, "Applications". */
const resourcesMax = 200

const orIdentifierTaken = (err: unknown): never => {
  throw violatesUnique(err, 'resources_identifier_key')
    ? new AppError('resourceIdentifierTaken', 'A resource has this identifier')
    : err
}

/** The resources of the installation, by id. */
export const listResources = async ({ db }: Ctx, query: PageQuery): Promise<CountedPage<Resource>> => {
  const [items, { count }] = await Promise.all([
    store.selectResources(db, sliceOf(query)),
    store.countResources(db),
  ])
  return pageOf(items, count, query.page, false)
}

/** Throws 403 for the resource of assistants. */
const getOwnResource = async (ctx: CallerlessCtx, id: number): Promise<Resource> => {
  const resource = await getResource(ctx, id)
  if (!resource.is_built_in) return resource
  throw new AppError(
    'resourceBuiltIn',
    'The resource of assistants is neither changed nor deleted. TENANTRY_MCP=off turns assistants off',
  )
}

const getResource = async ({ db }: CallerlessCtx, id: number): Promise<Resource> => {
  const resource = await store.selectResource(db, id)
  if (!resource) throw new AppError('resourceUnknown', 'There is no resource with this id')
  return resource
}

/**
 * The ids, among these, of no resource that the application may name. Only third-party applications name that of
 * assistants, so that each of its sessions is narrowed and consented.
 */
export const findUnknownResources = (
  db: Db,
  ids: number[],
  isThirdParty: boolean,
): Promise<{ id: number }[]> => store.selectUnknownResources(db, ids, isThirdParty)

const identifierField = (message: string) => invalid('identifier', message)

const nameTaken = () => identifierField('must differ from every issuer, audience and client_id')

/** Whether a token for the service itself could be accepted as a token for the resource. */
const isOwnName = async ({ parts }: CallerlessCtx, identifier: string, folded: string): Promise<boolean> => {
  const { issuer, audience, publicUrl } = parts.config
  const own = [issuer, audience, publicUrl].map((name) => foldIdentifier(name) ?? name)
  if (own.includes(folded)) return true
  // Includes recent issuers, because their tokens are still valid.
  const texts = [identifier, folded, folded.replace(/\/$/, '')]
  const isIssuer = await Promise.all(texts.map((text) => parts.keys.isIssuer(text, parts.now())))
  return isIssuer.includes(true) || folded.startsWith('tenantry:')
}

const isBelowOauth = ({ parts }: CallerlessCtx, identifier: string): boolean => {
  const { origin, pathname } = new URL(identifier)
  return origin === new URL(parts.config.publicUrl).origin && /^\/oauth2(?:\/|$)/.test(pathname)
}

/** Throws 400 for an identifier that cannot be the `aud` of this resource only. Call it before the transaction. */
const requireIdentifier = async (ctx: CallerlessCtx, identifier: string): Promise<string> => {
  const folded = foldIdentifier(identifier)
  if (folded === undefined) throw identifierField('must be an absolute URI without fragment and user')
  if (isBelowOauth(ctx, identifier)) throw identifierField('must not lie below /oauth2 of this service')
  if (await isOwnName(ctx, identifier, folded)) throw nameTaken()
  return folded
}

/** Throws 400 for a client id: the resource could accept that client's tokens as its own. */
const requireNoClient = async ({ db }: CallerlessCtx, identifier: string, folded: string): Promise<void> => {
  if (await store.selectClientNamed(db, [identifier, folded])) throw nameTaken()
}

/** Throws 400 unless all ids belong to permissions of the product. */
const requirePermissions = async (ctx: CallerlessCtx, ids: number[]): Promise<number[]> => {
  const found = requireKnown(ids, await findPermissions(ctx, ids), true)
  const builtIn = found.find(({ id }) => id <= builtInIdMax)
  if (builtIn) throw invalid('permission_ids', `${builtIn.code} is built in, so it means something only here`)
  return found.map(({ id }) => id)
}

const shown = ({ identifier, name, permission_ids, allow_unregistered }: Resource) => ({
  identifier,
  name,
  permission_ids,
  allow_unregistered,
})

/** Creates a resource. Throws 409 for a taken identifier. */
export const createResource = async (ctx: Ctx, input: CreateResource): Promise<Resource> => {
  const { identifier, name, permission_ids: ids, allow_unregistered = false } = input
  const folded = await requireIdentifier(ctx, identifier)
  return changingCatalogue(
    ctx,
    (ctx) => store.countResources(ctx.db),
    async (ctx, { count }) => {
      await requireNoClient(ctx, identifier, folded)
      const permission_ids = await requirePermissions(ctx, ids)
      if (count >= resourcesMax) {
        throw new AppError(
          'resourcesFull',
          `An installation has at most ${resourcesMax} resources. Delete one first`,
        )
      }
      const row = { identifier, folded, name, permission_ids, allow_unregistered }
      const added = await store.insertResource(ctx.db, row, ctx.parts.now()).catch(orIdentifierTaken)
      record(ctx, {
        action: 'resource.create',
        resourceId: added.id,
        detail: changesBetween({}, shown(added)),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return added
    },
  )
}

/** Changes a resource. Another identifier makes it another resource, so its sessions and consents end. */
export const updateResource = async (ctx: Ctx, id: number, input: UpdateResource): Promise<Resource> => {
  if (Object.keys(input).length === 0) {
    return inTransaction(inTenant(ctx, builtInTenant.id), (ctx) => getResource(ctx, id))
  }
  if (input.identifier !== undefined) await requireIdentifier(ctx, input.identifier)
  return changingCatalogue(
    ctx,
    (ctx) => getOwnResource(ctx, id),
    async (ctx, before) => {
      const after = { ...before, ...input, id, created_at: before.created_at }
      if (input.permission_ids) after.permission_ids = await requirePermissions(ctx, input.permission_ids)
      const detail = changesBetween(shown(before), shown(after))
      if (Object.keys(detail).length === 0) return before
      const folded = foldIdentifier(after.identifier) ?? ''
      await requireNoClient(ctx, after.identifier, folded)
      const updated = await store.updateResource(ctx.db, id, { ...after, folded }).catch(orIdentifierTaken)
      endLostSessions(ctx, before, after)
      record(ctx, {
        action: 'resource.update',
        resourceId: id,
        detail: { ...naming({ name: before.name }), ...detail },
      })
      ctx.changes.push({ kind: 'catalogue' })
      return updated
    },
  )
}

const endLostSessions = (ctx: AuthorityCtx, before: Resource, after: Resource): void => {
  if (foldIdentifier(before.identifier) !== foldIdentifier(after.identifier)) return endUses(ctx, after.id)
  if (before.allow_unregistered && !after.allow_unregistered) endUnregisteredSessionsOfResource(ctx, after.id)
}

const endUses = (ctx: Pick<TransactionCtx, 'db'>, id: number): void => {
  endSessionsOfResource(ctx, id)
  store.deleteGrantRowsOfResource(ctx.db, id)
}

/**
 * Makes the resource of assistants, or gives it the present address, which ends its sessions and consents. Throws if
 * another resource has the address.
 */
export const keepAssistantsResource = async (ctx: Ctx, identifier: string): Promise<void> => {
  const folded = foldIdentifier(identifier) ?? identifier
  const row = { identifier, folded, name: 'Tenantry for assistants' }
  await ctx.parts.store
    .transaction({ tenantId: ctx.tenantId }, async (db) => {
      const found = await store.selectBuiltInResource(db)
      if (found?.identifier === identifier) return
      if (!found) return void (await store.insertBuiltInResource(db, row, ctx.parts.now()))
      endUses({ db }, found.id)
      await store.updateBuiltInIdentifier(db, identifier, folded)
    })
    .catch(orIdentifierTaken)
}

/** Deletes a resource, and ends its sessions and consents. */
export const deleteResource = (ctx: Ctx, id: number): Promise<null> =>
  changingCatalogue(
    ctx,
    (ctx) => getOwnResource(ctx, id),
    async (ctx, resource) => {
      endUses(ctx, id)
      store.deleteResourceRow(ctx.db, id)
      record(ctx, {
        action: 'resource.delete',
        resourceId: id,
        detail: changesBetween({ ...shown(resource), created_at: resource.created_at }, {}),
      })
      ctx.changes.push({ kind: 'catalogue' })
      return null
    },
  )
