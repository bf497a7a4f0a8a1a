/** A CSV or NDJSON file of users from another system, read row by row, and the file of its refused rows. */
import { closeSync, createReadStream, fstatSync, openSync, writeSync } from 'node:fs'
import { Readable } from 'node:stream'
import { CsvError, parse } from 'csv-parse'
import { AppError } from '../errors/app-error.ts'
import { readAsBody } from '../http/body.ts'
import { openNamed } from '../named-file.ts'
import { Refusal } from '../errors/refusal.ts'
import { decoded, readDialect } from './file-dialect.ts'

/** The most bytes of a row, more than any valid row has. Longer text has no line end. */
const rowBytesMax = 64 * 1024

export interface FileRow {
  /** The row as a body of the API, or the reason why it could not be read. */
  input: unknown
  /** The row as a line of the file of refused rows, with the reason. */
  refusedAs(reason: string): string
  /** The number of bytes that are read so far. */
  bytesRead: number
}

export interface ImportFile {
  bytes: number
  /** The ending of the file's name. */
  ending: '.csv' | '.ndjson'
  /** The first line of the file of refused rows. */
  head(): string
  rows(): AsyncGenerator<FileRow>
}

/** Opens a file by the ending of its name. Throws an Error of one line if it cannot be read. */
export const openImportFile = (path: string): ImportFile => {
  const format = Object.entries(formats).find(([ending]) => path.toLowerCase().endsWith(ending))
  if (!format) throw new Refusal([`${path} must end with .csv, .ndjson or .jsonl`])
  const fd = openNamed(path)
  return format[1](path, fd, fstatSync(fd).size)
}

type Open = (path: string, fd: number, bytes: number) => ImportFile

const cell = (text: string): string => `"${text.replaceAll('"', '""')}"`
const csvLine = (cells: string[]): string => `${cells.map(cell).join(',')}\r\n`

/** Parsers of cells that are not texts. An invalid cell stays a text, which the check refuses. */
const readers: Record<string, (text: string) => unknown> = {
  status: (text) => (/^[01]$/.test(text) ? Number(text) : text),
  email_verified: (text) => {
    // PostgreSQL writes booleans as t and f.
    if (/^(?:true|t|1)$/i.test(text)) return true
    return /^(?:false|f|0)$/i.test(text) ? false : text
  },
  role_ids: (text) => text.split(/[;\s]+/).map((id) => (/^\d{1,15}$/.test(id) ? Number(id) : id)),
}

/** An empty cell is a missing field. */
const fieldsOf = (names: string[], cells: string[]): object =>
  Object.fromEntries(
    names.flatMap((name, place) => {
      const text = cells[place] ?? ''
      const trimmed = text.trim()
      return trimmed === '' ? [] : [[name, readers[name]?.(trimmed) ?? text]]
    }),
  )

const namesOf = (path: string, head: string[]): string[] => {
  const names = head.map((name) => name.trim().toLowerCase())
  if (!names.includes('email')) {
    throw new Refusal([`${path} has no column email in its first line. Save the file as “CSV UTF-8”`])
  }
  const isTwice = new Set(names).size < names.length
  if (isTwice) throw new Refusal([`${path} names a column twice in its first line`])
  return names
}

/**
 * The column with the reason in a file of refused rows. An import ignores the column, so the file can be imported
 * again.
 */
const reasonColumn = 'reason'

const openCsv: Open = (path, fd, bytes) => {
  let head: string[] = []
  const withReason = (cells: string[], reason: string) => {
    const place = head.indexOf(reasonColumn)
    return csvLine([reason, ...cells.filter((_, at) => at !== place)])
  }
  return {
    bytes,
    ending: '.csv',
    head: () => withReason(head, reasonColumn),
    async *rows() {
      const { encoding, separator, isNamed } = readDialect(fd, 'email')
      const stream = createReadStream(path, { fd })
      const text = Readable.from(decoded(stream as AsyncIterable<Buffer>, encoding))
      const parser = text.pipe(
        parse({
          delimiter: separator,
          from_line: isNamed ? 2 : 1,
          skip_empty_lines: true,
          relax_column_count: true,
          max_record_size: rowBytesMax,
        }),
      )
      text.on('error', (err) => parser.destroy(err))
      let names: string[] | undefined
      for await (const cells of parser as AsyncIterable<string[]>) {
        if (!names) {
          head = cells
          names = namesOf(path, cells)
          continue
        }
        const isWhole = cells.length === head.length
        const fault = isWhole
          ? unsound(cells.join(''))
          : `has ${cells.length} cells instead of ${head.length}`
        yield {
          input: fault ?? fieldsOf(names, cells),
          refusedAs: (reason) => withReason(cells, reason),
          bytesRead: stream.bytesRead,
        }
      }
    },
  }
}

async function* linesOf(path: string, texts: AsyncIterable<string>): AsyncGenerator<string> {
  let rest = ''
  for await (const text of texts) {
    const lines = `${rest}${text}`.split('\n')
    rest = lines.pop() ?? ''
    yield* lines
    if (rest.length > rowBytesMax) throw new Refusal([`${path} has a line of more than 64 KiB`])
  }
  if (rest.length > 0) yield rest
}

/** The character that the decoder writes for bytes that are not UTF-8. */
const replacement = '\uFFFD'

/** The reason why the database cannot store a text. Undefined if it can. */
const unsound = (text: string): string | undefined => {
  if (text.includes(replacement)) return 'is not UTF-8: save the file as “CSV UTF-8”'
  return text.includes('\0') ? 'has a NUL character' : undefined
}

/** The value of a line, or the reason why the line has none. */
const readLine = (line: string): unknown => {
  try {
    return unsound(line) ?? readAsBody(line)
  } catch (err) {
    return err instanceof AppError ? `cannot be read: ${err.message}` : 'is not JSON'
  }
}

const openNdjson: Open = (path, fd, bytes) => ({
  bytes,
  ending: '.ndjson',
  head: () => '',
  async *rows() {
    const { encoding } = readDialect(fd, 'email')
    const stream = createReadStream(path, { fd })
    for await (const line of linesOf(path, decoded(stream as AsyncIterable<Buffer>, encoding))) {
      const text = line.trim()
      if (text === '') continue
      const input = readLine(text)
      yield {
        input,
        refusedAs: (reason) => {
          const isRow = typeof input === 'object' && input !== null && !Array.isArray(input)
          return `${JSON.stringify({ ...(isRow ? input : { line: text }), [reasonColumn]: reason })}\n`
        },
        bytesRead: stream.bytesRead,
      }
    }
  },
})

const formats: Record<string, Open> = { '.csv': openCsv, '.ndjson': openNdjson, '.jsonl': openNdjson }

/** Explains an error of the CSV parser. */
export const explain = (path: string, err: unknown): unknown =>
  err instanceof CsvError ? new Error(`${path} is no CSV: ${err.message}`, { cause: err }) : err

/** The file of refused rows. It contains password hashes, so only the operator can read it. */
export const createRefusedFile = (path: string) => {
  let fd: number | undefined
  return {
    write(head: string, line: string): void {
      if (fd === undefined) {
        fd = openSync(path, 'wx', 0o600)
        writeSync(fd, head)
      }
      writeSync(fd, line)
    },
    close(): void {
      if (fd !== undefined) closeSync(fd)
    },
  }
}
