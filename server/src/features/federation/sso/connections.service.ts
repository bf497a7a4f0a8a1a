import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import type { AuthorityCtx } from '../../../access/authority.ts'
import { platformAdminId } from '../../../access/permissions.ts'
import { keepingWayIn } from '../../../access/ways-in.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { secretsOff } from '../../../crypto/secrets.ts'
import { AppError, errorCodes, invalid } from '../../../errors/app-error.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { findClientById } from '../applications/clients.service.ts'
import { endSessionsOfConnection } from '../../accounts/sessions/connection-ends.service.ts'
import { findPermissions, getRole } from '../../accounts/roles/roles.service.ts'
import type { Connection, CreateConnection, UpdateConnection } from './connections.schemas.ts'
import { keepDirectory } from './directory.service.ts'
import {
  bindingOf,
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
import * as store from './connections.store.ts'
import { foldedDomain } from './domain-names.ts'
import { notifyManagers } from './managers.service.ts'
import { changingSignIn } from './rank.service.ts'

/** docs/contract.md, "Enterprise sign-in". */
const connectionsMax = 5
const testedMs = 24 * 3_600_000

const connectionUnknown = () =>
  new AppError('connectionUnknown', 'The connection does not exist in this tenant')

const shown = ({ parts }: Pick<Ctx, 'parts'>, { config, ...row }: store.ConnectionRow): Connection => ({
  ...row,
  ...shownConfig(config),
  callback_url: `${parts.config.publicUrl}/sso/${row.type}/${row.id}/${row.type === 'saml' ? 'acs' : 'callback'}`,
})

/** The connections of the tenant in scope, oldest first. */
export const listConnections = async (ctx: Ctx): Promise<Connection[]> =>
  (await store.selectConnections(ctx.db, ctx.tenantId)).map((row) => shown(ctx, row))

const findConnection = async ({ db, tenantId }: Ctx, id: string): Promise<store.ConnectionRow> => {
  const row = await store.selectConnection(db, tenantId, id)
  if (!row) throw connectionUnknown()
  return row
}

export const getConnection = async (ctx: Ctx, id: string): Promise<Connection> =>
  shown(ctx, await findConnection(ctx, id))

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
  session_seconds: input.session_seconds ?? 86_400,
  application_id: input.application_id ?? null,
})

type ConnectionReferences = Pick<
  UpdateConnection,
  'domains' | 'default_role_ids' | 'group_mappings' | 'application_id'
>

/** Throws 400 for an unknown role, and for a role with platform-only permissions. */
const requireRole = async (ctx: TransactionCtx, field: string, id: number): Promise<void> => {
  const role = await getRole(ctx, id).catch((err: unknown) => {
    throw err instanceof AppError && err.code === errorCodes.roleUnknown
      ? invalid(field, 'is no role of this tenant')
      : err
  })
  const permissions = await findPermissions(
    ctx,
    role.permissions.map((one) => one.id),
  )
  if (id === platformAdminId || permissions.some((one) => one.platform_only)) {
    throw invalid(field, 'carries permissions of the platform', 'platformOnlyPermission')
  }
}

const requireReferences = async (ctx: TransactionCtx, given: ConnectionReferences): Promise<void> => {
  const roles = [
    ...(given.default_role_ids ?? []).map((id, index) => [`default_role_ids.${index}`, id] as const),
    ...(given.group_mappings ?? []).map((one, index) => [`group_mappings.${index}`, one.role_id] as const),
  ]
  const seen = new Set<number>()
  for (const [field, id] of roles) {
    if (!seen.has(id)) await requireRole(ctx, field, id)
    seen.add(id)
  }
  const { application_id: applicationId } = given
  if (typeof applicationId === 'number' && !(await findClientById(ctx, applicationId))) {
    throw invalid('application_id', 'is no application')
  }
}

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

/** The fields that audit records show. */
const recorded = (row: store.ConnectionRow) => {
  const { config, name, status, domains, jit, default_role_ids, group_mappings } = row
  const { trust_mfa, session_seconds, application_id, scim_account_id } = row
  const own = { name, status, domains, jit, default_role_ids, group_mappings, trust_mfa, session_seconds }
  return { ...own, application_id, scim_account_id, ...recordedConfig(config) }
}

/** Creates a draft. Throws 400 if an OpenID Connect provider does not answer with metadata of its own. */
export const createConnection = async (ctx: Ctx, input: CreateConnection): Promise<Connection> => {
  const { secrets, now } = ctx.parts
  if (!secrets.isOn) throw secretsOff()
  await changingSignIn(ctx, requireRoom)
  const described = input.type === 'saml' ? await withMetadata(ctx, input) : input
  const { config, secret } = newConfig(ctx, described)
  const text = await secret()
  return changingSignIn(ctx, async (ctx) => {
    await requireRoom(ctx)
    await requireReferences(ctx, input)
    const id = randomUUID()
    store.insertSecret(ctx.db, ctx.tenantId, id, secrets.seal(text, bindingOf(id)))
    store.insertConnection(ctx.db, ctx.tenantId, {
      ...fieldsOf(input, config, now()),
      id,
      type: input.type,
      now: now(),
    })
    await keepParts(ctx, id, input)
    await keepDirectory(ctx, id, null, input)
    const row = await findConnection(ctx, id)
    record(ctx, { action: 'connection.create', resourceId: id, detail: changesBetween({}, recorded(row)) })
    await notifyManagers(ctx, 'connectionAdded', { connection: row.name })
    return shown(ctx, row)
  })
}

const requireRoom = async (ctx: AuthorityCtx): Promise<void> => {
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
  return {
    name: input.name ?? before.name,
    status: input.status ?? before.status,
    jit: input.jit ?? before.jit,
    default_role_ids: input.default_role_ids ?? before.default_role_ids,
    trust_mfa: input.trust_mfa ?? before.trust_mfa,
    session_seconds: input.session_seconds ?? before.session_seconds,
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
  const { type } = await changingSignIn(ctx, (ctx) => findConnection(ctx, id))
  return type === 'saml' ? withMetadata(ctx, input) : input
}

/** Changes a connection. Disabling it ends its sessions, but keeps its links. */
export const updateConnection = async (ctx: Ctx, id: string, sent: UpdateConnection): Promise<Connection> => {
  const input = await described(ctx, id, sent)
  return changingSignIn(ctx, async (ctx) => {
    const before = await findConnection(ctx, id)
    const fields = merged(ctx, before, input)
    if (isUnchanged(before, fields, input)) return shown(ctx, before)
    const isOther = isAnother(before.config, fields.config) || input.client_secret !== undefined
    requireTested(ctx, before, { ...input, isOther })
    await requireReferences(ctx, input)
    const { secrets, now } = ctx.parts
    await keepingWayIn(ctx, async () =>
      store.updateConnection(ctx.db, ctx.tenantId, { ...fields, id, now: now() }),
    )
    keepSecret(ctx, id, input, secrets.isOn)
    if (isOther) store.updateUntested(ctx.db, ctx.tenantId, id)
    if (input.status === 'disabled') await endSessionsOfConnection(ctx, id)
    await keepParts(ctx, id, input)
    await keepDirectory(ctx, id, before.scim_account_id, input)
    const row = await findConnection(ctx, id)
    const detail = changesBetween(recorded(before), recorded(row))
    const action = isActivation(before, row) ? 'connection.activate' : 'connection.update'
    record(ctx, { action, resourceId: id, detail: { ...naming({ name: row.name }), ...detail } })
    await notifyManagers(ctx, 'connectionChanged', { connection: row.name })
    return shown(ctx, row)
  })
}

const isActivation = (before: store.ConnectionRow, row: store.ConnectionRow): boolean =>
  row.status === 'active' && before.status !== 'active'

const keepSecret = (
  ctx: TransactionCtx,
  id: string,
  { client_secret: secret }: UpdateConnection,
  isOn: boolean,
): void => {
  if (secret === undefined) return
  if (!isOn) throw secretsOff()
  store.updateSecret(ctx.db, ctx.tenantId, id, ctx.parts.secrets.seal(secret, bindingOf(id)))
}

/** Deletes a connection with its links, and ends its sessions. */
export const deleteConnection = (ctx: Ctx, id: string): Promise<null> =>
  changingSignIn(ctx, async (ctx) => {
    const row = await findConnection(ctx, id)
    await endSessionsOfConnection(ctx, id)
    await keepDirectory(ctx, id, row.scim_account_id, { scim_account_id: null })
    await store.updateDomainsOf(ctx.db, ctx.tenantId, id, [])
    store.deleteSecret(ctx.db, ctx.tenantId, id)
    await keepingWayIn(ctx, async () => store.deleteConnectionRow(ctx.db, ctx.tenantId, id))
    record(ctx, { action: 'connection.delete', resourceId: id, detail: changesBetween(recorded(row), {}) })
    await notifyManagers(ctx, 'connectionDeleted', { connection: row.name })
    return null
  })
