/** Refuses changes that would leave the installation without an administrator, or a tenant without a sign-in method. */
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

/** The error of a change that would remove the last administrator or sign-in method of a kind. */
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

/** The kinds of which the tenant in scope must keep one. */
const kindsOf = ({ tenantId, tenant }: AuthorityCtx): (keyof WaysIn)[] => [
  ...(tenantId === builtInTenant.id ? (['platform_admins'] as const) : []),
  ...(tenant.is_sso_required ? (['connections', 'exempted', 'break_glass'] as const) : []),
]

/**
 * Runs `change`. Throws 400 if it removes the last administrator or sign-in method of a kind. Passes if there was none
 * before. Every such action calls this; ways-in.test.ts lists them.
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
 * Applies `keepingWayIn` to a change of an account, in every tenant where the account belongs to a break-glass user.
 * `change` uses no table of a tenant. Locks one tenant after another. PostgreSQL ends a deadlock, and the transaction
 * runs again.
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

/** True if a break-glass user of the tenant in scope has a second factor and could sign in. */
export const hasBreakGlassUser = async ({ db, tenantId }: CallerlessCtx): Promise<boolean> =>
  (await countWaysIn(db, tenantId)).break_glass > 0
