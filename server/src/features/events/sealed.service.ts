/** Sends sealed records to streams: new ones, and those that a client missed. */
import { builtInTenant } from '../../access/permissions.ts'
import type { Parts } from '../../context.ts'
import { findHorizon, findLowestNumber, listSeals } from '../audit/all-tenants-feed.service.ts'
import type { SealedChange } from './events.schemas.ts'
import * as store from './events.store.ts'
import { hearsChanges, send, type Listener } from './listener.ts'

/** Records of one read, and of one piece that a client has to take before the next: 20 kB of events. */
const recordsMax = 100
/** Seals whose records are in memory at the same time, about 200 bytes for each record. */
const sealsAtOnce = 100

type SealedParts = Pick<Parts, 'store'>
/** Runs work that nobody waits for; a failure is logged. */
export type Run = (what: string, work: Promise<void>) => void

/** A place in all chains: a seal's number over all tenants, and a record in it. */
interface Place {
  number: number
  index: number
}

/** Behind all records of a seal, which has up to 1000. */
const lastIndex = 999_999

/** The place that an event id names; undefined for one that no stream has sent. */
const parsePlace = (eventId: string): Place | undefined => {
  const [, number, index] = /^(\d{1,16})\.(\d{1,6})$/.exec(eventId) ?? []
  return number === undefined ? undefined : { number: Number(number), index: Number(index) }
}

const idOf = ({ number, index }: Place): string => `${number}.${index}`

const sendChange = (listener: Listener, { number, index, ...row }: store.SealedRow): void => {
  const { id, tenant_id, action, resource, resource_id } = row
  const change: SealedChange = { id, tenant_id, action, resource, resource_id }
  send(listener, 'change', change, idOf({ number, index }))
}

const readAfter = (parts: SealedParts, tenantId: string, after: store.SealPlace, upToNumber: number) =>
  parts.store.transaction(
    { tenantId },
    (db) => store.selectSealedAfter(db, tenantId, after, { upToNumber, limit: recordsMax }),
    'tenantry_seal',
  )

/** The records of a tenant behind a place, up to the seal of a number. */
async function* readOn(
  parts: SealedParts,
  tenantId: string,
  from: store.SealPlace,
  upToNumber: number,
): AsyncGenerator<store.SealedRow[]> {
  for (let after = from; ;) {
    const rows = await readAfter(parts, tenantId, after, upToNumber)
    const last = rows.at(-1)
    if (!last) return
    yield rows
    if (rows.length < recordsMax && last.number >= upToNumber) return
    after = last
  }
}

/**
 * The seal in the chain of one tenant behind which a client stopped: the place names a seal of any tenant. Undefined when
 * records behind it have expired.
 */
const findStart = (
  parts: SealedParts,
  tenantId: string,
  { number, index }: Place,
): Promise<store.SealPlace | undefined> =>
  parts.store.transaction(
    { tenantId },
    async (db) => {
      const before = await store.selectSealUpTo(db, tenantId, number)
      if (before) return { ...before, index: before.number === number ? index : lastIndex }
      const first = await store.selectFirstSeal(db, tenantId)
      return (first?.sequence ?? 1) === 1 ? { sequence: 0, index: lastIndex } : undefined
    },
    'tenantry_seal',
  )

/** Whether nothing that the listener hears behind a place has expired. */
const isComplete = async (
  parts: SealedParts,
  { ctx, hearsAllTenants }: Listener,
  place: Place,
): Promise<boolean> => {
  if (!hearsAllTenants) return (await findStart(parts, ctx.tenantId, place)) !== undefined
  return place.number + 1 >= (await findLowestNumber(parts))
}

/** All records from a place up to a number, of the tenants that the listener hears. */
async function* readMissed(
  parts: SealedParts,
  { ctx, hearsAllTenants }: Listener,
  from: Place,
  upToNumber: number,
): AsyncGenerator<store.SealedRow[]> {
  if (!hearsAllTenants) {
    const start = await findStart(parts, ctx.tenantId, from)
    if (start) yield* readOn(parts, ctx.tenantId, start, upToNumber)
    return
  }
  for await (const seal of listSeals(parts, from.number, upToNumber)) {
    const index = seal.number === from.number ? from.index : -1
    yield* readOn(parts, seal.tenantId, { sequence: seal.sequence, index }, seal.number)
  }
}

/** Reads the new seals of all tenants, again and again. */
export interface Sealed {
  /** Sends the new records, and hands those over that tenants with listeners or the built-in tenant got. */
  advance(listeners: ReadonlySet<Listener>, hear: (rows: store.SealedRow[]) => void): Promise<void>
  /**
   * Tells a listener its place. Sends what it missed since an event, or that this cannot be known, and lets it hear the new
   * changes then.
   */
  begin(listener: Listener, lastEventId: string | undefined): void
  /** Nobody listens any more: the next listener begins with what is new then. */
  rest(): void
}

/** Reads the seals from one number to another, of the tenants that somebody listens to. */
const readNew = async (
  parts: SealedParts,
  listeners: ReadonlySet<Listener>,
  from: number,
  to: number,
): Promise<store.SealedRow[]> => {
  const all = [...listeners]
  const hearsAll = all.some(({ hearsAllTenants }) => hearsAllTenants)
  const heard = new Set([builtInTenant.id, ...all.map(({ ctx }) => ctx.tenantId)])
  const found: store.SealedRow[] = []
  for await (const { tenantId, sequence, number } of listSeals(parts, from, to)) {
    if (!hearsAll && !heard.has(tenantId)) continue
    for await (const rows of readOn(parts, tenantId, { sequence, index: -1 }, number)) found.push(...rows)
  }
  return found
}

/** Sends the records of one read to all listeners. Gives more than a piece of them to `sendMany`, for one listener. */
const sendAll = (
  listeners: ReadonlySet<Listener>,
  rows: store.SealedRow[],
  sendMany: (listener: Listener, rows: store.SealedRow[]) => void,
): void => {
  const byTenant = Map.groupBy(rows, ({ tenant_id: tenantId }) => tenantId)
  for (const listener of listeners) {
    if (listener.isCatchingUp || !hearsChanges(listener)) continue
    const heard = listener.hearsAllTenants ? rows : (byTenant.get(listener.ctx.tenantId) ?? [])
    if (heard.length > recordsMax) sendMany(listener, heard)
    else for (const row of heard) sendChange(listener, row)
  }
}

/** Everything up to the place, and all that a listener hears up to the seal of the number, was sent. */
interface Progress {
  place: Place
  upTo: number
}

/**
 * Sends listeners what others have heard already, each at its own pace, and lets them hear the new records then. One that
 * cannot be read is closed: its client does not know what it missed, and connects again.
 */
const createFollowing =
  (parts: SealedParts, run: Run, reached: () => number) =>
  (listener: Listener, start: Promise<Progress>): void => {
    const follow = async (): Promise<void> => {
      let { place, upTo } = await start
      while (upTo < reached()) {
        const until = reached()
        place = await sendMissed(parts, listener, place, until)
        upTo = until
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
  /** Everything up to this number was sent to those that listened. */
  let reached: number | undefined
  const follow = createFollowing(parts, run, () => reached ?? 0)

  return {
    async advance(listeners, hear) {
      const horizon = await findHorizon(parts)
      if (listeners.size === 0) return
      reached ??= horizon
      while (reached < horizon) {
        const before = reached
        const to = Math.min(before + sealsAtOnce, horizon)
        const rows = await readNew(parts, listeners, before + 1, to)
        // All that listened are gone, and those that listen now begin later.
        if (reached !== before) return
        reached = to
        sendAll(listeners, rows, (listener, heard) => {
          listener.isCatchingUp = true
          follow(listener, sendPieces(listener, heard, to))
        })
        hear(rows)
      }
    },
    begin(listener, lastEventId) {
      const present = async (): Promise<Progress> => {
        const upTo = reached ?? (await findHorizon(parts))
        if (!listener.isClosed) reached ??= upTo
        return { place: { number: reached ?? upTo, index: lastIndex }, upTo: reached ?? upTo }
      }
      const start = async (): Promise<Progress> => {
        const missed = lastEventId === undefined ? undefined : await findMissed(parts, listener, lastEventId)
        const progress = await present()
        if (lastEventId !== undefined && !missed) send(listener, 'gap', {})
        const place = missed ?? progress.place
        listener.line.place(idOf(place))
        return missed ? { place, upTo: 0 } : progress
      }
      follow(listener, start())
    },
    rest() {
      reached = undefined
    },
  }
}

/** The place that a client names, if all behind it can be sent. A number beyond the last seal is of a lost database. */
const findMissed = async (
  parts: SealedParts,
  listener: Listener,
  lastEventId: string,
): Promise<Place | undefined> => {
  const place = parsePlace(lastEventId)
  if (!place || place.number > (await findHorizon(parts))) return undefined
  return (await isComplete(parts, listener, place)) ? place : undefined
}

/** Sends a listener all its records up to a number, more than it can be sent at once, at the client's pace. */
const sendPieces = async (listener: Listener, rows: store.SealedRow[], upTo: number): Promise<Progress> => {
  for (let start = 0; start < rows.length; start += recordsMax) {
    if (listener.isClosed || !hearsChanges(listener)) break
    for (const row of rows.slice(start, start + recordsMax)) sendChange(listener, row)
    await listener.line.drained()
  }
  return { place: rows.at(-1) ?? { number: 0, index: 0 }, upTo }
}

/** Sends a listener the records from a place up to a number, at the client's pace. Returns the place of the last one. */
const sendMissed = async (
  parts: SealedParts,
  listener: Listener,
  from: Place,
  upToNumber: number,
): Promise<Place> => {
  let last = from
  for await (const rows of readMissed(parts, listener, from, upToNumber)) {
    if (listener.isClosed || !hearsChanges(listener)) break
    for (const row of rows) sendChange(listener, row)
    last = rows.at(-1) ?? last
    await listener.line.drained()
  }
  return last
}
