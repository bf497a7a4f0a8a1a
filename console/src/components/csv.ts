import { spreadsheetFormula } from '@tenantry/client'

type Cell = string | number

/** Papa Parse, fetched when a file is first read or written. */
const load = async () => (await import('papaparse')).default

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Lines of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export const toCsv = async (rows: Cell[][]): Promise<string> =>
  `${(await load()).unparse(rows, { escapeFormulae: spreadsheetFormula, newline: '\r\n' })}\r\n`

/** A cell as it was before `toCsv`. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && spreadsheetFormula.test(cell) ? cell.slice(1) : cell

/** The line of a quotation mark that is not closed. The cells after it cannot be separated. */
export interface CsvFault {
  line: number
}

/** The cells of a CSV file as they stand there, whatever separates them. */
export const fromCsv = async (text: string): Promise<string[][] | CsvFault> => {
  const { data, errors } = (await load()).parse<string[]>(text, { skipEmptyLines: 'greedy' })
  const fault = errors.find(({ type }) => type === 'Quotes')
  return fault ? { line: text.slice(0, fault.index).split(/\r\n|\r|\n/).length } : data
}
