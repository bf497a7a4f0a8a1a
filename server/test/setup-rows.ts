/** Setup links and guests as rows, for tests that look at every table and at every endpoint. */
import { randomBytes, randomUUID } from 'node:crypto'
import sql from 'sql-template-tag'
import { sha256 } from '../src/crypto/sha256.ts'
import { guestStart, newTenantToken } from '../src/crypto/tenant-tokens.ts'
import { unique, type Tenant } from './factories.ts'
import { clock, parts } from './harness.ts'

export interface SetupRows {
  linkId: string
  /** The token of the link. */
  token: string
  guestToken: string
  /** A living code for the link, as if it had been mailed. */
  challenge: string
  code: string
}

/** A link for a connection as if it had been mailed, and a guest who has entered by it. */
export const insertSetup = async (
  { id: tenantId, admin }: Pick<Tenant, 'id' | 'admin'>,
  connectionId?: string,
): Promise<SetupRows> => {
  const rows = {
    linkId: randomUUID(),
    token: newTenantToken(tenantId),
    guest: newTenantToken(tenantId),
    challenge: randomBytes(32).toString('base64url'),
    code: '492039',
  }
  const email = `${unique('it')}@example.com`
  const later = new Date(clock.now().getTime() + 3_600_000)
  await parts.store.transaction({ tenantId }, async (db) => {
    await db.run(sql`
      insert into setup_links (tenant_id, id, email, token_hash, parts, connection_id, may_activate, maker_tenant_id, created_by,
        created_at, expires_at)
      values (${tenantId}, ${rows.linkId}, ${email}, ${sha256(rows.token)}, '{domains,connection,directory}',
        ${connectionId ?? null}, false, ${tenantId}, ${admin.userId}, ${clock.now()}, ${later})`)
    await db.run(sql`
      insert into setup_guests (tenant_id, token_hash, link_id, expires_at)
      values (${tenantId}, ${sha256(rows.guest)}, ${rows.linkId}, ${later})`)
    const hash = sha256(rows.challenge)
    await db.run(sql`
      insert into email_codes (challenge_hash, code_mac, email_folded, setup_link_id, expires_at)
      values (${hash}, ${parts.secrets.mac(rows.code, `email_codes ${hash.toString('hex')}`)}, ${email}, ${rows.linkId}, ${later})`)
  })
  return { ...rows, guestToken: `${guestStart}${rows.guest}` }
}
