/** Copies a partition of the audit log to another server, piece by piece, and compares both. */
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { one } from './archive-servers.ts'

const named = pg.escapeIdentifier

/** Called with the pieces that are done, and their number. */
export type OnProgress = (done: number, total: number) => void

/** Ids of one piece of a copy: it is compared as a whole, and an interrupted copy goes on behind it. */
const pieceIds = 100_000

interface Piece {
  first: number
  end: number
}

const within = ({ first, end }: Piece): string => `id >= ${first} and id < ${end}`

/** The count and a hash of the records of a piece, with the same form at both ends. */
const fingerprint = async (client: pg.Client, table: string, piece: Piece): Promise<string> =>
  (
    await one<{ print: string }>(
      client,
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by tenant_id, id)), '') as print
       from ${named(table)} t where ${within(piece)}`,
    )
  )?.print ?? ''

const copyPiece = async (
  source: pg.Client,
  target: pg.Client,
  table: string,
  piece: Piece,
): Promise<void> => {
  await target.query('begin')
  await target.query(`delete from ${named(table)} where ${within(piece)}`)
  const reading = source.query(
    copyTo(`copy (select * from ${named(table)} where ${within(piece)}) to stdout (format binary)`),
  )
  const writing = target.query(copyFrom(`copy ${named(table)} from stdin (format binary)`))
  await pipeline(reading, writing)
  await target.query('commit')
}

/** The pieces between the lowest and the highest id of a table. */
const piecesOf = async (client: pg.Client, table: string): Promise<Piece[]> => {
  const ends = await one<{ low: string | null; high: string | null }>(
    client,
    `select min(id) as low, max(id) as high from ${named(table)}`,
  )
  const pieces: Piece[] = []
  if (!ends || ends.low === null) return pieces
  for (let first = Number(ends.low); first <= Number(ends.high); first += pieceIds) {
    pieces.push({ first, end: first + pieceIds })
  }
  return pieces
}

/** Texts of times and numbers are then the same at both ends. */
export const settle = async (client: pg.Client): Promise<void> => {
  await client.query(`set timezone = 'UTC'; set datestyle = 'ISO'; set extra_float_digits = 1`)
}

/** Copies every piece that differs. Returns the number of records. */
export const copyAll = async (
  source: pg.Client,
  target: pg.Client,
  table: string,
  onProgress: OnProgress,
): Promise<number> => {
  let records = 0
  const pieces = await piecesOf(source, table)
  for (const [at, piece] of pieces.entries()) {
    const print = await fingerprint(source, table, piece)
    if (print !== (await fingerprint(target, table, piece))) {
      await copyPiece(source, target, table, piece)
      const copied = await fingerprint(target, table, piece)
      if (copied !== (await fingerprint(source, table, piece))) {
        throw new Error(`${table}: records ${piece.first} to ${piece.end - 1} differ after they were copied`)
      }
    }
    records += Number(print.split(' ')[0])
    onProgress(at + 1, pieces.length)
  }
  // Records that were deleted at the source meanwhile, beyond its pieces.
  const outside =
    pieces.length === 0 ? 'true' : `not (id >= ${pieces[0]?.first} and id < ${pieces.at(-1)?.end})`
  await target.query(`delete from ${named(table)} where ${outside}`)
  return records
}
