import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuthorityCtx } from '../../../access/authority.ts'
import { guestShut } from '../../../access/policies.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { secretsOff } from '../../../crypto/secrets.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import {
  changedMappings,
  readableMappings,
  shownMappings,
} from '../../configuration/attributes/filling.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { endSessionsOfConnection } from '../../accounts/sessions/connection-ends.service.ts'
import type {
  Connection,
  ConnectionQuery,
  CreateConnection,
  UpdateConnection,
} from './connections.schemas.ts'
import { effectOfMapping } from './mapping-effects.service.ts'
import { keepDirectory } from './directory.service.ts'
import {
  isAnother,
  lookAtAfter,
  lookAtOf,
  mergedConfig,
  newConfig,
  recordedConfig,
  shownConfig,
  warnAtAfter,
  warnAtOf,
  withMetadata,
} from './connection-config.service.ts'
import { requireReferences, type ConnectionReferences } from './connection-references.service.ts'
import * as store from './connections.store.ts'
import { foldedDomain } from './domain-names.ts'
import {
  forgetConnection,
  isGuestConnection,
  keepActivation,
  keepGuestConnection,
  requireGuestCreates,
  requireGuestActivates,
  requireGuestDeletes,
  requireGuestFields,
  requireGuestMaps,
  requireGuestWrites,
} from './guests.service.ts'
import { keepFirstSecret, keepSecret } from './connection-secrets.service.ts'
import { notifyManagers, notifyOfConnection } from './managers.service.ts'
import { changingSignIn } from './rank.service.ts'

/** docs/contract.md, "Enterprise sign-in". */
const connectionsMax = 5
const testedMs = 24 * 3_600_000

const connectionUnknown = () =>
  new AppError('connectionUnknown', 'The connection does not exist in this tenant')

const shown = async (
  ctx: Ctx,
  { config, directory_error, directory_error_at, ...row }: store.ConnectionRow,
  { include }: ConnectionQuery = {},
): Promise<Connection> => ({
  ...row,
  ...shownConfig(config),
  attributes: await shownMappings(ctx, row.attributes),
  callback_url: `${ctx.parts.config.publicUrl}/sso/${row.type}/${row.id}/${row.type === 'saml' ? 'acs' : 'callback'}`,
  ...(include === 'directory' && { directory_error, directory_error_at }),
})

/** The connections of the tenant in scope, oldest first. Guests see only their own. */
export const listConnections = async (ctx: Ctx): Promise<Connection[]> => {
  const rows = await store.selectConnections(ctx.db, ctx.tenantId)
  const visible = rows.filter(({ id }) => isGuestConnection(ctx.actor, id))
  return Promise.all(visible.map((row) => shown(ctx, row)))
}

const findConnection = async ({ db, tenantId, actor }: Ctx, id: string): Promise<store.ConnectionRow> => {
  if (!isGuestConnection(actor, id)) throw guestShut()
  const row = await store.selectConnection(db, tenantId, id)
  if (!row) throw connectionUnknown()
  return row
}

export const getConnection = async (ctx: Ctx, id: string, query: ConnectionQuery = {}): Promise<Connection> =>
  shown(ctx, await findConnection(ctx, id), query)

const fieldsOf = (
  input: CreateConnection,
  config: store.ConnectionFields['config'],
  now: Date,
): store.ConnectionFields => ({
  name: input.name,
  status: 'draft',
  config,
  warn_at: warnAtOf(config),
  look_at: lookAtOf(config, now),
  found_metadata: null,
  jit: input.jit ?? true,
  default_role_ids: input.default_role_ids ?? [],
  trust_mfa: input.trust_mfa ?? false,
  attributes: input.attributes ?? [],
  session_seconds: input.session_seconds ?? 86_400,
  application_id: input.application_id ?? null,
})

/** Stores the parts of a connection that have their own tables. */
const keepParts = async (
  ctx: TransactionCtx,
  id: string,
  { domains, group_mappings: mappings }: ConnectionReferences,
) => {
  if (mappings) store.replaceMappings(ctx.db, ctx.tenantId, id, mappings)
  if (!domains) return
  const names = [...new Set(domains.map(foldedDomain))]
  if ((await store.updateDomainsOf(ctx.db, ctx.tenantId, id, names)) < names.length) {
    throw invalid('domains', 'must be domains of this tenant that lead to no other connection')
  }
}

/** The fields that audit records show. Administrators read them. */
const recorded = async (ctx: TransactionCtx, row: store.ConnectionRow) => {
  const { config, name, status, domains, jit, default_role_ids, group_mappings } = row
  const attributes = await readableMappings(ctx, row.attributes, 'administrator')
  const { trust_mfa, session_seconds, application_id, scim_account_id } = row
  const own = { name, status, domains, jit, default_role_ids, group_mappings, trust_mfa, session_seconds }
  return { ...own, attributes, application_id, scim_account_id, ...recordedConfig(config) }
}

/** Creates a draft. Throws 400 if an OpenID Connect provider does not answer with metadata of its own. */
export const createConnection = async (ctx: Ctx, input: CreateConnection): Promise<Connection> => {
  const { secrets, now } = ctx.parts
  if (!secrets.isOn) throw secretsOff()
  requireGuestFields(ctx.actor, input)
  await changingSignIn(ctx, requireRoom)
  const described = input.type === 'saml' ? await withMetadata(ctx, input) : input
  const { config, secret } = newConfig(ctx, described)
  const text = await secret()
  return changingSignIn(ctx, async (ctx) => {
    await requireRoom(ctx)
    await requireReferences(ctx, input)
    await changedMappings(ctx, [], input.attributes)
    const id = input.id?.toLowerCase() ?? randomUUID()
    const there = keepGuestConnection(ctx, id)
    await keepFirstSecret(ctx, id, text)
    const row = await withinLimit(ctx, 'connections', async () => {
      const fields = fieldsOf(input, config, now())
      store.insertConnection(ctx.db, ctx.tenantId, { ...fields, id, type: input.type, now: now() })
      await keepParts(ctx, id, input)
      await keepDirectory(ctx, id, null, input)
      return findConnection(there, id)
    })
    const detail = changesBetween({}, await recorded(ctx, row))
    const effect = await effectOfMapping(ctx, { before: undefined, after: row })
    record(ctx, { action: 'connection.create', resourceId: id, detail, effect })
    await notifyOfConnection(ctx, 'connectionAdded', row)
    return shown(ctx, row)
  })
}

const requireRoom = async (ctx: AuthorityCtx): Promise<void> => {
  requireGuestCreates(ctx.actor)
  if ((await store.selectConnections(ctx.db, ctx.tenantId)).length >= connectionsMax) {
    throw new AppError(
      'connectionsFull',
      `A tenant has at most ${connectionsMax} connections. Delete one first`,
    )
  }
}

/** The connection after the change of the given fields. */
const merged = (ctx: Ctx, before: store.ConnectionRow, input: UpdateConnection): store.ConnectionFields => {
  const config = mergedConfig(ctx, before, input)
  const pick = <Key extends keyof UpdateConnection & keyof store.ConnectionFields>(key: Key) =>
    input[key] ?? before[key]
  return {
    name: pick('name'),
    status: pick('status'),
    jit: pick('jit'),
    default_role_ids: pick('default_role_ids'),
    trust_mfa: pick('trust_mfa'),
    attributes: pick('attributes'),
    session_seconds: pick('session_seconds'),
    application_id: input.application_id === undefined ? before.application_id : input.application_id,
    config,
    warn_at: warnAtAfter(before, config),
    look_at: lookAtAfter(before, config, ctx.parts.now()),
    found_metadata: null,
  }
}

const isTested = ({ tested_at: at }: store.ConnectionRow, now: Date): boolean =>
  at !== null && now.getTime() - at.getTime() <= testedMs

/** Throws 400 for a connection that becomes active without a test of its present fields. */
const requireTested = (
  ctx: Ctx,
  before: store.ConnectionRow,
  { status, isOther }: Pick<UpdateConnection, 'status'> & { isOther: boolean },
): void => {
  if (status !== 'active' || before.status === 'active') return
  if (!isOther && isTested(before, ctx.parts.now())) return
  throw new AppError('connectionUntested', 'Test the connection first: POST /connections/{id}/test')
}

const isSameSet = (some: unknown[], others: unknown[]): boolean =>
  isDeepStrictEqual(new Set(some), new Set(others))

/** Whether a change only repeats stored values. A secret always counts as changed, so that no caller can guess it. */
const isUnchanged = (
  before: store.ConnectionRow,
  fields: store.ConnectionFields,
  input: UpdateConnection,
) => {
  const { client_secret: secret, domains = before.domains, group_mappings: mappings } = input
  const { scim_account_id: directory = before.scim_account_id } = input
  return (
    secret === undefined &&
    directory === before.scim_account_id &&
    isSameSet(domains.map(foldedDomain), before.domains) &&
    isSameSet(mappings ?? before.group_mappings, before.group_mappings) &&
    isDeepStrictEqual({ ...before, ...fields }, before)
  )
}

/**
 * Adds the metadata from a change's `metadata_url`. Checks the permission first: otherwise any caller could make the
 * service send requests.
 */
const described = async (ctx: Ctx, id: string, input: UpdateConnection): Promise<UpdateConnection> => {
  if (!input.metadata_url) return input
  const { type } = await changingSignIn(ctx, async (ctx) => {
    const row = await findConnection(ctx, id)
    requireGuestWrites(ctx.actor, row.status)
    return row
  })
  return type === 'saml' ? withMetadata(ctx, input) : input
}

/** Changes a connection. Disabling it ends its sessions, but keeps its links. */
export const updateConnection = async (ctx: Ctx, id: string, sent: UpdateConnection): Promise<Connection> => {
  const input = await described(ctx, id, sent)
  return changingSignIn(ctx, async (ctx) => {
    const before = await findConnection(ctx, id)
    requireGuestWrites(ctx.actor, before.status)
    requireGuestFields(ctx.actor, input)
    requireGuestMaps(ctx.actor, before, input)
    const attributes = await changedMappings(ctx, before.attributes, input.attributes)
    const fields = merged(ctx, before, { ...input, attributes })
    if (isUnchanged(before, fields, input)) return shown(ctx, before)
    const isOther = isAnother(before.config, fields.config) || input.client_secret !== undefined
    requireTested(ctx, before, { ...input, isOther })
    await requireReferences(ctx, input)
    const { now } = ctx.parts
    await keepingWayIn(ctx, async () =>
      store.updateConnection(ctx.db, ctx.tenantId, { ...fields, id, now: now() }),
    )
    keepSecret(ctx, id, input)
    if (isOther) store.updateUntested(ctx.db, ctx.tenantId, id)
    if (input.status === 'disabled') await endSessionsOfConnection(ctx, id)
    await keepParts(ctx, id, input)
    await keepDirectory(ctx, id, before.scim_account_id, input)
    const row = await findConnection(ctx, id)
    const detail = changesBetween(await recorded(ctx, before), await recorded(ctx, row))
    const action = isActivation(before, row) ? 'connection.activate' : 'connection.update'
    if (isActivation(before, row)) {
      requireGuestActivates(ctx.actor, row)
      await keepActivation(ctx, id)
    }
    const effect = await effectOfMapping(ctx, { before, after: row, isOther })
    record(ctx, { action, resourceId: id, detail: { ...naming({ name: row.name }), ...detail }, effect })
    await notifyOfConnection(ctx, 'connectionChanged', row)
    return shown(ctx, row)
  })
}

const isActivation = (before: store.ConnectionRow, row: store.ConnectionRow): boolean =>
  row.status === 'active' && before.status !== 'active'

/** Deletes a connection with its links, and ends its sessions. */
export const deleteConnection = (ctx: Ctx, id: string): Promise<null> =>
  changingSignIn(ctx, async (ctx) => {
    const { status } = await findConnection(ctx, id)
    requireGuestDeletes(ctx.actor, status)
    return removeConnection(ctx, id)
  })

/** Deletes a connection as `deleteConnection` does, and compares no ranks: a setup link that ends takes its draft along. */
export const removeConnection = async (ctx: AuthorityCtx, id: string): Promise<null> => {
  const row = await findConnection(ctx, id)
  await endSessionsOfConnection(ctx, id)
  await keepDirectory(ctx, id, row.scim_account_id, { scim_account_id: null })
  await store.updateDomainsOf(ctx.db, ctx.tenantId, id, [])
  store.deleteSecret(ctx.db, ctx.tenantId, id)
  await keepingWayIn(ctx, async () => store.deleteConnectionRow(ctx.db, ctx.tenantId, id))
  forgetConnection(ctx, id)
  const detail = changesBetween(await recorded(ctx, row), {})
  const effect = await effectOfMapping(ctx, { before: row, after: undefined })
  record(ctx, { action: 'connection.delete', resourceId: id, detail, effect })
  await notifyManagers(ctx, 'connectionDeleted', { connection: row.name })
  return null
}

/** Names another directory of a connection, or none. It compares no ranks, as above. */
export const replaceDirectory = async (
  ctx: AuthorityCtx,
  id: string,
  accountId: number | null,
): Promise<Connection> => {
  const before = await findConnection(ctx, id)
  requireGuestWrites(ctx.actor, before.status)
  await keepDirectory(ctx, id, before.scim_account_id, { scim_account_id: accountId })
  const row = await findConnection(ctx, id)
  const detail = changesBetween(await recorded(ctx, before), await recorded(ctx, row))
  record(ctx, {
    action: 'connection.update',
    resourceId: id,
    detail: { ...naming({ name: row.name }), ...detail },
  })
  await notifyOfConnection(ctx, 'connectionChanged', row)
  return shown(ctx, row)
}
