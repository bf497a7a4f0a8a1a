/**
 * Tokens that name their tenant. The first 16 bytes are the tenant's id, so the service looks a token up in that
 * tenant's scope. No role reads the tokens of all tenants. The other 32 bytes are random.
 */
import { randomBytes } from 'node:crypto'
import { sha256 } from './sha256.ts'

export const newTenantToken = (tenantId: string): string =>
  Buffer.concat([Buffer.from(tenantId.replaceAll('-', ''), 'hex'), randomBytes(32)]).toString('base64url')

/** The start of a token that a guest of a setup link sends as a credential. */
export const guestStart = 'tng_'

const pattern = /^[\w-]{64}$/

/** The tenant of a token. Undefined for any other text. Only the database knows whether the token exists. */
export const readTenantToken = (token: string): { tenantId: string; tokenHash: Buffer } | undefined => {
  if (!pattern.test(token)) return undefined
  const id = Buffer.from(token, 'base64url').subarray(0, 16).toString('hex')
  const tenantId = id.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
  return { tenantId, tokenHash: sha256(token) }
}
