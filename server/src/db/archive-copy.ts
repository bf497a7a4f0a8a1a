/** Copies a partition of the audit log to another server in pieces, and compares both copies. */
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { from as copyFrom, to as copyTo } from 'pg-copy-streams'
import { one } from './archive-servers.ts'

const named = pg.escapeIdentifier

export type OnProgress = (done: number, total: number) => void

/** The records of a piece. One fingerprint compares a whole piece, and a repeated copy skips equal pieces. */
const chunkRecords = 100_000

/** A record's primary key, as SQL text. */
type Key = string

/**
 * The records with a key above `after` and up to `upTo`. The first piece has no lower bound, and the last piece has no
 * upper bound.
 */
interface Chunk {
  after: Key | undefined
  upTo: Key | undefined
}

/** Bounds of the primary key, so that a query reads only the piece's records. */
const within = ({ after, upTo }: Chunk): string =>
  [
    'true',
    ...(after === undefined ? [] : [`(tenant_id, id) > ${after}`]),
    ...(upTo === undefined ? [] : [`(tenant_id, id) <= ${upTo}`]),
  ].join(' and ')

/** The number of a piece's records, and a hash of them. Both servers write records in the same form (`setTextForm`). */
const fingerprint = async (client: pg.Client, table: string, chunk: Chunk): Promise<string> =>
  (
    await one<{ print: string }>(
      client,
      `select count(*) || ' ' || coalesce(md5(string_agg(md5(t::text), '' order by tenant_id, id)), '') as print
       from ${named(table)} t where ${within(chunk)}`,
    )
  )?.print ?? ''

const copyChunk = async (
  source: pg.Client,
  target: pg.Client,
  table: string,
  chunk: Chunk,
): Promise<void> => {
  await target.query('begin')
  await target.query(`delete from ${named(table)} where ${within(chunk)}`)
  const reading = source.query(
    copyTo(`copy (select * from ${named(table)} where ${within(chunk)}) to stdout (format binary)`),
  )
  const writing = target.query(copyFrom(`copy ${named(table)} from stdin (format binary)`))
  await pipeline(reading, writing)
  await target.query('commit')
}

const findEnd = async (client: pg.Client, table: string, after: Key | undefined): Promise<Key | undefined> =>
  (
    await one<{ key: Key }>(
      client,
      `select format('(%L::uuid, %s::bigint)', tenant_id, id) as key from ${named(table)}
       where ${within({ after, upTo: undefined })} order by tenant_id, id offset ${chunkRecords - 1} limit 1`,
    )
  )?.key

const chunksOf = async (client: pg.Client, table: string): Promise<Chunk[]> => {
  const chunks: Chunk[] = []
  for (let after: Key | undefined; ;) {
    const upTo: Key | undefined = await findEnd(client, table, after)
    chunks.push({ after, upTo })
    if (upTo === undefined) return chunks
    after = upTo
  }
}

/**
 * Sets the text form of times and numbers on one connection. Source and target need the same form, because the copy
 * compares texts.
 */
export const setTextForm = async (client: pg.Client): Promise<void> => {
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
  const chunks = await chunksOf(source, table)
  for (const [at, chunk] of chunks.entries()) {
    const print = await fingerprint(source, table, chunk)
    if (print !== (await fingerprint(target, table, chunk))) {
      await copyChunk(source, target, table, chunk)
      const copied = await fingerprint(target, table, chunk)
      if (copied !== (await fingerprint(source, table, chunk))) {
        throw new Error(`${table}: records up to ${chunk.upTo ?? 'the last'} differ after they were copied`)
      }
    }
    records += Number(print.split(' ')[0])
    onProgress(at + 1, chunks.length)
  }
  return records
}
