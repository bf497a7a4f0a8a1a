import type { Parts } from '../../../context.ts'
import { openStatement, trustKeys, type TrustedKeys } from '../../../crypto/statements.ts'
import type { Db } from '../../../db/client.ts'
import { Breach, type ChainEnd, type Head, type Tombstone } from './chain.ts'
import { checkChain, foundRecord, openHead, type KeptHead, type Summary } from './chain-check.ts'
import * as store from './chain.store.ts'
import { getAuditKeys } from './keys.service.ts'
import { readChain } from './sealed-log.service.ts'
import { findStrays } from './stray-records.ts'

type VerifyParts = Pick<Parts, 'store' | 'archives'>

/** The facts that a check of a chain trusts. */
export interface Trust {
  keys: TrustedKeys
  /** An earlier head from other storage. The chain must contain it. */
  kept?: KeptHead | undefined
}

/** The state of a tenant's chain: sound, broken, or ended by the erasure of the tenant. */
export type Verdict = { tenant: string } & (
  | { summary: Summary | undefined; waiting: number }
  | { breach: string }
  | { erased: Tombstone }
)

/** The most restarts of a check whose records expired while it ran. */
const restartsMax = 3

/** The keys in the database. They prove nothing against an attacker with write access to it. */
export const trustOwnKeys = async (parts: VerifyParts): Promise<TrustedKeys> =>
  trustKeys((await getAuditKeys(parts)).keys)

export async function* verifyAll(parts: VerifyParts, trust: Trust): AsyncGenerator<Verdict> {
  for (const { id, slug } of await store.selectTenants(parts.store.scoped({}))) {
    yield await verdictOn(parts, { id, name: `${slug} (${id})` }, trust)
  }
}

/** Checks a tenant by id or slug, or an erased tenant by id. Throws for a tenant that never existed. */
export const verifyOne = async (parts: VerifyParts, idOrSlug: string, trust: Trust): Promise<Verdict> => {
  const db = parts.store.scoped({})
  const tenants = await store.selectTenants(db)
  const found = tenants.find(({ id, slug }) => id === idOrSlug.toLowerCase() || slug === idOrSlug)
  if (found) return verdictOn(parts, { id: found.id, name: `${found.slug} (${found.id})` }, trust)
  const tombstone = await selectTombstone(db, idOrSlug)
  if (!tombstone) throw new Error(`there is no tenant ${idOrSlug}, and none of that id was erased`)
  return asVerdict(idOrSlug, async () => ({ erased: await openTombstone(tombstone, idOrSlug, trust) }))
}

const verdictOn = (
  parts: VerifyParts,
  { id, name }: { id: string; name: string },
  trust: Trust,
): Promise<Verdict> => asVerdict(name, () => verifyChain(parts, id, trust))

const asVerdict = async <T extends object>(
  tenant: string,
  check: () => Promise<T>,
): Promise<{ tenant: string } & (T | { breach: string })> => {
  try {
    return { tenant, ...(await check()) }
  } catch (err) {
    if (err instanceof Breach) return { tenant, breach: err.message }
    throw err
  }
}

const uuid = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

const selectTombstone = async (db: Db, id: string): Promise<string | undefined> =>
  uuid.test(id) ? (await store.selectTombstone(db, id))?.statement : undefined

const openTombstone = async (statement: string, id: string, { keys, kept }: Trust): Promise<Tombstone> => {
  const opened = await openStatement(statement, keys)
  if ('fault' in opened) throw new Breach(`the tombstone ${opened.fault}`)
  const tombstone = opened.payload as Tombstone
  if (tombstone.typ !== 'audit-tombstone' || tombstone.tenant_id !== id.toLowerCase()) {
    throw new Breach('the tombstone is of another tenant')
  }
  if (kept && !isSameEnd(kept, tombstone.head)) {
    throw new Breach('the chain did not end at the head that was kept')
  }
  return tombstone
}

const isSameEnd = (kept: KeptHead, end: ChainEnd | null) =>
  kept.sequence === end?.sequence && kept.hash === end.hash

/** Checks one chain. Starts again when records expire meanwhile. Throws a Breach for the first fault. */
const verifyChain = async (
  { store: database, archives }: VerifyParts,
  tenantId: string,
  trust: Trust,
): Promise<{ summary: Summary | undefined; waiting: number }> => {
  const db = database.scoped({ tenantId })
  const { floor } = await archives.reach()
  for (let restarts = 0; ; restarts += 1) {
    const head = await readHead(db, tenantId, trust.keys)
    try {
      const summary = await walk(db, tenantId, { head, trust })
      return { summary, waiting: await countWaiting(db, tenantId, floor) }
    } catch (err) {
      const now = await readHead(db, tenantId, trust.keys)
      if (restarts === restartsMax || now?.start.sequence === head?.start.sequence) throw err
    }
  }
}

/**
 * The signed head; undefined before the first seal. Throws a Breach when the head is not the end of the stored chain.
 */
const readHead = async (db: Db, tenantId: string, keys: TrustedKeys): Promise<Head | undefined> => {
  const ends = await store.selectChainEnds(db, tenantId)
  if (!ends || (ends.head === null && ends.last === null)) return undefined
  if (ends.head === null) throw new Breach('the head is missing')
  const head = await openHead(ends.head, tenantId, keys)
  if (ends.last !== null && ends.last > head.end.sequence) {
    throw new Breach(`seal ${head.end.sequence + 1} stands after the end that the head names`)
  }
  return head
}

const walk = async (
  db: Db,
  tenantId: string,
  { head, trust }: { head: Head | undefined; trust: Trust },
): Promise<Summary | undefined> => {
  const strays = findStrays(db, tenantId)
  const summary = head && (await walkSeals(db, head, { trust, account: (ids) => strays.account(ids) }))
  if (!head && trust.kept) throw new Breach('cut off: nothing is sealed, and a head was kept')
  const stray = await strays.find(head?.end.sequence ?? 0)
  if (stray !== undefined) throw new Breach(`record ${stray} was never sealed: added`)
  return summary
}

const walkSeals = async (
  db: Db,
  head: Head,
  { trust, account }: { trust: Trust; account: (ids: number[]) => Promise<void> },
): Promise<Summary> => {
  const check = checkChain(head, trust.keys, trust.kept)
  for await (const batch of readChain(db, head.tenant_id, head.end.sequence)) {
    for (const { seal, records } of batch) {
      await check.add(
        seal,
        records.map(({ log }) => foundRecord(log)),
      )
      await account(seal.record_ids)
    }
  }
  return check.finish()
}

const countWaiting = async (db: Db, tenantId: string, floor: number): Promise<number> => {
  const waiting = await store.selectWaiting(db, tenantId, floor)
  if (waiting?.missing) throw new Breach(`record ${waiting.missing} was removed before it was sealed`)
  return waiting?.count ?? 0
}
