/**
 * Support sessions: somebody works as a user of a tenant (docs/contract.md, "Support sessions").
 *
 * Nothing about such a session is cached: every request, and every transaction, reads it, the session on which it hangs
 * and both people again. It reaches only routes that declare it (`requireSupportServed` in policies.ts).
 */
import type { Store, TransactionDb } from '../db/client.ts'
import { actorOf, nobody, type Actor, type Support } from './actor.ts'
import { readCaller } from './caller.ts'
import type { CallerRow } from './caller.store.ts'
import type { Caller } from './credential.ts'
import { mayKeepSupport } from './policies.ts'
import { mayUse } from './application-use.ts'
import { selectCodesHeld } from './authority.store.ts'
import {
  lockSupport,
  lockSupporter,
  selectOpening,
  selectSupport,
  selectSupportOf,
  type OpeningRow,
  type SupportRow,
} from './support.store.ts'
import { enterTenant, shareAuthority } from './tenancy.store.ts'

interface Rules {
  requireVerifiedEmail: boolean
}

/** The clock and the settings of the service. */
interface Surroundings {
  config: Rules
  now: () => Date
}

/** The actor's side of a support session, in the actor's tenant. */
interface Side {
  tenantId: string
  userId: number
  sessionId: string
}

const sideOf = (row: SupportRow): Side => ({
  tenantId: row.actor_tenant_id,
  userId: row.actor_id,
  sessionId: row.session_id,
})

interface Supporter {
  caller: Caller
  row: CallerRow | undefined
  codes: ReadonlySet<string>
}

/** Reads the actor's session and permissions. Sends all statements at once, and restores the tenant in scope. */
const readSupporter = async (
  db: TransactionDb,
  tenantId: string,
  { tenantId: home, userId, sessionId }: Side,
  now: Date,
): Promise<Supporter> => {
  const caller: Caller = { tenantId: home, userId, credential: { kind: 'session', id: sessionId } }
  enterTenant(db, home)
  const reading = Promise.all([readCaller(db, caller, now), selectCodesHeld(db, home, userId)])
  enterTenant(db, tenantId)
  const [row, codes] = await reading
  return { caller, row, codes: new Set(codes.map(({ code }) => code)) }
}

/** The set, as far as the user holds it, and for colleagues and without a decision, the actor too. */
const codesThatCount = (row: SupportRow, codes: ReadonlySet<string>, isColleague: boolean): Set<string> => {
  const held = new Set(row.held)
  const isBound = isColleague || !row.is_decided
  return new Set(row.permissions.filter((code) => held.has(code) && (!isBound || codes.has(code))))
}

const actorOfSupport = (
  { config }: Surroundings,
  { tenantId, userId, credential }: Caller,
  row: SupportRow,
  supporter: Supporter,
): Actor | undefined => {
  const actor = supporter.row && actorOf(config, supporter.caller, supporter.row)
  if (!actor || !mayKeepSupport(actor, tenantId, row.kind)) return undefined
  const support: Support = {
    id: credential.id,
    kind: row.kind,
    ...sideOf(row),
    name: actor.name,
    accountId: row.actor_account_id,
  }
  return {
    ...nobody,
    userId,
    tenantId,
    tenantSlug: row.tenant_slug,
    name: row.username,
    accountId: row.account_id,
    credential,
    permissions: codesThatCount(row, supporter.codes, row.actor_tenant_id === tenantId),
    hasMfa: true,
    support,
  }
}

const keyOf = ({ tenantId, userId, credential }: Caller) => ({ tenantId, userId, id: credential.id })

/** The caller within a session of an application: it may do what both sessions may. */
const withinOpening = (actor: Actor, { held }: SupportRow, opening: OpeningRow): Actor | undefined => {
  if (!mayUse(opening, held)) return undefined
  const { application_id: id, narrowed_codes: codes } = opening
  const { permissions } = actor
  return {
    ...actor,
    permissions:
      codes === null ? permissions : new Set([...permissions].filter((code) => codes.includes(code))),
    application: {
      id,
      name: '',
      isThirdParty: false,
      isApiOpen: false,
      narrowedTo: codes ?? undefined,
      held: permissions,
    },
  }
}

/** Reads the caller of a support session in its tenant. Undefined if anything has ended it. */
export const readSupport = async (
  around: Surroundings,
  db: TransactionDb,
  caller: Caller,
): Promise<Actor | undefined> => {
  const { id: supportId, openingId } = caller.credential
  const [row, opening] = await Promise.all([
    selectSupport(db, keyOf(caller)),
    openingId === undefined ? undefined : selectOpening(db, caller.tenantId, { supportId, id: openingId }),
  ])
  if (!row) return undefined
  const supporter = await readSupporter(db, caller.tenantId, sideOf(row), around.now())
  const actor = actorOfSupport(around, caller, row, supporter)
  if (openingId === undefined) return actor
  return actor && opening && withinOpening(actor, row, opening)
}

/** The caller of a session of a user that is a support session, or that one has opened. Undefined for any other id. */
export const findSupport = (
  around: Surroundings & { store: Pick<Store, 'transaction'> },
  { tenantId, userId, sessionId }: { tenantId: string; userId: number; sessionId: string },
): Promise<Actor | undefined> =>
  around.store.transaction({ tenantId }, async (db) => {
    const found = await selectSupportOf(db, tenantId, userId, sessionId)
    if (!found) return undefined
    const { support_id: id, opening_id: openingId } = found
    const credential = { kind: 'support', id, ...(openingId !== null && { openingId }) } as const
    return readSupport(around, db, { tenantId, userId, credential })
  })

/**
 * Like `readSupport`, within the transaction of a write. Locks both people and their authority, so that the write and an
 * end exclude each other. Takes the locks of authority first, as other changes do. Sends all statements at once.
 */
export const lockAndReadSupport = async (
  around: Surroundings,
  db: TransactionDb,
  caller: Caller,
  known: Support,
): Promise<Actor | undefined> => {
  shareAuthority(db, caller.tenantId)
  if (known.tenantId !== caller.tenantId) shareAuthority(db, known.tenantId)
  lockSupport(db, keyOf(caller), known.accountId)
  enterTenant(db, known.tenantId)
  lockSupporter(db, known)
  enterTenant(db, caller.tenantId)
  const [row, supporter] = await Promise.all([
    selectSupport(db, keyOf(caller)),
    readSupporter(db, caller.tenantId, known, around.now()),
  ])
  return row && actorOfSupport(around, caller, row, supporter)
}

/** Resolves the credential of a support session. Undefined as `readSupport` says. */
export const resolveSupport = (
  around: Surroundings & { store: Pick<Store, 'transaction'> },
  caller: Caller,
): Promise<Actor | undefined> =>
  around.store.transaction({ tenantId: caller.tenantId }, (db) => readSupport(around, db, caller))
