/** Products that take support sessions, for tests. */
import { createHash, randomBytes } from 'node:crypto'
import { newApplication } from './applications.ts'
import { ok, platformAdmin, unique, type Caller } from './factories.ts'
import { service } from './harness.ts'
import { openSupport, supported } from './support.ts'

const exchangeType = 'urn:ietf:params:oauth:grant-type:token-exchange'
const codeType = 'urn:tenantry:token-type:support-code'

export interface Application {
  id: number
  client_id: string
  secret: string
}

export const supportUri = 'https://shop.example.com/support?from=tenantry'

export const postToken = async ({ client_id: id, secret }: Application, fields: Record<string, string>) => {
  const answer = await fetch(`${service.url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
    body: new URLSearchParams({ grant_type: exchangeType, subject_token_type: codeType, ...fields }),
  })
  return { status: answer.status, body: (await answer.json()) as any }
}

const newPermission = async (): Promise<{ id: number; code: string }> => {
  const code = `${unique('m')}:read`
  return ok(await (await platformAdmin()).post('/rbac/permissions', { code, name: 'Read' }))
}

/** A support session as a user with a permission of the product, and a product that takes it. */
export const inProduct = async (fields: object = {}) => {
  const { tenant, user, admin, staff } = await supported('user:read')
  const permission = await newPermission()
  const other = await newPermission()
  const root = await platformAdmin()
  const role = ok(await tenant.admin.post('/rbac/roles', { name: unique('role') }))
  const permissionIds = { permission_ids: [permission.id, other.id] }
  ok(await root.put(`/rbac/roles/${role.id}/permissions`, permissionIds, { tenant: tenant.id }))
  const roleId = { role_id: role.id }
  ok(await root.post(`/rbac/users/${user.userId}/roles`, roleId, { tenant: tenant.id }))
  const application: Application = await newApplication({ support_uri: supportUri, ...fields })
  const { id, session } = await openSupport(staff, user)
  const verifier = randomBytes(32).toString('base64url')
  const code_challenge = createHash('sha256').update(verifier).digest('base64url')
  const open = (by: Caller = staff) =>
    by.post(`/support/sessions/${id}/code`, { application_id: application.client_id, code_challenge })
  const getCode = async (): Promise<string> =>
    new URL(ok(await open()).redirect_to).searchParams.get('code') ?? ''
  const exchange = (code: string, more: Record<string, string> = {}) =>
    postToken(application, { subject_token: code, code_verifier: verifier, ...more })
  return { tenant, user, admin, staff, permission, other, application, id, session, open, getCode, exchange }
}
