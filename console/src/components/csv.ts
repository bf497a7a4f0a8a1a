import { spreadsheetFormula } from '@tenantry/client'

type Cell = string | number

/** Fetches Papa Parse when the first file is read or written. */
const load = async () => (await import('papaparse')).default

/** With this mark, Excel reads the file as UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Puts an apostrophe before a cell that a spreadsheet would run as a formula. */
export const toCsv = async (rows: Cell[][]): Promise<string> =>
  `${(await load()).unparse(rows, { escapeFormulae: spreadsheetFormula, newline: '\r\n' })}\r\n`

/** Removes the apostrophe that `toCsv` adds. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && spreadsheetFormula.test(cell) ? cell.slice(1) : cell

/** The line of an unclosed quotation mark, after which cells cannot be separated. */
export interface CsvFault {
  line: number
}

export interface CsvRow {
  /**
   * The line of the file in which the row begins, from 1. It differs from the row's index: cells can contain line
   * ends, and empty lines are skipped.
   */
  line: number
  cells: string[]
}

const lineEnds = (text: string): number => text.split(/\r\n|\r|\n/).length - 1

const isEmpty = (cells: string[]): boolean => cells.every((cell) => cell.trim() === '')

const separatorLine = /^"?sep=(.)"?(?:\r\n|\r|\n)/i

const separators = [',', ';', '\t', '|']

/** The most frequent separator of the header. */
const separatorOf = (text: string): string | undefined => {
  const [header = ''] = text.replace(/^[\r\n]+/, '').split(/[\r\n]/, 1)
  const columns = (separator: string) => header.split(separator).length
  return separators.toSorted((one, other) => columns(other) - columns(one))[0]
}

/** The unchanged cells of a CSV file with any separator. */
export const fromCsv = async (file: string): Promise<CsvRow[] | CsvFault> => {
  const papa = await load()
  const [named = '', separator] = separatorLine.exec(file) ?? []
  const text = file.slice(named.length)
  const rows: CsvRow[] = []
  const faults: number[] = []
  let [line, from] = [1 + lineEnds(named), 0]
  papa.parse<string[]>(text, {
    delimiter: separator ?? separatorOf(text),
    step: ({ data: cells, errors, meta: { cursor } }) => {
      faults.push(...errors.filter(({ type }) => type === 'Quotes').map(({ index = 0 }) => index))
      if (!isEmpty(cells)) rows.push({ line, cells })
      line += lineEnds(text.slice(from, cursor))
      from = cursor
    },
  })
  const [fault] = faults
  return fault === undefined ? rows : { line: lineEnds(`${named}${text.slice(0, fault)}`) + 1 }
}
