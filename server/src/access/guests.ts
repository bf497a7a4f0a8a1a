/**
 * Guests of setup links: people without an account, who set up sign-in for a tenant (docs/contract.md, "Enterprise
 * sign-in").
 *
 * A guest reaches only routes that name a part in `config.guests` (`requireGuestServed` in policies.ts). Nothing about
 * a guest is cached: every request, and every transaction, reads link, tenant and maker again.
 */
import type { Store, TransactionDb } from '../db/client.ts'
import { endsOf, nobody, type Actor } from './actor.ts'
import { selectCodesOfTenant, selectPrincipal } from './authority.store.ts'
import type { Caller } from './credential.ts'
import { selectGuest, type GuestRow, type Maker } from './guests.store.ts'
import { outlasting } from './policies.ts'
import { enterTenant } from './tenancy.store.ts'

/** The permissions of guests. A guest gives none but these. */
const guestCodes: ReadonlySet<string> = new Set(['sso:read', 'sso:manage', 'scim:provision'])

/**
 * Whether the maker of a link still ranks above the tenant, without an end. Sends all statements at once, and restores
 * the tenant in scope.
 */
export const isMakerRanked = async (
  db: TransactionDb,
  tenantId: string,
  { tenantId: home, userId }: Maker,
): Promise<boolean> => {
  enterTenant(db, home)
  const reading = selectPrincipal(db, home, userId)
  enterTenant(db, tenantId)
  const [maker, codes] = await Promise.all([reading, selectCodesOfTenant(db, tenantId)])
  if (maker?.status !== 1 || maker.tenant_status !== 1) return false
  const held = new Set(maker.codes)
  const needed = codes.map(({ code }) => code).concat('sso:manage', home === tenantId ? [] : 'tenant:enter')
  return (
    needed.every((code) => held.has(code)) &&
    outlasting({ ends: endsOf(maker) }, needed, undefined).length === 0
  )
}

const actorOfGuest = ({ tenantId, credential }: Caller, row: GuestRow): Actor => ({
  ...nobody,
  tenantId,
  tenantSlug: row.tenant_slug,
  name: row.email,
  credential,
  permissions: guestCodes,
  guest: {
    linkId: row.link_id,
    email: row.email,
    parts: row.parts,
    roleIds: row.role_ids,
    mayActivate: row.may_activate,
    connectionId: row.connection_id ?? undefined,
    scimAccountId: row.scim_account_id ?? undefined,
    isConnectionOwn: row.is_own_connection,
    isActivated: row.is_activated,
    maker: { tenantId: row.maker_tenant_id, userId: row.created_by },
  },
})

const hashOf = ({ credential }: Caller): Buffer => Buffer.from(credential.id, 'hex')

/** Reads a guest in the tenant in scope. Sends all statements at once. Undefined if the guest's rights have ended. */
export const readGuest = async (
  db: TransactionDb,
  caller: Caller,
  maker: Maker,
  now: Date,
): Promise<Actor | undefined> => {
  const [row, isRanked] = await Promise.all([
    selectGuest(db, caller.tenantId, hashOf(caller), now),
    isMakerRanked(db, caller.tenantId, maker),
  ])
  return row && isRanked ? actorOfGuest(caller, row) : undefined
}

/** Resolves the credential of a guest, whose maker only the database names. Undefined as `readGuest` says. */
export const resolveGuest = (
  store: Pick<Store, 'transaction'>,
  caller: Caller,
  now: Date,
): Promise<Actor | undefined> =>
  store.transaction({ tenantId: caller.tenantId }, async (db) => {
    const row = await selectGuest(db, caller.tenantId, hashOf(caller), now)
    if (!row) return undefined
    const maker = { tenantId: row.maker_tenant_id, userId: row.created_by }
    return (await isMakerRanked(db, caller.tenantId, maker)) ? actorOfGuest(caller, row) : undefined
  })
