/**
 * Refuses a change that a policy of the tenant makes depend on approvals. The records of the transaction name its
 * effects.
 */
import type { Db, TransactionDb } from '../db/client.ts'
import { AppError } from '../errors/app-error.ts'
import { cancelRequestsOf } from './approvals.store.ts'
import { selectCodesOfUser } from './authority.store.ts'
import type { Actor } from './actor.ts'
import {
  policyChange,
  type ApprovalPolicy,
  type Effect,
  type Gathering,
  type Operation,
} from './operations.ts'
import type { Allow, PermissionCode } from './permissions.ts'
import type { TenantRow } from './tenancy.store.ts'

/** The permissions whose gift needs approval while the tenant has any policy. */
const deciding: ReadonlySet<string> = new Set<PermissionCode>([
  'approval:decide',
  'approval:manage',
  'approval:break_glass',
])

/** The approvals that a change needs. */
export interface Demand {
  operations: Operation[]
  approvals: number
  break_glass: boolean
}

interface InTenant {
  db: Db
  tenantId: string
}

/** The end of a transaction. */
interface Judged extends InTenant {
  db: TransactionDb
  tenant: TenantRow
  effects: Effect[]
  gathering?: Gathering | undefined
  actor: Actor
  allow: Allow | undefined
}

/**
 * True for changes by a caller. Directories are exempt, and so are guests of setup links until they activate. So is
 * everything without a caller: sign-ins, registration, links, and the program's own work.
 */
const isGuarded = ({ actor, allow, effects }: Judged): boolean =>
  actor.credential !== undefined &&
  (actor.guest === undefined || effects.some(({ action }) => action === 'connection.activate')) &&
  allow !== undefined &&
  allow !== 'scim:provision'

/**
 * Throws 403 `approvalNeeded` if a policy asks for approvals of what the transaction did. Undefined if there is nothing
 * to wait for. A request that gathers its effects is judged at its end.
 */
export const requireNoApproval = (ctx: Judged): Promise<void> | undefined => {
  const { tenant, effects, gathering, tenantId } = ctx
  if (tenant.policies === null || effects.length === 0) return undefined
  endRequests(ctx)
  if (!isGuarded(ctx) || gathering?.tenantId === tenantId) return undefined
  return refuseDemand(ctx, tenant.policies)
}

const removals: ReadonlySet<string> = new Set([
  'user.delete',
  'service_account.delete',
  'auth.account_delete',
  'auth.leave',
])
const updates: ReadonlySet<string> = new Set(['user.update', 'service_account.update'])

/** True for the record of a requester who is disabled or removed. */
const isEnd = ({ action, detail }: Effect): boolean => {
  const { to } = (detail['status'] ?? {}) as { to?: unknown }
  return removals.has(action) || (updates.has(action) && to === 0)
}

/** Cancels the requests of those whom the transaction disables or removes. */
const endRequests = ({ db, tenantId, effects }: Judged): void => {
  const ended = effects.filter((effect) => effect.tenantId === tenantId && isEnd(effect))
  if (ended.length === 0) return
  cancelRequestsOf(
    db,
    tenantId,
    ended.map(({ resourceId }) => Number(resourceId)),
  )
}

const refuseDemand = async (ctx: Judged, policies: ApprovalPolicy[]): Promise<void> => {
  const demand = await findDemand(ctx, policies, ctx.effects)
  if (demand) throw approvalNeeded(demand)
}

export const approvalNeeded = (demand: Demand): AppError =>
  new AppError(
    'approvalNeeded',
    `This needs the approval of others (${demand.operations.join(', ')}). Ask by POST /approvals`,
    { data: demand },
  )

/** The approvals that the policies of the tenant in scope ask for these effects. Undefined: none. */
export const findDemand = async (
  ctx: InTenant,
  policies: ApprovalPolicy[],
  all: Effect[],
): Promise<Demand | undefined> => {
  if (policies.length === 0) return undefined
  const effects = all.filter(({ tenantId }) => tenantId === ctx.tenantId)
  const found = new Set<Operation>()
  const asking = new Set<ApprovalPolicy>()
  for (const effect of effects) {
    for (const operation of effect.operations) {
      const isForced = await concernsDeciders(ctx, operation, effect)
      const covering = isForced ? policies : policies.filter((one) => covers(one, operation, effect))
      if (covering.length > 0) found.add(operation)
      for (const one of covering) asking.add(one)
    }
  }
  if (asking.size === 0) return undefined
  const those = [...asking]
  return {
    operations: [...found].toSorted(),
    approvals: Math.max(...those.map(({ approvals }) => approvals)),
    break_glass: those.every((one) => one.break_glass),
  }
}

const covers = (policy: ApprovalPolicy, operation: Operation, { gives }: Effect): boolean => {
  if (policy.operation !== operation) return false
  const { permission_codes: codes } = policy
  if (operation !== 'authority.give' || codes.length === 0 || gives === undefined) return true
  return gives.some((code) => codes.includes(code))
}

/** True for a change that could make or replace somebody who decides: every policy of the tenant asks for it. */
const concernsDeciders = async (
  { db, tenantId }: InTenant,
  operation: Operation,
  { gives, aboutUserId, resourceId }: Effect,
): Promise<boolean> => {
  if (operation === policyChange) return true
  if (operation === 'authority.give') return gives === undefined || gives.some((code) => deciding.has(code))
  if (operation !== 'user.recover') return false
  const codes = await selectCodesOfUser(db, tenantId, aboutUserId ?? Number(resourceId))
  return codes.some(({ code }) => code === ('approval:decide' satisfies PermissionCode))
}
