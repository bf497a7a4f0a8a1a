/** The encoding and the separator of a text file that a spreadsheet or console wrote. */
import { readSync } from 'node:fs'

/** More than any first line with column names has. */
const startBytes = 64 * 1024

export interface Dialect {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** The separator between the cells of CSV. */
  separator: string
  /** True if the first line names the separator, as spreadsheets write it. */
  isNamed: boolean
}

/** UTF-16 begins with its byte order mark, or with a Latin letter, which has one zero byte. */
const encodingOf = ([first, second]: Uint8Array): Dialect['encoding'] => {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8'
}

/** The separator that splits the line so that one column is called `wanted`. */
const separatorIn = (line: string, wanted: string): string =>
  [',', ';', '\t'].find((separator) =>
    line.split(separator).some((name) => name.trim().replaceAll('"', '').toLowerCase() === wanted),
  ) ?? ','

/** Reads the beginning of a file, and keeps the file's position. `column` is a column that the first line names. */
export const readDialect = (fd: number, column: string): Dialect => {
  const bytes = Buffer.alloc(startBytes)
  const start = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0))
  const encoding = encodingOf(start)
  const [line = '', ...lines] = new TextDecoder(encoding).decode(start).split(/[\r\n]+/)
  const named = /^"?sep=(.)"?$/i.exec(line)?.[1]
  const names = line.trim() === '' ? (lines[0] ?? '') : line
  return { encoding, separator: named ?? separatorIn(names, column), isNamed: named !== undefined }
}

/** The text of a file, without its byte order mark. */
export async function* decoded(
  chunks: AsyncIterable<Buffer>,
  encoding: Dialect['encoding'],
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
