/** The flags in this replica's memory, so that an evaluation needs no database. */
import type { Invalidation } from '../../../cache/cache.ts'
import { createRemembered } from '../../../cache/remembered.ts'
import type { Parts } from '../../../context.ts'
import type { Db } from '../../../db/client.ts'
import { readyFlag, type ReadyFlag } from './evaluation.ts'
import * as store from './flags.store.ts'

export interface KnownFlag extends ReadyFlag {
  revision: number
  /** The JSON of an answer up to its reason, for each variant. */
  answers: ReadonlyMap<string, string>
}

/** All flags at one moment. */
export interface AllFlags {
  mark: store.FlagsMark
  /** Flags in the order of their keys. */
  byKey: ReadonlyMap<string, KnownFlag>
}

export interface KnownFlags {
  /** All flags, at most 1.5 seconds old, and including every reported change. */
  read: () => Promise<AllFlags>
  /** Makes the next read load the flags again if the change concerns flags. An undefined change always does so. */
  forget: (change: Invalidation | undefined) => void
}

const answersOf = ({ key, variants, version }: ReadyFlag): ReadonlyMap<string, string> => {
  const begin = `{"key":${JSON.stringify(key)},"value":`
  return new Map(
    Object.entries(variants).map(([variant, value]) => [
      variant,
      `${begin}${JSON.stringify(value)},"variant":${JSON.stringify(variant)},"metadata":{"version":${version}},"reason":`,
    ]),
  )
}

const known = (row: store.HeldFlag): KnownFlag => {
  const ready = readyFlag(row)
  return { ...ready, revision: row.revision, answers: answersOf(ready) }
}

const isSame = (one: store.FlagsMark, other: store.FlagsMark): boolean =>
  one.revision === other.revision && one.count === other.count

/** Flags per read. A flag can have 128 KiB, so other requests run between reads. */
const readAtOnce = 25

const readFlags = async (db: Db, keys: string[]): Promise<Map<string, KnownFlag>> => {
  const flags = new Map<string, KnownFlag>()
  for (let at = 0; at < keys.length; at += readAtOnce) {
    const rows = await store.selectHeldFlags(db, keys.slice(at, at + readAtOnce))
    for (const row of rows) flags.set(row.key, known(row))
  }
  return flags
}

/** Reads the changed flags. Reads the mark first: a change after that makes another mark. */
const readAnew = async ({ store: database }: Pick<Parts, 'store'>, before: AllFlags): Promise<AllFlags> => {
  const db = database.scoped({})
  const mark = await store.selectMark(db)
  if (isSame(mark, before.mark)) return before
  const revisions = await store.selectRevisions(db)
  const stale = revisions.filter(({ key, revision }) => before.byKey.get(key)?.revision !== revision)
  const read = await readFlags(
    db,
    stale.map(({ key }) => key),
  )
  const byKey = new Map(
    revisions.flatMap(({ key }): [string, KnownFlag][] => {
      const flag = read.get(key) ?? before.byKey.get(key)
      return flag ? [[key, flag]] : []
    }),
  )
  return { mark, byKey }
}

const everything = 'flags'

export const createKnownFlags = (parts: Pick<Parts, 'store'>): KnownFlags => {
  const remembered = createRemembered<AllFlags>({ isConcerned: () => false })
  let latest: AllFlags = { mark: { revision: -1, count: -1 }, byKey: new Map() }
  const read = async (): Promise<AllFlags> => {
    latest = await readAnew(parts, latest)
    return latest
  }
  return {
    read: async () => remembered.get(everything) ?? (await remembered.read(everything, read)) ?? latest,
    forget: (change) => {
      if (change === undefined || change.kind === 'flags') remembered.forget(undefined)
    },
  }
}
