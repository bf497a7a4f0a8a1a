/**
 * Folds a name for comparison without case. The service computes and stores it, so it is equal on every engine, locale
 * and replica. NFKC comes first: look-alike Unicode forms of a name become equal.
 */
export const fold = (text: string): string =>
  // Lower case writes the Greek sigma in two ways, depending on its place in the word.
  text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** A LIKE pattern that finds `keyword` literally, anywhere in folded text. */
export const containing = (keyword: string): string => `%${fold(keyword).replace(/[\\%_]/g, '\\$&')}%`

/**
 * The beginning of a cell that a spreadsheet may run as a formula, also in the wide letters of East Asia. Such a cell
 * gets an apostrophe in front. Apostrophes before it count as well, so that one of them can be taken away again.
 */
export const spreadsheetFormula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Replaces a line break in a field or keyword by U+2028, because line breaks separate the fields. */
export const onOneLine = (text: string) => text.replaceAll('\n', '\u2028')

/** The domain of an e-mail address: the part behind its last `@`, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The searched text of a user: one line per field, so that no match spans two fields. */
export const searchedText = ({
  username,
  email,
  nickname,
}: {
  username: string
  email: string
  nickname: string
}) => fold([username, email, nickname].map(onOneLine).join('\n'))
