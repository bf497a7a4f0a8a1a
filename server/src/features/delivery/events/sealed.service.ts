/** Sends sealed records to streams: new ones, and those that a client missed. */
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
import type { Place } from '../../audit/audit/audit.schemas.ts'
import type { SealedChange } from './events.schemas.ts'
import { receivesChanges, send, type Listener } from './listener.ts'

/** Records of one read, and of one piece that a client has to take before the next: 20 kB of events. */
const recordsMax = 100
/** Seals whose records are in memory at the same time, about 200 bytes for each record. */
const sealsAtOnce = 100

type SealedParts = Pick<Parts, 'store'>
/** Runs work that nobody waits for; a failure is logged. */
export type Run = (what: string, work: Promise<void>) => void

export interface SealedRow extends SealedChange {
  /** The acting user. */
  user_id: number
  /** The place behind the record, which is the id of its event. */
  next: Place
}

/** The place that an event id names; undefined for one that no stream has sent. */
const parsePlace = (eventId: string): Place | undefined => {
  const [, seal, index] = /^(\d{1,16})\.(\d{1,6})$/.exec(eventId) ?? []
  return seal === undefined ? undefined : { seal: Number(seal), index: Number(index) }
}

const idOf = ({ seal, index }: Place): string => `${seal}.${index}`

const sendChange = (listener: Listener, { next, user_id: _userId, ...change }: SealedRow): void =>
  send(listener, 'change', change, idOf(next))

/** The records of a part, without those that an import brought. */
const rowsOf = ({ records }: SealPart): SealedRow[] =>
  records.flatMap(({ log: { id, tenant_id, action, resource, resource_id, user_id }, next, isImported }) =>
    isImported ? [] : { id, tenant_id, action, resource, resource_id, user_id, next },
  )

/** The records of tenants from a place up to the seal `end`, which is not read. */
async function* readRows(
  parts: SealedParts,
  tenants: Tenants,
  from: Place,
  end: number,
): AsyncGenerator<SealedRow[]> {
  for await (const batch of readSealed(parts, tenants, from, { range: { end, limit: recordsMax } })) {
    yield batch.flatMap(rowsOf)
  }
}

const tenantsOf = ({ ctx, receivesAllTenants }: Listener): Tenants =>
  receivesAllTenants ? allTenants : ctx.tenantId

/** Reads the new seals of all tenants, again and again. */
export interface Sealed {
  /** Sends the new records, and hands those over that tenants with listeners or the built-in tenant got. */
  advance(listeners: ReadonlySet<Listener>, onRows: (rows: SealedRow[]) => void): Promise<void>
  /**
   * Tells a listener its place. Sends what it missed since an event, or that this cannot be known, and sends it the new
   * changes then.
   */
  begin(listener: Listener, lastEventId: string | undefined): void
  /** Nobody listens any more: the next listener begins with what is new then. */
  rest(): void
}

/** Reads the seals from one number up to another, of the tenants that somebody listens to. */
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

/** Sends the records of one read to all listeners. Gives more than a piece of them to `sendMany`, for one listener. */
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
 * Sends listeners the records that others have got already, each at its own pace, and then the new ones. One that
 * cannot be read is closed: its client does not know what it missed, and connects again.
 */
const createFollowing =
  (parts: SealedParts, run: Run, reached: () => number) =>
  (listener: Listener, start: Promise<Place>): void => {
    const follow = async (): Promise<void> => {
      let place = await start
      while (place.seal < reached()) {
        const end = reached()
        await sendPieces(listener, readRows(parts, tenantsOf(listener), place, end))
        place = { seal: end, index: 0 }
      }
      listener.isCatchingUp = false
    }
    const done = follow().catch((err: unknown) => {
      listener.line.close()
      throw err
    })
    run('catching up', done)
  }

export const createSealed = (parts: SealedParts, run: Run): Sealed => {
  /** Everything before this seal was sent to those that listened. */
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
        // All that listened are gone, and those that listen now begin later.
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
      const present = async (): Promise<Place> => {
        const seal = reached ?? (await findEnd(parts, allTenants)).seal
        if (!listener.isClosed) reached ??= seal
        return { seal: reached ?? seal, index: 0 }
      }
      const start = async (): Promise<Place> => {
        const missed = lastEventId === undefined ? undefined : await findMissed(parts, listener, lastEventId)
        const now = await present()
        if (lastEventId !== undefined && !missed) send(listener, 'gap', {})
        const place = missed ?? now
        listener.line.place(idOf(place))
        return place
      }
      follow(listener, start())
    },
    rest() {
      reached = undefined
    },
  }
}

/** The place that a client names, if all behind it can be sent. A place beyond the end is of a lost database. */
const findMissed = async (
  parts: SealedParts,
  listener: Listener,
  lastEventId: string,
): Promise<Place | undefined> => {
  const place = parsePlace(lastEventId)
  if (!place || isBefore(await findEnd(parts, allTenants), place)) return undefined
  return (await isWhole(parts, tenantsOf(listener), place)) ? place : undefined
}

function* piecesOf(rows: SealedRow[]): Generator<SealedRow[]> {
  for (let start = 0; start < rows.length; start += recordsMax) yield rows.slice(start, start + recordsMax)
}

/** Sends a listener more than it can be sent at once, at the client's pace. */
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
