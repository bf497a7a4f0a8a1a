type Cell = string | number

/** Papa Parse, fetched when a file is first read or written. */
const load = async () => (await import('papaparse')).default

/** What a spreadsheet may take for a formula, also in the wide letters of East Asia. */
const formula = /^[=+\-@\t\r\n＝＋－＠]/

/** Tells Excel that the file is UTF-8. */
export const byteOrderMark = '\uFEFF'

/** Lines of a CSV file. A text that a spreadsheet would run as a formula gets an apostrophe in front. */
export const toCsv = async (rows: Cell[][]): Promise<string> =>
  `${(await load()).unparse(rows, { escapeFormulae: formula, newline: '\r\n' })}\r\n`

const withoutApostrophe = (cell: string): string =>
  cell.startsWith("'") && formula.test(cell.slice(1)) ? cell.slice(1) : cell

/** The cells of a CSV file, whatever separates them; apostrophes that `toCsv` has put there are gone. */
export const fromCsv = async (text: string): Promise<string[][]> => {
  const { data } = (await load()).parse<string[]>(text, { skipEmptyLines: 'greedy' })
  return data.map((row) => row.map(withoutApostrophe))
}
