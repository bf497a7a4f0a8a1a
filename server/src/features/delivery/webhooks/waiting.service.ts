/** The events that wait for webhooks: the records that match their patterns (decision 0124). */
import type { Parts } from '../../../context.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import { allTenants, countActions, countBetween, countFrom } from '../../audit/audit/sealed-log.service.ts'
import { actionsOf } from './patterns.ts'
import type { HookRow } from './webhooks.store.ts'

type HookSubscription = Pick<HookRow, 'tenant_id' | 'all_tenants' | 'events'>

/** Counts the events of a hook between two positions. Returns 0 if `to` is before `from`. */
export const countEvents = async (
  parts: Pick<Parts, 'store'>,
  { tenant_id: tenantId, all_tenants: isForAll, events }: HookSubscription,
  from: AuditPosition,
  to?: AuditPosition,
): Promise<number> => {
  const actions = isForAll ? undefined : actionsOf(events)
  if (actions) return countActions(parts, tenantId, { from, to, actions })
  const tenants = isForAll ? allTenants : tenantId
  return to ? countBetween(parts, tenants, from, to) : countFrom(parts, tenants, from)
}
