/** Applications, resources and consents, made through the API where there is a way. */
import sql from 'sql-template-tag'
import { inTenant, inTransaction } from '../src/context.ts'
import { findClientById } from '../src/features/federation/applications/clients.service.ts'
import { storeGrant } from '../src/features/federation/applications/grants.service.ts'
import { systemCtx } from '../src/start/parts.ts'
import { ok, platformAdmin, unique, type Caller } from './factories.ts'
import { parts } from './harness.ts'

export const redirectUri = 'https://shop.example.com/callback'

/** The fields of a new application that has all usual values. */
export const application = (fields: object = {}) => ({
  name: unique('App '),
  kind: 'web',
  redirect_uris: [redirectUri],
  ...fields,
})

/** A new application, of the installation's own unless the fields say otherwise. */
export const newApplication = async (fields: object = {}) =>
  ok(await (await platformAdmin()).post('/applications', application(fields)))

/** A new resource with a permission of the product. */
export const newResource = async (permissionId: number, fields: object = {}) => {
  const root = await platformAdmin()
  const identifier = `https://${unique('r')}.example.com/mcp`
  const body = { identifier, name: 'Any', permission_ids: [permissionId], ...fields }
  return ok(await root.post('/resources', body))
}

interface Consented {
  resourceId?: number
  host?: string
  scopes?: string[]
}

/** Keeps the consent of a user, as the page of the sign-in does; returns its id. */
export const consent = (
  user: Pick<Caller, 'userId' | 'username' | 'tenantId'>,
  { id: applicationId, name: applicationName }: { id: number; name: string },
  { resourceId = 0, host = 'shop.example.com', scopes = ['openid'] }: Consented = {},
): Promise<number> =>
  inTransaction(inTenant(systemCtx(parts, 'test'), user.tenantId), (ctx) =>
    storeGrant(ctx, { ...user, applicationId, applicationName, resourceId, host, scopes }),
  )

/** The application as endpoints of `/oauth2` see it. */
export const clientOf = (id: number) => findClientById(systemCtx(parts, 'test'), id)

interface OfSession {
  applicationId: number
  resourceId?: number
  grantId?: number
}

/** Makes the present session of a user one of an application. */
export const giveSession = async (
  { tenantId, userId }: Pick<Caller, 'tenantId' | 'userId'>,
  { applicationId, resourceId, grantId }: OfSession,
): Promise<void> => {
  await parts.store.scoped({ tenantId }).run(sql`
    update sessions
    set application_id = ${applicationId}, resource_id = ${resourceId ?? null}, grant_id = ${grantId ?? null}
    where tenant_id = ${tenantId} and user_id = ${userId}`)
}

/** The sessions whose logout tokens wait to be sent to an address. */
export const queuedLogouts = (uri: string) =>
  parts.store.scoped({}).many<{ client_id: string; tenant_id: string; user_id: number }>(sql`
    select client_id, session_tenant as tenant_id, user_id from logout_queue where uri = ${uri} order by user_id`)
