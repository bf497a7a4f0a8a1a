// Written by `npm run docs`; a test fails when it is stale.

/**
 * The beginning of a cell that a spreadsheet may run as a formula. Write such a cell into a CSV file with an apostrophe in
 * front, and take one away when you read it.
 */
export const spreadsheetFormula = /^'*[=+\-@\t\r\n＝＋－＠]/
