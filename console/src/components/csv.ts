type Cell = string | number

/** Papa Parse, fetched when a file is first read or written. */
const load = async () => (await import('papaparse')).default

/**
 * What a spreadsheet may take for a formula, also in the wide letters of East Asia; with apostrophes before it, so that one
 * more can be taken away again.
 */
const formula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Lines of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export const toCsv = async (rows: Cell[][]): Promise<string> =>
  `${(await load()).unparse(rows, { escapeFormulae: formula, newline: '\r\n' })}\r\n`

/** A cell as it was before `toCsv`. */
export const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell

/** In which line a quotation mark opens that is not closed as it should be: what follows cannot be told apart. */
export interface CsvFault {
  line: number
}

/** The cells of a CSV file as they stand there, whatever separates them. */
export const fromCsv = async (text: string): Promise<string[][] | CsvFault> => {
  const { data, errors } = (await load()).parse<string[]>(text, { skipEmptyLines: 'greedy' })
  const fault = errors.find(({ type }) => type === 'Quotes')
  return fault ? { line: text.slice(0, fault.index).split(/\r\n|\r|\n/).length } : data
}
