/*
 * The one file that stands on internals of `pg` (pinned exactly): several statements in one flush.
 *
 * Without a Sync between them PostgreSQL runs them as one implicit transaction, so that the scope (set for the
 * transaction only) and the statement it guards cost one round trip and can share a pipelined connection:
 * what the first sets is gone before the next batch begins. batch.test.ts proves it with 30,000 mixed jobs.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { sqlState, statementError } from './errors.ts'

export interface Statement {
  text: string
  values: unknown[]
}

export interface Outcome<Row = unknown> {
  /** The first word of the command tag: SELECT, INSERT, COMMIT, ROLLBACK … */
  command: string
  rowCount: number | null
  rows: Row[]
}

interface Connection {
  stream: Writable
}

/** What `pg.Result` has besides the outcome, and its types leave out: how the rows look and are read. */
interface Shape {
  fields: unknown[]
  _parsers: unknown[] | null
  _prebuiltEmptyResultObject: object | null
}

/** What `pg.Query` has and its types leave out. */
interface QueryInternals {
  query_timeout?: number
  queryMode: string
  _result: Shape & { _types?: pg.CustomTypesConfig }
  _accumulateRows?: boolean
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleError(err: unknown, connection: Connection): void
}
type Callback = (err: Error | null, outcome: Outcome) => void
const Query = pg.Query as unknown as new (
  text: string,
  values: undefined,
  callback: Callback,
) => QueryInternals

type Encoded = string | Buffer | null

// @types/pg leaves this file out.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => Encoded
}

interface Prepared {
  name: string
  text: string
  values: Encoded[]
}

/** Prepared statements that one connection keeps: their plans live in the server's memory. */
const preparedMax = 500
/** The protocol counts a statement's values in 16 bits; more would shift every byte that follows. */
const valuesMax = 65_535

/** The oid of the type BIGINT. */
const int8 = 20

/** BIGINT comes as a number: ids and counts stay below 2^53, and JSON has no other integers. */
export const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary'): unknown =>
    oid === int8 ? Number : pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** What a connection knows of a name it has prepared. */
interface Known {
  /** `doubtful`: an error left it open whether the server knows the name. */
  state: 'sent' | 'known' | 'doubtful'
  /** Known since it was described: the server refuses to run it once its rows would look otherwise (0A000). */
  shape?: Shape
}

/** The names each connection has prepared, the least recently used one first. */
const preparedNames = new WeakMap<Connection, Map<string, Known>>()

function namesOf(connection: Connection): Map<string, Known> {
  const names = preparedNames.get(connection) ?? new Map<string, Known>()
  preparedNames.set(connection, names)
  return names
}

/**
 * Databases where a connection is not one session: a pooler in transaction mode stands before them, and what one
 * batch prepared the next may not find. Their batches prepare for themselves, without a name.
 */
const poolers = new Set<string>()

const databaseOf = ({ host, port, database }: pg.Client) => `${host}:${port}/${database}`

/** Connections that hold back what is written until this turn of the event loop is over. */
const holding = new WeakSet<Writable>()

/** What all callers of one turn send goes out in one write: a system call costs more than what it carries. */
function writeTogether({ stream }: Connection): void {
  if (holding.has(stream)) return
  holding.add(stream)
  stream.cork()
  setImmediate(() => {
    holding.delete(stream)
    stream.uncork()
  })
}

const describe = serialize.describe({ type: 'P', name: '' })
const execute = serialize.execute()
const sync = serialize.sync()

class Batch extends Query {
  readonly #statements: Prepared[]
  readonly #database: string
  readonly #parsedHere: string[] = []
  /** Set where the rows of the last statement are described in the reply, for those who come later. */
  #described: Known | undefined
  #completed = 0

  constructor(statements: Prepared[], database: string, callback: Callback) {
    super('', undefined, callback)
    this.queryMode = 'extended'
    this._result._types = types
    this.#statements = statements
    this.#database = database
  }

  prepare(connection: Connection) {
    const names = namesOf(connection)
    const messages: Buffer[] = []
    for (const [index, statement] of this.#statements.entries()) {
      const known = this.#parse(messages, names, statement)
      messages.push(serialize.bind({ statement: known ? statement.name : '', values: statement.values }))
      if (index === this.#statements.length - 1 && !this.#isShapedBy(known)) messages.push(describe)
      messages.push(execute)
    }
    messages.push(sync)
    writeTogether(connection)
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  /** Undefined for a statement that is prepared without a name. */
  #parse(messages: Buffer[], names: Map<string, Known>, { name, text }: Prepared): Known | undefined {
    if (name === '' || poolers.has(this.#database)) {
      messages.push(serialize.parse({ name: '', text }))
      return undefined
    }
    const before = names.get(name)
    const known: Known = before && before.state !== 'doubtful' ? before : { state: 'sent' }
    names.delete(name)
    names.set(name, known)
    if (known === before) return known
    messages.push(serialize.close({ type: 'S', name })) // closing a name that the server does not know is no error
    messages.push(serialize.parse({ name, text }))
    this.#parsedHere.push(name)
    const [oldest] = names.keys()
    if (oldest && names.size > preparedMax) {
      names.delete(oldest)
      messages.push(serialize.close({ type: 'S', name: oldest }))
    }
    return known
  }

  /** Whether the rows of the last statement need no description any more: half of what a small reply costs. */
  #isShapedBy(known: Known | undefined): boolean {
    this.#described = known
    if (!known?.shape) return false
    Object.assign(this._result, known.shape)
    this._accumulateRows = true
    return true
  }

  get #isLast() {
    return this.#completed === this.#statements.length - 1
  }

  // Only the last statement is described, so only its rows have a shape; those of the others are of no interest.
  override handleDataRow(message: unknown) {
    if (this.#isLast) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection) {
    if (this.#isLast) {
      const names = namesOf(connection)
      for (const name of this.#parsedHere) {
        const known = names.get(name)
        if (known?.state === 'sent') known.state = 'known'
      }
      if (this.#described) this.#described.shape ??= shapeOf(this._result)
      super.handleCommandComplete(message, connection)
    }
    this.#completed++
  }

  // What this batch parsed may not exist: the server skips everything behind the error.
  override handleError(err: unknown, connection: Connection) {
    const names = namesOf(connection)
    const lost = sqlState(err) === '26000' ? namedIn(err, this.#statements) : undefined
    if (lost && names.get(lost)?.state === 'known') poolers.add(this.#database)
    const doubtful = isStalePlan(err) ? this.#statements.map(({ name }) => name) : this.#parsedHere
    for (const name of doubtful) if (names.has(name)) names.set(name, { state: 'doubtful' })
    super.handleError(err, connection)
  }
}

const shapeOf = ({ fields, _parsers, _prebuiltEmptyResultObject }: Shape): Shape => ({
  fields,
  _parsers,
  _prebuiltEmptyResultObject,
})

const namedIn = (err: unknown, statements: Prepared[]) =>
  statements.find(({ name }) => name !== '' && (err as Error).message.includes(name))?.name

/**
 * Whether a prepared statement was missing (26000) or outlived a change of its table (0A000). The batch had no
 * effect, and its names are in doubt now: sent again it prepares them anew.
 */
export function isStalePlan(err: unknown): boolean {
  const state = sqlState(err)
  return (
    state === '26000' || (state === '0A000' && (err as pg.DatabaseError).routine === 'RevalidateCachedQuery')
  )
}

/**
 * Sends the statements in one flush, as one implicit transaction (unless they begin, or run within, an explicit
 * one), and resolves with the outcome of the last. `replyMs` bounds the wait in milliseconds: past it the connection
 * is destroyed, as nothing behind a lost reply can be trusted.
 *
 * Throws PostgreSQL's error, or DatabaseUnavailable; whether a write took effect is then unknown.
 */
export async function send<Row>(
  client: pg.Client,
  statements: Statement[],
  replyMs: number,
): Promise<Outcome<Row>> {
  // Everything is encoded before the first byte is written: a value that cannot be must not leave half a batch.
  const prepared = statements.map(prepare)
  try {
    return await new Promise<Outcome<Row>>((resolve, reject) => {
      const batch = new Batch(prepared, databaseOf(client), (err, outcome) =>
        err ? reject(err) : resolve(outcome as Outcome<Row>),
      )
      batch.query_timeout = replyMs
      client.query(batch as unknown as pg.Submittable)
    })
  } catch (err) {
    throw statementError(err)
  }
}

function prepare({ text, values }: Statement): Prepared {
  if (values.length > valuesMax) throw new RangeError(`a statement takes at most ${valuesMax} values`)
  return { name: nameOf(text), text, values: values.map((value) => prepareValue(value)) }
}

/** Without a name: they bring nothing to be kept, and must work in a session that has lost what was prepared. */
const unnamed = new Set(['begin', 'commit', 'rollback'])

const namesByText = new Map<string, string>()

/** The same text has the same name on every connection and replica: poolers can share what is prepared. */
function nameOf(text: string): string {
  if (unnamed.has(text)) return ''
  const known = namesByText.get(text)
  if (known) return known
  if (namesByText.size >= 4 * preparedMax) namesByText.clear()
  const name = `t${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
  namesByText.set(text, name)
  return name
}
