/** Encoding and separator of a file of text, as spreadsheets and consoles save it. */
import { readSync } from 'node:fs'

/** The names of a first line are shorter. */
const startBytes = 64 * 1024

export interface Dialect {
  encoding: 'utf-8' | 'utf-16le' | 'utf-16be'
  /** Between the cells of CSV. */
  separator: string
  /** Whether the first line names the separator, as spreadsheets do. */
  isNamed: boolean
}

/** UTF-16 begins with its mark, or with a half of a Latin letter that is zero. */
const encodingOf = ([first, second]: Uint8Array): Dialect['encoding'] => {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8'
}

/** The separator that makes a name of the line the wanted one. */
const separatorIn = (line: string, wanted: string): string =>
  [',', ';', '\t'].find((separator) =>
    line.split(separator).some((name) => name.trim().replaceAll('"', '').toLowerCase() === wanted),
  ) ?? ','

/** Looks at the beginning of a file, and leaves its position. `column` is a name that stands in its first line. */
export const readDialect = (fd: number, column: string): Dialect => {
  const bytes = Buffer.alloc(startBytes)
  const start = bytes.subarray(0, readSync(fd, bytes, 0, bytes.length, 0))
  const encoding = encodingOf(start)
  const [line = '', ...lines] = new TextDecoder(encoding).decode(start).split(/[\r\n]+/)
  const named = /^"?sep=(.)"?$/i.exec(line)?.[1]
  const names = line.trim() === '' ? (lines[0] ?? '') : line
  return { encoding, separator: named ?? separatorIn(names, column), isNamed: named !== undefined }
}

/** The text of a file, without the mark at its beginning. */
export async function* decoded(
  chunks: AsyncIterable<Buffer>,
  encoding: Dialect['encoding'],
): AsyncGenerator<string> {
  const decoder = new TextDecoder(encoding)
  for await (const chunk of chunks) yield decoder.decode(chunk, { stream: true })
  yield decoder.decode()
}
