/** The ways into the installation and its tenants, of which the last one stays. */
import { inTenantWithin, type CallerlessCtx, type TransactionCtx } from '../context.ts'
import { AppError } from '../errors/app-error.ts'
import { countWaysIn, selectExemptedTenants, type WaysIn } from './authority.store.ts'
import type { AuthorityCtx } from './authority.ts'
import { builtInTenant } from './permissions.ts'
import { lockTenantAuthority } from './tenancy.store.ts'

const lastBreakGlass = () =>
  new AppError(
    'lastWayIn',
    'This is the last break-glass user, and nothing but a connection leads into this organization. Name another one, ' +
      'who has a second factor, or set auth.sso to optional first',
  )

/** The error of a change that takes the last one of a kind. */
const faults: Record<keyof WaysIn, () => AppError> = {
  platform_admins: () =>
    new AppError(
      'lastPlatformAdmin',
      'This is the last platform administrator: assign the role platform-admin to another user first',
    ),
  connections: () =>
    new AppError(
      'lastWayIn',
      'This is the last active connection, and nothing else leads into this organization. Set auth.sso to optional first',
    ),
  exempted: lastBreakGlass,
  break_glass: lastBreakGlass,
}

/** The kinds that count in the tenant in scope. */
const kindsOf = ({ tenantId, tenant }: AuthorityCtx): (keyof WaysIn)[] => [
  ...(tenantId === builtInTenant.id ? (['platform_admins'] as const) : []),
  ...(tenant.is_sso_required ? (['connections', 'exempted', 'break_glass'] as const) : []),
]

/**
 * Makes a change that can take a way in, unless it takes the last one of its kind: 400. Where there was none before, it takes
 * nothing away. Every such act asks here; ways-in.test.ts has their table.
 */
export const keepingWayIn = async <T>(ctx: AuthorityCtx, change: () => Promise<T>): Promise<T> => {
  const kinds = kindsOf(ctx)
  if (kinds.length === 0) return change()
  const [before, result] = await Promise.all([countWaysIn(ctx.db, ctx.tenantId), change()])
  const after = await countWaysIn(ctx.db, ctx.tenantId)
  const taken = kinds.find((kind) => before[kind] > 0 && after[kind] === 0)
  if (taken) throw faults[taken]()
  return result
}

/**
 * Makes a change of an account under the same rule, in every tenant where it belongs to a break-glass user. `change` uses no
 * table of a tenant. Locks tenant after tenant; PostgreSQL ends a deadlock, and the transaction runs again.
 */
export const keepingWaysInOf = async (
  ctx: TransactionCtx,
  accountId: number,
  change: () => Promise<void>,
): Promise<void> => {
  const tenants = await selectExemptedTenants(ctx.db, accountId)
  await keepingEach(
    ctx,
    tenants.map(({ tenant_id: id }) => id),
    change,
  )
}

const keepingEach = async (
  ctx: TransactionCtx,
  [tenantId, ...others]: string[],
  change: () => Promise<void>,
): Promise<void> => {
  if (tenantId === undefined) return change()
  return inTenantWithin(ctx, tenantId, async (within) => {
    const tenant = await lockTenantAuthority(within.db, tenantId)
    const more = () => keepingEach(within, others, change)
    return tenant ? keepingWayIn({ ...within, tenant, isLocked: true }, more) : more()
  })
}

/** Whether a break-glass user of the tenant in scope could sign in now. */
export const hasBreakGlassUser = async ({ db, tenantId }: CallerlessCtx): Promise<boolean> =>
  (await countWaysIn(db, tenantId)).break_glass > 0
