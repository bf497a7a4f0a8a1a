/** The effects of the settings that Tenantry itself reads, within the transaction that writes them. */
import { requireMfa } from '../../../access/policies.ts'
import {
  lockCatalogue,
  lockTenantAgainstRemoval,
  lockTenantAuthority,
} from '../../../access/tenancy.store.ts'
import { factorSetting, ssoSetting, unregisteredSetting } from '../../../access/tenant-settings.sql.ts'
import type { TransactionCtx } from '../../../context.ts'
import { settleInstallation, settleTenant } from '../../federation/applications/unregistered.service.ts'
import { settleRequired } from '../../federation/sso/required.service.ts'
import type { SettingPlace } from './setting-places.sql.ts'

/** Sessions of applications open behind the lock of the catalogue: none opens while its setting changes. */
const locks = new Map([
  [unregisteredSetting, lockCatalogue],
  [ssoSetting, lockTenantAuthority],
])

/** The lock behind which a setting is written. */
export const lockFor = ({ key }: SettingPlace) => locks.get(key) ?? lockTenantAgainstRemoval

type Settle = (ctx: TransactionCtx, place: SettingPlace) => Promise<void>

/** Every replica forgets the callers of the tenant, who may be restricted from now on. Throws 403 without a second factor. */
const settleFactor: Settle = async (ctx, { tenantId }) => {
  if (tenantId === undefined) return
  requireMfa(ctx.actor)
  ctx.changes.push({ kind: 'tenant', tenantId })
}

/** Ends the sessions that the setting allows no more. */
const settleUnregistered: Settle = (ctx, { tenantId }) =>
  tenantId === undefined ? settleInstallation(ctx) : settleTenant(ctx)

const settleSso: Settle = async (ctx, { tenantId }) => {
  if (tenantId !== undefined) await settleRequired(ctx)
}

const effects = new Map([
  [factorSetting, settleFactor],
  [unregisteredSetting, settleUnregistered],
  [ssoSetting, settleSso],
])

/** Settles what has changed with a setting. Throws where the caller may not change it. */
export const settleBuiltIn: Settle = async (ctx, place) => effects.get(place.key)?.(ctx, place)
