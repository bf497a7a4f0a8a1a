import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino'

/** Names whose values never reach a log line: secrets, and e-mail addresses, which are personal though no secret. */
const withheldName = /password|secret|token|authorization|cookie|e_?mail/i

/** Deeper than any object we log; a guard against cycles, too. */
const depthMax = 6

const isPlain = (value: object): boolean => {
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

/** Instances (errors, dates) pass as they are: their serializer or `toJSON` decides what they show. */
const withheld = (value: unknown, depth: number): unknown => {
  if (typeof value !== 'object' || value === null) return value
  if (depth === 0) return '[too deep]'
  if (Array.isArray(value)) return value.map((item) => withheld(item, depth - 1))
  return isPlain(value) ? withheldFields(value, depth - 1) : value
}

const withheldFields = (fields: object, depth: number): Record<string, unknown> => {
  const shown: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(fields)) {
    shown[name] = withheldName.test(name) ? '[withheld]' : withheld(value, depth)
  }
  return shown
}

/** Fields of an error that say what went wrong without quoting anybody's data. */
const errorFields = [
  'code',
  'status',
  'syscall',
  'address',
  'port',
  'severity',
  'schema',
  'table',
  'constraint',
]

const fieldsOf = (err: Error): Record<string, unknown> => {
  const fields: Record<string, unknown> = {}
  for (const name of errorFields) {
    const value: unknown = Reflect.get(err, name)
    if (typeof value === 'string' || typeof value === 'number') fields[name] = value
  }
  return fields
}

/**
 * An error as it is logged. Fields are chosen, not copied: an error may carry the request that failed, and
 * PostgreSQL's `detail` and `where` quote the row.
 */
const errorLine = (err: unknown, depth = depthMax): unknown => {
  if (!(err instanceof Error)) return withheld(err, depth)
  if (depth === 0) return { type: err.name, message: err.message }
  const line: Record<string, unknown> = {
    type: err.name,
    message: err.message,
    stack: err.stack,
    ...fieldsOf(err),
  }
  if (err.cause !== undefined) line['cause'] = errorLine(err.cause, depth - 1)
  if (err instanceof AggregateError) {
    line['errors'] = err.errors.slice(0, depthMax).map((inner) => errorLine(inner, depth - 1))
  }
  return line
}

/**
 * The logger of the process: JSON lines on stdout, written at once, so that the last line before an exit is there.
 * What is withheld goes by name and at any depth. Not pino's `redact`: its wildcards take some 50 µs a line, this
 * half of one. It sees the fields of a line, not the bindings of a child logger: bind identifiers only.
 */
export const createLogger = (level: string, destination: DestinationStream = pino.destination(1)): Logger =>
  pino(
    {
      level,
      timestamp: stdTimeFunctions.isoTime,
      formatters: {
        level: (label) => ({ level: label }),
        log: (fields) => withheldFields(fields, depthMax),
      },
      serializers: { err: (err: unknown) => errorLine(err), error: (err: unknown) => errorLine(err) },
    },
    destination,
  )
