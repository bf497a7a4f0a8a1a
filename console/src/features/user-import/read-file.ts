import { fromCsv, type CsvRow } from '../../components/csv.ts'

/** The most rows. More rows take long, and the page must stay open meanwhile. */
export const rowsMax = 1000
export const bytesMax = 2 * 1024 * 1024

/** The header of the first column in a file of failed rows (result-files.ts). */
export const reasonHeader = 'reason'

export interface ImportFile {
  name: string
  header: string[]
  rows: CsvRow[]
  /** True if the console wrote the file. Then an apostrophe guards formulas in every column. */
  isOwn: boolean
}

/** The reason why a file cannot be imported, with its line if known. */
export interface Unreadable {
  problem:
    | 'userImport.noRows'
    | 'userImport.notReadable'
    | 'userImport.notUtf8'
    | 'userImport.quotes'
    | 'userImport.tooLarge'
    | 'userImport.tooMany'
  line?: number
}

/** UTF-16 begins with its mark, or has a zero byte beside a Latin letter. */
const encodingOf = ([first, second]: Uint8Array): string => {
  if ((first === 0xff && second === 0xfe) || second === 0) return 'utf-16le'
  return (first === 0xfe && second === 0xff) || first === 0 ? 'utf-16be' : 'utf-8'
}

const decode = (bytes: ArrayBuffer): string | undefined => {
  try {
    return new TextDecoder(encodingOf(new Uint8Array(bytes)), { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

const fileOf = (name: string, [first, ...rows]: CsvRow[]): ImportFile => {
  const header = first?.cells ?? []
  if (header[0] !== reasonHeader) return { name, header, rows, isOwn: false }
  const own = rows.map(({ line, cells }) => ({ line, cells: cells.slice(1) }))
  return { name, header: header.slice(1), rows: own, isOwn: true }
}

export const readFile = async (file: File): Promise<ImportFile | Unreadable> => {
  if (file.size > bytesMax) return { problem: 'userImport.tooLarge' }
  const bytes = await file.arrayBuffer().catch(() => undefined)
  if (!bytes) return { problem: 'userImport.notReadable' }
  const text = decode(bytes)
  if (text === undefined) return { problem: 'userImport.notUtf8' }
  const cells = await fromCsv(text)
  if ('line' in cells) return { problem: 'userImport.quotes', line: cells.line }
  if (cells.length < 2) return { problem: 'userImport.noRows' }
  return cells.length > rowsMax + 1 ? { problem: 'userImport.tooMany' } : fileOf(file.name, cells)
}
