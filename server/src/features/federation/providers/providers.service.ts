/** Providers belong to the installation. Their audit records are in the built-in tenant. */
import { randomUUID } from 'node:crypto'
import { isDeepStrictEqual } from 'node:util'
import {
  changingCatalogue,
  codesOfTenant,
  requireGivingTenant,
  type AuthorityCtx,
} from '../../../access/authority.ts'
import type { Ctx, TransactionCtx } from '../../../context.ts'
import { secretsOff } from '../../../crypto/secrets.ts'
import { violatesUnique } from '../../../db/errors.ts'
import { AppError } from '../../../errors/app-error.ts'
import { endUnreachingEverywhere } from '../../accounts/sessions/reach.service.ts'
import { changesBetween, naming, record } from '../../audit/audit/audit.service.ts'
import { requireGlobalWay } from '../../sign-in/ways/ways.service.ts'
import { notifyProviderManagers } from './managers.service.ts'
import { mergedConfig, newConfig, requireSecret } from './provider-config.ts'
import type { CreateProvider, Provider, UpdateProvider } from './providers.schemas.ts'
import * as store from './providers.store.ts'

/** docs/contract.md, "Providers". */
const providersMax = 20
const testedMs = 24 * 3_600_000

/** The row to which the encryption binds a secret. */
export const bindingOf = (id: string): string => `providers ${id}`

export const providerUnknown = () => new AppError('providerUnknown', 'The provider does not exist')

export const callbackOf = ({ parts }: Pick<Ctx, 'parts'>, slug: string): string =>
  `${parts.config.publicUrl}/sso/providers/${slug}/callback`

const shown = (ctx: Pick<Ctx, 'parts'>, { config, ...row }: store.ProviderRow): Provider => ({
  ...row,
  ...config,
  callback_url: callbackOf(ctx, row.slug),
})

/** All providers, oldest first. */
export const listProviders = async (ctx: Ctx): Promise<Provider[]> =>
  (await store.selectProviders(ctx.db)).map((row) => shown(ctx, row))

export const findProvider = async ({ db }: Pick<Ctx, 'db'>, id: string): Promise<store.ProviderRow> => {
  const row = await store.selectProvider(db, id)
  if (!row) throw providerUnknown()
  return row
}

export const getProvider = async (ctx: Ctx, id: string): Promise<Provider> =>
  shown(ctx, await findProvider(ctx, id))

/**
 * Runs a change of the providers. Throws 403 unless the caller holds every permission there is, because a provider can
 * bring any person who uses it.
 */
export const changingProviders = <T>(ctx: Ctx, change: (ctx: AuthorityCtx) => Promise<T>): Promise<T> =>
  changingCatalogue(ctx, codesOfTenant, async (ctx, codes) => {
    requireGivingTenant(ctx, codes)
    return change(ctx)
  })

const recorded = ({ name, slug, kind, status, allow_new, config }: store.ProviderRow) => ({
  name,
  slug,
  kind,
  status,
  allow_new,
  ...config,
})

const requireRoom = async ({ db }: TransactionCtx): Promise<void> => {
  if ((await store.selectProviders(db)).length < providersMax) return
  throw new AppError(
    'providersFull',
    `An installation has at most ${providersMax} providers. Delete one first`,
  )
}

const slugTaken = (err: unknown): never => {
  throw violatesUnique(err, 'providers_slug_key')
    ? new AppError('providerSlugTaken', 'Another provider has this slug')
    : err
}

/** Creates a draft, which signs nobody in. */
export const createProvider = (ctx: Ctx, input: CreateProvider): Promise<Provider> => {
  const { secrets, now, provider } = ctx.parts
  if (!secrets.isOn) throw secretsOff()
  return changingProviders(ctx, async (ctx) => {
    await requireRoom(ctx)
    const config = newConfig(input, provider.hasAllowedScheme)
    requireSecret(input.kind, input.client_secret)
    const { kind, slug, name, allow_new: allowNew = true } = input
    const id = randomUUID()
    const sealed = secrets.seal(input.client_secret, bindingOf(id))
    const fields = { id, slug, kind, name, status: 'draft', config, allow_new: allowNew } as const
    await store.insertProvider(ctx.db, { ...fields, sealed, now: now() }).catch(slugTaken)
    const row = await findProvider(ctx, id)
    record(ctx, { action: 'provider.create', resourceId: id, detail: changesBetween({}, recorded(row)) })
    await notifyProviderManagers(ctx, 'added', row)
    return shown(ctx, row)
  })
}

/** Throws 400 for a provider that becomes active without a test of its present fields. */
const requireTested = (
  before: store.ProviderRow,
  { status, isOther, now }: { status: store.ProviderFields['status']; isOther: boolean; now: Date },
): void => {
  if (status !== 'active' || before.status === 'active') return
  const { tested_at: at } = before
  if (!isOther && at !== null && now.getTime() - at.getTime() <= testedMs) return
  throw new AppError('providerUntested', 'Test the provider first: POST /providers/{id}/test')
}

const keepSecret = (ctx: TransactionCtx, { id, kind }: store.ProviderRow, secret: string | undefined) => {
  if (secret === undefined) return
  if (!ctx.parts.secrets.isOn) throw secretsOff()
  requireSecret(kind, secret)
  store.updateSecret(ctx.db, id, ctx.parts.secrets.seal(secret, bindingOf(id)))
}

/** Ends the sessions of a provider that is no longer active. Throws 400 for the last way that is open. */
const endWay = async (ctx: TransactionCtx, before: store.ProviderRow): Promise<void> => {
  if (before.status !== 'active') return
  await requireGlobalWay(ctx)
  await endUnreachingEverywhere(ctx)
}

const recordChange = (ctx: TransactionCtx, before: store.ProviderRow, row: store.ProviderRow): void => {
  const isActivation = row.status === 'active' && before.status !== 'active'
  record(ctx, {
    action: isActivation ? 'provider.activate' : 'provider.update',
    resourceId: row.id,
    detail: { ...naming({ name: row.name }), ...changesBetween(recorded(before), recorded(row)) },
  })
}

const merged = (before: store.ProviderRow, input: UpdateProvider): store.ProviderFields => ({
  name: input.name ?? before.name,
  status: input.status ?? before.status,
  allow_new: input.allow_new ?? before.allow_new,
  config: mergedConfig(before, input),
})

/** Changes a provider. Disabling it ends its sessions, but keeps its identities. */
export const updateProvider = (ctx: Ctx, id: string, input: UpdateProvider): Promise<Provider> =>
  changingProviders(ctx, async (ctx) => {
    const before = await findProvider(ctx, id)
    const now = ctx.parts.now()
    const fields = merged(before, input)
    const { client_secret: secret } = input
    if (secret === undefined && isDeepStrictEqual({ ...before, ...fields }, before)) return shown(ctx, before)
    const isOther = secret !== undefined || !isDeepStrictEqual(fields.config, before.config)
    requireTested(before, { status: fields.status, isOther, now })
    store.updateProvider(ctx.db, { ...fields, id, now })
    keepSecret(ctx, before, secret)
    if (isOther) store.updateUntested(ctx.db, id)
    if (fields.status !== 'active') await endWay(ctx, before)
    const row = await findProvider(ctx, id)
    recordChange(ctx, before, row)
    await notifyProviderManagers(ctx, 'changed', row)
    return shown(ctx, row)
  })

/** Deletes a provider with its identities, and ends its sessions. */
export const deleteProvider = (ctx: Ctx, id: string): Promise<null> =>
  changingProviders(ctx, async (ctx) => {
    const row = await findProvider(ctx, id)
    store.deleteProviderRow(ctx.db, id)
    await endWay(ctx, row)
    record(ctx, { action: 'provider.delete', resourceId: id, detail: changesBetween(recorded(row), {}) })
    await notifyProviderManagers(ctx, 'deleted', row)
    return null
  })
