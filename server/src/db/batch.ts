/*
 * Sends several statements in one flush. It uses internals of `pg`, which is therefore pinned exactly, and no other file
 * does.
 *
 * Without a Sync between them PostgreSQL runs the statements as one implicit transaction. The scope, set for the
 * transaction only, and the statement it guards cost one round trip and can share a pipelined connection: the scope is
 * gone before the next batch begins. batch.slow.test.ts proves it with 30,000 mixed jobs.
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { follow, statementStep } from '../tracing/steps.ts'
import { sqlState, statementError } from './errors.ts'

/** Settings by their names, until the end of a transaction. */
export type Settings = Readonly<Record<string, string>>

export interface Statement {
  text: string
  values: unknown[]
  /** The settings that the statement sets, and does nothing else. Citus passes them to its nodes (citus.ts). */
  settings?: Settings | undefined
  /** The setting that the statement computes. */
  computed?: string | undefined
  /** Sent instead on Citus, by a statement that reaches all tenants and cannot be planned over nodes. */
  onCitus?: Statement[] | undefined
  /** Set where other statements must not wait behind this one: `takesLong`, and all statements of `Db.run`. */
  needsOwnConnection?: boolean
  /** Set where a plan must not sort or read a whole table (`takesLong`). */
  goesAlongIndexes?: boolean
  /** Set where it prepares the transaction for the next statement of its flush: traces leave it out. */
  isSetting?: boolean
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

/** Parts of `pg.Result` that its types leave out: the fields of a row and their parsers. */
interface Shape {
  fields: unknown[]
  _parsers: unknown[] | null
  _prebuiltEmptyResultObject: object | null
}

/** Parts of `pg.Query` that its types leave out. */
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

/** Prepared statements of one connection: their plans take memory of the server. */
const preparedMax = 500
/** The protocol counts a statement's values in 16 bits; more would shift every byte that follows. */
const valuesMax = 65_535

/** BIGINT comes as a number: ids and counts stay below 2^53, and JSON has no other integers. By the oids of the types. */
const numbers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1016, (list) => list.match(/-?\d+/g)?.map(Number) ?? []],
])

export const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary'): unknown =>
    numbers.get(oid) ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

/** The state of a name that a connection has prepared. */
interface Known {
  /** `doubtful`: an error left it open whether the server knows the name. */
  state: 'sent' | 'known' | 'doubtful'
  /** The fields of the rows, once described. PostgreSQL refuses to run the name when they would change (0A000). */
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
 * Databases behind a pooler in transaction mode: a connection is not one session there, so a later batch may miss
 * prepared names. Their batches prepare without a name.
 */
const poolers = new Set<string>()

const databaseOf = ({ host, port, database }: pg.Client) => `${host}:${port}/${database}`

/** Connections that collect writes until the end of this turn of the event loop. */
const holding = new WeakSet<Writable>()

/** Writes the statements of all callers of one turn together: a system call costs more than their bytes. */
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
  /** Set when the reply describes the rows of the last statement, for later batches. */
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

  /** Undefined for a statement without a name. */
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
    messages.push(serialize.close({ type: 'S', name })) // closing an unknown name is no error
    messages.push(serialize.parse({ name, text }))
    this.#parsedHere.push(name)
    const [oldest] = names.keys()
    if (oldest && names.size > preparedMax) {
      names.delete(oldest)
      messages.push(serialize.close({ type: 'S', name: oldest }))
    }
    return known
  }

  /** Whether the rows of the last statement need no description, which is half the cost of a small reply. */
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

  // Only the last statement is described and returns rows; rows of the others are ignored.
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

  // The server skips everything after the error, so names that this batch prepared may be missing.
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
 * Whether a prepared statement was missing (26000) or older than a change of its table (0A000). The batch had no
 * effect; sent again, it prepares its names anew.
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
 * Rejects with PostgreSQL's error, or DatabaseUnavailable; whether a write took effect is then unknown. Throws at once
 * when a value cannot be encoded: nothing was sent.
 */
export function send<Row>(
  client: pg.Client,
  statements: Statement[],
  replyMs: number,
): Promise<Outcome<Row>> {
  // Encodes everything before the first write: a value that fails must not leave half a batch.
  const prepared = statements.map(prepare)
  const about = () => ({ text: statements.find(({ isSetting }) => !isSetting)?.text ?? '' })
  return follow(statementStep, about, () => sendPrepared<Row>(client, prepared, replyMs))
}

function sendPrepared<Row>(client: pg.Client, prepared: Prepared[], replyMs: number): Promise<Outcome<Row>> {
  const { promise, resolve, reject } = Promise.withResolvers<Outcome<Row>>()
  const batch = new Batch(prepared, databaseOf(client), (err, outcome) =>
    err ? reject(statementError(err)) : resolve(outcome as Outcome<Row>),
  )
  batch.query_timeout = replyMs
  client.query(batch as unknown as pg.Submittable)
  return promise
}

function prepare({ text, values }: Statement): Prepared {
  if (values.length > valuesMax) throw new RangeError(`a statement takes at most ${valuesMax} values`)
  return { name: nameOf(text), text, values: values.map((value) => prepareValue(value)) }
}

/** Sent without a name: they have no plan to keep, and must work in a session that lost its prepared names. */
const unnamed = new Set(['begin', 'commit', 'rollback'])

const namesByText = new Map<string, string>()

/** Names a text alike on every connection and replica, so that poolers can share prepared statements. */
function nameOf(text: string): string {
  if (unnamed.has(text) || text.startsWith('set local ')) return ''
  const known = namesByText.get(text)
  if (known) return known
  if (namesByText.size >= 4 * preparedMax) namesByText.clear()
  const name = `t${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
  namesByText.set(text, name)
  return name
}
