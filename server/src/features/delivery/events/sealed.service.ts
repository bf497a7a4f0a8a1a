/** Sends sealed records to streams: new records, and those that a client missed. */
import { builtInTenant } from '../../../access/permissions.ts'
import type { Parts } from '../../../context.ts'
import {
  allTenants,
  findEnd,
  isBefore,
  isWhole,
  readSealed,
  type SealPart,
  type Tenants,
} from '../../audit/audit/sealed-log.service.ts'
import type { AuditPosition } from '../../audit/audit/audit.schemas.ts'
import type { SealedChange } from './events.schemas.ts'
import { receivesChanges, send, type Listener } from './listener.ts'

/** The most records of a read, which is sent as one piece of about 20 kB. A client must receive it before the next piece. */
const recordsMax = 100
/** The seals that are in memory at once, at about 200 bytes per record. */
const sealsAtOnce = 100

type SealedParts = Pick<Parts, 'store'>
/** Runs work in the background, and logs a failure. */
export type Run = (what: string, work: Promise<void>) => void

export interface SealedRow extends SealedChange {
  user_id: number
  /** The position after the record. It is the id of the record's event. */
  next: AuditPosition
}

/** The position in an event id. Undefined for an id that no stream has sent. */
const parsePosition = (eventId: string): AuditPosition | undefined => {
  const [, seal, index] = /^(\d{1,16})\.(\d{1,6})$/.exec(eventId) ?? []
  return seal === undefined ? undefined : { seal: Number(seal), index: Number(index) }
}

const idOf = ({ seal, index }: AuditPosition): string => `${seal}.${index}`

const sendChange = (listener: Listener, { next, user_id: _userId, ...change }: SealedRow): void =>
  send(listener, 'change', change, idOf(next))

/** The records of a part, except those of an import. */
const rowsOf = ({ records }: SealPart): SealedRow[] =>
  records.flatMap(({ log: { id, tenant_id, action, resource, resource_id, user_id }, next, isImported }) =>
    isImported ? [] : { id, tenant_id, action, resource, resource_id, user_id, next },
  )

/** The records of tenants from a position up to the seal `end`, exclusive. */
async function* readRows(
  parts: SealedParts,
  tenants: Tenants,
  from: AuditPosition,
  end: number,
): AsyncGenerator<SealedRow[]> {
  for await (const batch of readSealed(parts, tenants, from, { range: { end, limit: recordsMax } })) {
    yield batch.flatMap(rowsOf)
  }
}

const tenantsOf = ({ ctx, receivesAllTenants }: Listener): Tenants =>
  receivesAllTenants ? allTenants : ctx.tenantId

/** Reads the new seals of all tenants, each time from the last position. */
export interface SealedFeed {
  /** Sends the new records. Passes to `onRows` those of the built-in tenant and of tenants with listeners. */
  advance(listeners: ReadonlySet<Listener>, onRows: (rows: SealedRow[]) => void): Promise<void>
  /**
   * Sends a listener its position, and then the changes since `lastEventId`. If some of these changes are lost, sends
   * the event `gap` first and no earlier changes. New changes follow.
   */
  begin(listener: Listener, lastEventId: string | undefined): void
  /** Call it when the last listener has left. The next listener then begins with new records. */
  rest(): void
}

/** Reads the seals in a range of numbers, of the tenants that have listeners. */
const readNew = async (
  parts: SealedParts,
  listeners: ReadonlySet<Listener>,
  from: number,
  end: number,
): Promise<SealedRow[]> => {
  const all = [...listeners]
  const tenantIds = new Set([builtInTenant.id, ...all.map(({ ctx }) => ctx.tenantId)])
  const needsAll = all.some(({ receivesAllTenants }) => receivesAllTenants)
  const tenants = needsAll ? allTenants : (tenantId: string) => tenantIds.has(tenantId)
  const found: SealedRow[] = []
  for await (const rows of readRows(parts, tenants, { seal: from, index: 0 }, end)) found.push(...rows)
  return found
}

/** Sends the records of one read to all listeners. If a listener gets more than one piece, `sendMany` sends them. */
const sendAll = (
  listeners: ReadonlySet<Listener>,
  rows: SealedRow[],
  sendMany: (listener: Listener, rows: SealedRow[]) => void,
): void => {
  const byTenant = Map.groupBy(rows, ({ tenant_id: tenantId }) => tenantId)
  for (const listener of listeners) {
    if (listener.isCatchingUp || !receivesChanges(listener)) continue
    const allowed = listener.receivesAllTenants ? rows : (byTenant.get(listener.ctx.tenantId) ?? [])
    if (allowed.length > recordsMax) sendMany(listener, allowed)
    else for (const row of allowed) sendChange(listener, row)
  }
}

/**
 * Sends new listeners the records that others have already received, at the pace of each, and then the new records. If
 * a read fails, closes the stream: its client does not know which records it missed, and connects again.
 */
const createFollowing =
  (parts: SealedParts, run: Run, reached: () => number) =>
  (listener: Listener, start: Promise<AuditPosition>): void => {
    const follow = async (): Promise<void> => {
      let position = await start
      while (position.seal < reached()) {
        const end = reached()
        await sendPieces(listener, readRows(parts, tenantsOf(listener), position, end))
        position = { seal: end, index: 0 }
      }
      listener.isCatchingUp = false
    }
    const done = follow().catch((err: unknown) => {
      listener.line.close()
      throw err
    })
    run('catching up', done)
  }

export const createSealedFeed = (parts: SealedParts, run: Run): SealedFeed => {
  /** Every earlier listener has received all records before this seal. */
  let reached: number | undefined
  const follow = createFollowing(parts, run, () => reached ?? 0)

  return {
    async advance(listeners, onRows) {
      const { seal: end } = await findEnd(parts, allTenants)
      if (listeners.size === 0) return
      reached ??= end
      while (reached < end) {
        const from = reached
        const to = Math.min(from + sealsAtOnce, end)
        const rows = await readNew(parts, listeners, from, to)
        // All earlier listeners have left. The present ones begin at a later position.
        if (reached !== from) return
        reached = to
        sendAll(listeners, rows, (listener, missed) => {
          listener.isCatchingUp = true
          const sent = sendPieces(listener, piecesOf(missed))
          follow(
            listener,
            sent.then(() => ({ seal: to, index: 0 })),
          )
        })
        onRows(rows)
      }
    },
    begin(listener, lastEventId) {
      const present = async (): Promise<AuditPosition> => {
        const seal = reached ?? (await findEnd(parts, allTenants)).seal
        if (!listener.isClosed) reached ??= seal
        return { seal: reached ?? seal, index: 0 }
      }
      const start = async (): Promise<AuditPosition> => {
        const missed = lastEventId === undefined ? undefined : await findMissed(parts, listener, lastEventId)
        const now = await present()
        if (lastEventId !== undefined && !missed) send(listener, 'gap', {})
        const position = missed ?? now
        listener.line.place(idOf(position))
        return position
      }
      follow(listener, start())
    },
    rest() {
      reached = undefined
    },
  }
}

/**
 * The position that a client names, if all records after it are still available. A position beyond the end comes from a
 * lost database.
 */
const findMissed = async (
  parts: SealedParts,
  listener: Listener,
  lastEventId: string,
): Promise<AuditPosition | undefined> => {
  const position = parsePosition(lastEventId)
  if (!position || isBefore(await findEnd(parts, allTenants), position)) return undefined
  return (await isWhole(parts, tenantsOf(listener), position)) ? position : undefined
}

function* piecesOf(rows: SealedRow[]): Generator<SealedRow[]> {
  for (let start = 0; start < rows.length; start += recordsMax) yield rows.slice(start, start + recordsMax)
}

/** Sends a listener many records, in pieces at the client's pace. */
const sendPieces = async (
  listener: Listener,
  pieces: Iterable<SealedRow[]> | AsyncIterable<SealedRow[]>,
): Promise<void> => {
  for await (const rows of pieces) {
    if (listener.isClosed || !receivesChanges(listener)) break
    for (const row of rows) sendChange(listener, row)
    await listener.line.drained()
  }
}
