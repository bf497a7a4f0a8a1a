/**
 * Sends several statements in one flush. It uses internals of `pg`, which is therefore pinned exactly. No other file
 * does.
 *
 * Without a Sync between them PostgreSQL runs the statements as one implicit transaction. The scope lasts only for
 * that transaction. So scope and statement cost one round trip and can share a pipelined connection: the scope has
 * ended before the next batch begins. batch.slow.test.ts proves it with 30,000 mixed jobs.
 *
 * PostgreSQL answers a Sync with a system call, and skips everything after an error up to the next Sync. So the
 * statements of a transaction in one flush share one Sync (`openTransactionSender`).
 */
import { createHash } from 'node:crypto'
import { createRequire } from 'node:module'
import type { Writable } from 'node:stream'
import pg from 'pg'
import { serialize } from 'pg-protocol'
import { follow, statementStep } from '../traced-steps.ts'
import { DatabaseUnavailable, Skipped, sqlState, statementError } from './errors.ts'

/** Settings by name, until the end of the transaction. */
export type Settings = Readonly<Record<string, string>>

export interface Statement {
  text: string
  values: unknown[]
  /** True if other statements must not wait behind this one: `takesLong`, and all statements of `Db.run`. */
  needsOwnConnection?: boolean
  /** True if the plan must not sort or read a whole table (`takesLong`). */
  isLongRead?: boolean
  /** True if the statement only prepares the transaction for the next statement of its flush. Traces omit it. */
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

const connectionOf = (client: pg.Client): Connection =>
  (client as unknown as { connection: Connection }).connection

/** Parts of `pg.Result` that its types omit: the fields of a row and their parsers. */
interface Shape {
  fields: unknown[]
  _parsers: unknown[] | null
  _prebuiltEmptyResultObject: object | null
}

/** Parts of `pg.Query` that its types omit. */
interface QueryInternals {
  query_timeout?: number
  queryMode: string
  _result: Shape & Outcome & { _types?: pg.CustomTypesConfig }
  _accumulateRows?: boolean
  _canceledDueToError: unknown
  handleDataRow(message: unknown): void
  handleCommandComplete(message: unknown, connection: Connection): void
  handleError(err: unknown, connection: Connection): void
}
type Callback = (err: Error | null) => void
const Query = pg.Query as unknown as new (
  text: string,
  values: undefined,
  callback: Callback,
) => QueryInternals

type Encoded = string | Buffer | null

// @types/pg omits this file.
const { prepareValue } = createRequire(import.meta.url)('pg/lib/utils.js') as {
  prepareValue: (value: unknown) => Encoded
}

interface Prepared {
  name: string
  text: string
  values: Encoded[]
  /** True if the caller reads the rows of the statement. The rows of other statements are ignored. */
  hasOutcome: boolean
}

const Result = pg.Result as unknown as new () => QueryInternals['_result']

/** The most prepared statements of one connection. Their plans take memory of the server. */
const preparedMax = 500
/** The protocol counts a statement's values in 16 bits. More values would corrupt the message. */
const valuesMax = 65_535

const parseTexts = pg.types.getTypeParser(1009 as number, 'text') as (list: string) => unknown

/** The library reads lists letter by letter. A list of permission codes is plain: no quotes, no nulls, no lists. */
const textsOf = (list: string): unknown =>
  /^\{[^"\\{}]+\}$/.test(list) && !list.includes('NULL') ? list.slice(1, -1).split(',') : parseTexts(list)

/** Parsers by type oid. BIGINT becomes a number: ids and counts stay below 2^53, and JSON has no other integers. */
const numbers = new Map<number, (text: string) => unknown>([
  [20, Number],
  [1016, (list) => list.match(/-?\d+/g)?.map(Number) ?? []],
  [1009, textsOf],
])

export const types = {
  getTypeParser: (oid: number, format: 'text' | 'binary'): unknown =>
    numbers.get(oid) ?? pg.types.getTypeParser(oid, format),
} as pg.CustomTypesConfig

interface PreparedName {
  /** `doubtful`: after an error it is unknown whether the server has the name. */
  state: 'sent' | 'known' | 'doubtful'
  /**
   * The row's fields, after PostgreSQL has described them. If they would change, PostgreSQL refuses to run the name
   * (0A000).
   */
  shape?: Shape
}

/** The prepared names of each connection, the least recently used one first. */
const preparedNames = new WeakMap<Connection, Map<string, PreparedName>>()

function namesOf(connection: Connection): Map<string, PreparedName> {
  const names = preparedNames.get(connection) ?? new Map<string, PreparedName>()
  preparedNames.set(connection, names)
  return names
}

/**
 * Databases behind a pooler in transaction mode. The pooler's connections share sessions, so a later batch can miss
 * prepared names. Batches to these databases prepare without a name.
 */
const poolers = new Set<string>()

const databaseOf = ({ host, port, database }: pg.Client) => `${host}:${port}/${database}`

/** Connections that collect writes until the end of this turn of the event loop. */
const holding = new WeakSet<Writable>()

/** Writes the statements of all callers of one turn together, because a system call costs more than their bytes. */
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
  readonly statements: Prepared[]
  readonly #database: string
  readonly #parsedHere: string[] = []
  /** The prepared name of each statement. Undefined for a statement without a name. */
  readonly #names: (PreparedName | undefined)[] = []
  /** The outcomes of completed statements that have an outcome. */
  readonly outcomes: Outcome[] = []
  /** The number of completed statements. If the batch fails, the next one failed. */
  completed = 0

  constructor(statements: Prepared[], database: string, callback: Callback) {
    super('', undefined, callback)
    this.queryMode = 'extended'
    this.statements = statements
    this.#database = database
  }

  prepare(connection: Connection) {
    const names = namesOf(connection)
    const messages: Buffer[] = []
    for (const statement of this.statements) {
      const known = this.#parse(messages, names, statement)
      this.#names.push(known)
      messages.push(serialize.bind({ statement: known ? statement.name : '', values: statement.values }))
      // A known row shape needs no description, which is half the cost of a small reply.
      if (statement.hasOutcome && !known?.shape) messages.push(describe)
      messages.push(execute)
    }
    messages.push(sync)
    this.#expect()
    if (connection.stream.writable) connection.stream.write(Buffer.concat(messages))
  }

  /** Undefined for a statement without a name. */
  #parse(
    messages: Buffer[],
    names: Map<string, PreparedName>,
    { name, text }: Prepared,
  ): PreparedName | undefined {
    if (name === '' || poolers.has(this.#database)) {
      messages.push(serialize.parse({ name: '', text }))
      return undefined
    }
    const before = names.get(name)
    const known: PreparedName = before && before.state !== 'doubtful' ? before : { state: 'sent' }
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

  /** Prepares the result for the next statement's answer, if its caller reads that. */
  #expect() {
    if (!this.statements[this.completed]?.hasOutcome) return
    this._result = new Result()
    this._result._types = types
    const shape = this.#names[this.completed]?.shape
    if (!shape) return
    Object.assign(this._result, shape)
    this._accumulateRows = true
  }

  override handleDataRow(message: unknown) {
    if (this.statements[this.completed]?.hasOutcome) super.handleDataRow(message)
  }

  override handleCommandComplete(message: unknown, connection: Connection) {
    if (this._canceledDueToError) return // a row could not be read: the statement counts as failed
    if (this.statements[this.completed]?.hasOutcome) {
      super.handleCommandComplete(message, connection)
      this.outcomes.push(this._result)
      const known = this.#names[this.completed]
      if (known) known.shape ??= shapeOf(this._result)
    }
    this.completed++
    if (this.completed < this.statements.length) this.#expect()
    else this.#keepNames(connection)
  }

  #keepNames(connection: Connection) {
    const names = namesOf(connection)
    for (const name of this.#parsedHere) {
      const known = names.get(name)
      if (known?.state === 'sent') known.state = 'known'
    }
  }

  // The server skips everything after the error, so it can lack names that this batch prepared.
  override handleError(err: unknown, connection: Connection) {
    const names = namesOf(connection)
    const lost = sqlState(err) === '26000' ? namedIn(err, this.statements) : undefined
    if (lost && names.get(lost)?.state === 'known') poolers.add(this.#database)
    const doubtful = isStalePlan(err) ? this.statements.map(({ name }) => name) : this.#parsedHere
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
 * True if a prepared statement was missing (26000), or older than a change of its table (0A000). The batch had no
 * effect. A second attempt prepares its names again.
 */
export function isStalePlan(err: unknown): boolean {
  const state = sqlState(err)
  return (
    state === '26000' || (state === '0A000' && (err as pg.DatabaseError).routine === 'RevalidateCachedQuery')
  )
}

/**
 * Sends the statements in one flush, as one implicit transaction unless they begin, or run within, an explicit one.
 * Resolves with the outcome of the last. `replyMs` bounds the wait in milliseconds. After it `pg` destroys the
 * connection, because nothing behind a lost reply can be trusted.
 *
 * Rejects with PostgreSQL's error, or with DatabaseUnavailable: then nobody knows if a write took effect. Throws at
 * once if a value cannot be encoded, and sends nothing.
 */
export function send<Row>(
  client: pg.Client,
  statements: Statement[],
  replyMs: number,
): Promise<Outcome<Row>> {
  // Encodes everything before the first write, because a value that fails must not leave half a batch.
  const prepared = prepareAll(statements)
  return follow(statementStep, aboutOf(statements), () => {
    const { promise, resolve, reject } = Promise.withResolvers<Outcome<Row>>()
    // First, because `pg` writes at once while the connection is idle.
    writeTogether(connectionOf(client))
    const { outcomes } = submit(client, prepared, replyMs, (err) =>
      err ? reject(statementError(err)) : resolve(outcomes[0] as Outcome<Row>),
    )
    return promise
  })
}

function submit(client: pg.Client, prepared: Prepared[], replyMs: number, callback: Callback): Batch {
  const batch = new Batch(prepared, databaseOf(client), callback)
  batch.query_timeout = replyMs
  client.query(batch as unknown as pg.Submittable)
  return batch
}

/** Statements of one caller in a shared flush. The outcome belongs to the last statement. */
interface QueuedStatements {
  statements: Prepared[]
  replyMs: number
  resolve: (outcome: Outcome) => void
  reject: (reason: unknown) => void
}

/** Sends statements of a transaction. */
export type TransactionSender = <Row>(statements: Statement[], replyMs: number) => Promise<Outcome<Row>>

/**
 * Sends the statements of all calls within one turn of the event loop as one batch, on a connection that one
 * transaction holds. Each call resolves and throws as `send` does. PostgreSQL skips the statements after a failed one:
 * they reject with Skipped, unless the database is unavailable.
 */
export function openTransactionSender(client: pg.Client): TransactionSender {
  let queued: QueuedStatements[] = []
  const flush = () => {
    const callers = queued
    queued = []
    const replyMs = Math.min(...callers.map((caller) => caller.replyMs))
    const all = callers.flatMap(({ statements }) => statements)
    const batch = submit(client, all, replyMs, (err) => settle(callers, batch, err))
  }
  return <Row>(statements: Statement[], replyMs: number) => {
    const prepared = prepareAll(statements)
    return follow(statementStep, aboutOf(statements), () => {
      const { promise, resolve, reject } = Promise.withResolvers<Outcome>()
      if (queued.length === 0) setImmediate(flush)
      queued.push({ statements: prepared, replyMs, resolve, reject })
      return promise as Promise<Outcome<Row>>
    })
  }
}

function settle(callers: QueuedStatements[], { outcomes, completed }: Batch, err: Error | null): void {
  let failure: unknown
  let end = 0
  for (const [index, { statements, resolve, reject }] of callers.entries()) {
    end += statements.length
    const outcome = outcomes[index]
    if (outcome && completed >= end) resolve(outcome)
    else if (failure === undefined) reject((failure = statementError(err)))
    else reject(failure instanceof DatabaseUnavailable ? failure : new Skipped())
  }
}

const aboutOf = (statements: Statement[]) => () => ({
  text: statements.find(({ isSetting }) => !isSetting)?.text ?? '',
})

const prepareAll = (statements: Statement[]): Prepared[] =>
  statements.map(({ text, values }, index) => {
    if (values.length > valuesMax) throw new RangeError(`a statement takes at most ${valuesMax} values`)
    const hasOutcome = index === statements.length - 1
    return { name: nameOf(text), text, values: values.map((value) => prepareValue(value)), hasOutcome }
  })

/** Sent without a name. They have no plan to keep, and must work in a session that lost its prepared names. */
const unnamed = new Set(['begin', 'commit', 'rollback'])

const namesByText = new Map<string, string>()

/** The same text gets the same name on every connection and replica, so that poolers can share prepared statements. */
function nameOf(text: string): string {
  if (unnamed.has(text)) return ''
  const known = namesByText.get(text)
  if (known) return known
  if (namesByText.size >= 4 * preparedMax) namesByText.clear()
  const name = `t${createHash('sha256').update(text).digest('hex').slice(0, 40)}`
  namesByText.set(text, name)
  return name
}
