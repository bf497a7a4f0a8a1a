import { randomUUID } from 'node:crypto'
import { changingAuthority } from '../../../access/authority.ts'
import { selectPrincipal } from '../../../access/authority.store.ts'
import { builtInTenant, type PermissionCode } from '../../../access/permissions.ts'
import { lacking, policies, requireMay } from '../../../access/policies.ts'
import { inTransaction, type Ctx, type Parts, type TransactionCtx } from '../../../context.ts'
import { AppError, invalid } from '../../../errors/app-error.ts'
import { pageOf, sliceOf, type CountedPage } from '../../../http/schemas.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { allTenants, findEnd, type Tenants } from '../../audit/audit/sealed-log.service.ts'
import { withinLimit } from '../../configuration/limits/limits.service.ts'
import { unknownPattern } from './patterns.ts'
import { selectOpenDeliveries } from './deliveries.store.ts'
import { newSecret } from './signing.ts'
import { countEvents } from './waiting.service.ts'
import type {
  CreatedWebhook,
  CreateWebhook,
  Delivery,
  DeliveryQuery,
  RotateWebhookSecret,
  UpdateWebhook,
  Webhook,
  WebhookQuery,
  WebhookSecret,
} from './webhooks.schemas.ts'
import * as store from './webhooks.store.ts'

/** docs/contract.md, "Limits". */
const hooksMax = 20
const deliveriesMax = 10_000
const hourMs = 3_600_000

export type Hook = store.HookRow

/** The tenants whose records a hook receives. */
export const tenantsOf = (hook: Pick<Hook, 'tenant_id' | 'all_tenants'>): Tenants =>
  hook.all_tenants ? allTenants : hook.tenant_id

export const originOf = (url: string): string => new URL(url).origin

/** The name of a webhook in a notice: never its path, which can be secret. */
export const noticedName = ({ description, url }: Pick<Hook, 'description' | 'url'>): string =>
  description === '' ? originOf(url) : `${description} (${originOf(url)})`

/** The row to which the encryption binds a secret. */
const bindingOf = (secretId: string): string => `webhook_secrets ${secretId}`

/** The valid secrets by hook, newest first. Omits secrets that no secret key decrypts. */
export const findSecrets = async (
  { store: database, secrets, now }: Pick<Parts, 'store' | 'secrets' | 'now'>,
  tenantId: string,
  hookIds: number[],
): Promise<Map<number, string[]>> => {
  const rows = await store.selectSecrets(database.scoped({ tenantId }), tenantId, hookIds, now())
  const found = new Map<number, string[]>()
  for (const { webhook_id: hookId, id, sealed } of rows) {
    try {
      found.set(hookId, [...(found.get(hookId) ?? []), secrets.open(sealed, bindingOf(id))])
    } catch {
      // The key is lost, or this replica lacks it. The hook then reports that it has no secret.
    }
  }
  return found
}

/** The permissions that the editor of a hook needs. */
const neededFor = (hook: Pick<Hook, 'all_tenants' | 'tenant_id' | 'editor_tenant_id'>): PermissionCode[] => {
  const reachesOut = hook.all_tenants || hook.tenant_id !== hook.editor_tenant_id
  return ['webhook:manage', 'audit:read', ...(reachesOut ? (['tenant:enter'] as const) : [])]
}

/** The reason why the last editor cannot have the hook now; "" if there is none. */
const objectionToEditor = async ({ store: database }: Pick<Parts, 'store'>, hook: Hook): Promise<string> => {
  const { editor_tenant_id: tenantId, editor_id: id } = hook
  const holder = await selectPrincipal(database.scoped({ tenantId }), tenantId, id)
  if (!holder) return `Its last editor, ${id}, is gone: another one has to save it`
  if (holder.status !== 1 || holder.tenant_status !== 1) return `Its last editor, ${id}, is disabled`
  const missing = lacking({ permissions: new Set(holder.codes) }, neededFor(hook))
  return missing.length === 0 ? '' : `Its last editor, ${id}, lacks ${missing.join(', ')}`
}

/** The reason why a hook sends nothing now; "" if it sends. */
export const obstacleOf = async (
  parts: Pick<Parts, 'store'>,
  hook: Hook,
  secrets: string[] | undefined,
): Promise<string> => {
  if (hook.status !== 1) return hook.disabled_reason || 'It was disabled by hand'
  if (!hook.is_verified) return 'Its URL has not answered a test yet'
  if (!secrets?.length) return 'Its secret is lost: make another one'
  return objectionToEditor(parts, hook)
}

type ShownHook = Webhook & Pick<Hook, 'test_error'>

const asShown = async (ctx: Ctx, hooks: Hook[]): Promise<ShownHook[]> => {
  const ids = hooks.map(({ id }) => id)
  const secrets = await findSecrets(ctx.parts, ctx.tenantId, ids)
  return Promise.all(
    hooks.map(async (hook) => ({
      ...hook,
      disabled_reason: await obstacleOf(ctx.parts, hook, secrets.get(hook.id)),
      backlog: await countEvents(ctx.parts, hook, hook),
    })),
  )
}

const showOne = async (ctx: Ctx, hook: Hook): Promise<ShownHook> => {
  const [shown] = await asShown(ctx, [hook])
  if (!shown) throw new Error('a hook was not shown')
  return shown
}

const hookUnknown = () => new AppError('webhookUnknown', 'The webhook does not exist in this tenant')

export const getHook = async ({ db, tenantId }: Ctx, id: number): Promise<Hook> => {
  const hook = await store.selectHook(db, tenantId, id)
  if (!hook) throw hookUnknown()
  return hook
}

/** Locks a hook. Throws 404 for an unknown hook, and 403 unless the caller may set it up. */
export const lockHook = async (ctx: TransactionCtx, id: number): Promise<Hook> => {
  const hook = await store.selectHookForUpdate(ctx.db, ctx.tenantId, id)
  if (!hook) throw hookUnknown()
  requireSetUp(ctx, hook.all_tenants)
  return hook
}

/**
 * Throws 403 without `audit:read`: a hook exposes audit records, so the `webhook:manage` of the routes is not enough.
 */
export const requireSetUp = ({ actor }: Ctx, isForAll: boolean): void => {
  requireMay(actor, policies.receiveRecords, undefined)
  if (isForAll) requireMay(actor, policies.receiveAllTenants, undefined)
}

export const listWebhooks = async (ctx: Ctx, { include }: WebhookQuery): Promise<Webhook[]> => {
  const shown = await asShown(ctx, await store.selectHooks(ctx.db, ctx.tenantId))
  return include === 'health' ? withHealth(ctx, shown) : shown
}

const withHealth = async ({ db, tenantId }: Ctx, hooks: ShownHook[]): Promise<Webhook[]> => {
  const ids = hooks.map(({ id }) => id)
  const open = new Map(
    (await selectOpenDeliveries(db, tenantId, ids)).map((one) => [one.webhook_id, one] as const),
  )
  return hooks.map((hook) => {
    const { created_at = '', error = hook.test_error } = open.get(hook.id) ?? {}
    return { ...hook, failing_since: created_at, last_error: error }
  })
}

export const getWebhook = async (ctx: Ctx, id: number, { include }: WebhookQuery): Promise<Webhook> => {
  const shown = await showOne(ctx, await getHook(ctx, id))
  const [healthy = shown] = include === 'health' ? await withHealth(ctx, [shown]) : []
  return healthy
}

/** Throws 400 for a URL that cannot receive events. */
const requireUrl = ({ parts: { config } }: Ctx, text: string): void => {
  const schemes = config.isProduction ? ['https:'] : ['https:', 'http:']
  const url = URL.parse(text)
  if (!url || !schemes.includes(url.protocol)) throw invalid('url', 'must be an address with https')
  if (`${url.username}${url.password}` !== '') throw invalid('url', 'must not contain user or password')
}

const requireEvents = (events: string[]): void => {
  const unknown = unknownPattern(events)
  if (unknown >= 0) throw invalid(`events.${unknown}`, 'names no action, such as user.create, user.* or *')
}

/** The fields that audit records show. A URL appears only as its origin, because its path can be a secret. */
const recorded = ({ url, events, description, status, all_tenants, editor_id }: Hook) => ({
  url: originOf(url),
  events,
  description,
  status,
  all_tenants,
  editor_id,
})

const addSecret = ({ db, parts: { secrets, now } }: TransactionCtx, hook: Hook): string => {
  const [id, secret] = [randomUUID(), newSecret()]
  store.insertSecret(db, hook, { id, sealed: secrets.seal(secret, bindingOf(id)), now: now() })
  return secret
}

/** Creates a webhook that begins at the end of the chain. Only the answer shows its secret. */
export const createWebhook = async (ctx: Ctx, input: CreateWebhook): Promise<CreatedWebhook> => {
  const { url, events, description = '', all_tenants: isForAll = false } = input
  requireUrl(ctx, url)
  requireEvents(events)
  if (isForAll && ctx.tenantId !== builtInTenant.id) {
    throw invalid('all_tenants', 'is only for webhooks of the built-in tenant')
  }
  const position = await findEnd(ctx.parts, isForAll ? allTenants : ctx.tenantId)
  const made = await changingAuthority(
    ctx,
    (ctx) => store.countHooks(ctx.db, ctx.tenantId),
    async (ctx, present) => {
      requireSetUp(ctx, isForAll)
      if ((present?.count ?? 0) >= hooksMax) {
        throw new AppError('webhooksFull', `A tenant has at most ${hooksMax} webhooks. Delete one first`)
      }
      const { actor, tenantId } = ctx
      const row = { tenant_id: tenantId, url, events, description, all_tenants: isForAll, position }
      const editor = { editor_tenant_id: actor.tenantId, editor_id: actor.userId }
      const hook = await withinLimit(ctx, 'webhooks', () =>
        store.insertHook(ctx.db, { ...row, ...editor }, ctx.parts.now()),
      )
      const secret = addSecret(ctx, hook)
      record(ctx, {
        action: 'webhook.create',
        resourceId: hook.id,
        detail: changesBetween({}, recorded(hook)),
      })
      return { hook, secret }
    },
  )
  return { ...(await showOne(ctx, made.hook)), secret: made.secret }
}

const edited = ({ actor }: Ctx, before: Hook, input: UpdateWebhook): Hook => {
  const { url, events, description, status } = { ...before, ...input }
  const editor = { editor_tenant_id: actor.tenantId, editor_id: actor.userId }
  return { ...before, url, events, description, status, ...editor, attempts: 0, disabled_reason: '' }
}

/** Changes a webhook; the caller becomes its editor. An enabled webhook continues at its old position. */
export const updateWebhook = async (ctx: Ctx, id: number, input: UpdateWebhook): Promise<Webhook> => {
  if (input.url !== undefined) requireUrl(ctx, input.url)
  if (input.events !== undefined) requireEvents(input.events)
  const hook = await inTransaction(ctx, async (ctx) => {
    const before = await lockHook(ctx, id)
    if (Object.keys(input).length === 0) return before
    const after = edited(ctx, before, input)
    const detail = changesBetween(recorded(before), recorded(after))
    if (Object.keys(detail).length === 0 && after.url === before.url) return before
    const changed = await store.updateHook(ctx.db, after, ctx.parts.now())
    if (!changed) throw hookUnknown()
    record(ctx, {
      action: 'webhook.update',
      resourceId: id,
      detail: { ...naming({ url: originOf(before.url) }), ...detail },
    })
    return changed
  })
  return showOne(ctx, hook)
}

/** Deletes a webhook with its deliveries. Waiting events are not sent. */
export const deleteWebhook = (ctx: Ctx, id: number): Promise<null> =>
  inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    store.deleteHookRow(ctx.db, ctx.tenantId, id)
    record(ctx, { action: 'webhook.delete', resourceId: id, detail: changesBetween(recorded(hook), {}) })
    return null
  })

/** Creates another secret. For some hours deliveries carry the signature of the old secret as well. */
export const rotateWebhookSecret = (
  ctx: Ctx,
  id: number,
  { keep_old_hours: hours = 24 }: RotateWebhookSecret,
): Promise<WebhookSecret> =>
  inTransaction(ctx, async (ctx) => {
    const hook = await lockHook(ctx, id)
    store.endSecrets(ctx.db, hook, new Date(ctx.parts.now().getTime() + hours * hourMs))
    const secret = addSecret(ctx, hook)
    record(ctx, {
      action: 'webhook.rotate_secret',
      resourceId: id,
      detail: { ...naming({ url: originOf(hook.url) }), keep_old_hours: { from: null, to: hours } },
    })
    return { secret }
  })

/** Deletes all secrets, after the loss of the secret key that encrypted them. */
export const forgetWebhookSecrets = ({ db }: TransactionCtx): void => store.deleteSecrets(db)

/** The deliveries of a webhook, newest first. */
export const listDeliveries = async (
  ctx: Ctx,
  id: number,
  query: DeliveryQuery,
): Promise<CountedPage<Delivery>> => {
  const hook = await getHook(ctx, id)
  const [items, counted] = await Promise.all([
    store.selectDeliveries(ctx.db, hook, query.status, sliceOf(query)),
    store.countDeliveries(ctx.db, hook, query.status, deliveriesMax),
  ])
  return pageOf(items, Math.min(counted?.count ?? 0, deliveriesMax), query.page, false)
}
