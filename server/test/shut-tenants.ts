/** Tenants that people reach only by a connection. */
import { bySso, insertActiveConnection } from './connection-rows.ts'
import { newTenant, ok, type Caller, type Tenant } from './factories.ts'
import { addTotp, type App } from './second-factors.ts'

export const ssoPath = '/settings/tenant/auth.sso'

export interface ReadyTenant extends Tenant {
  connection: string
  /** The administrator, who has come by the connection. */
  boss: Caller
  breakGlass: Caller
  /** The second factor of the break-glass user. */
  app: App
}

/** A tenant that can require its connection, and does not yet. */
export const newReadyTenant = async (): Promise<ReadyTenant> => {
  const tenant = await newTenant()
  const breakGlass = await tenant.member()
  const app = await addTotp(breakGlass)
  const connection = await insertActiveConnection(tenant)
  const boss = await bySso(tenant.admin, connection)
  ok(await boss.put(`/users/${breakGlass.userId}/sso-exemption`, { exempt: true }))
  return { ...tenant, connection, boss, breakGlass, app }
}

/** Requires the connection. */
export const shut = async ({ boss }: ReadyTenant): Promise<void> =>
  ok(await boss.put(ssoPath, { value: 'required' }))

export const newShutTenant = async (): Promise<ReadyTenant> => {
  const ready = await newReadyTenant()
  await shut(ready)
  return ready
}
