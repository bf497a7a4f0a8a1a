/**
 * Folds a name for comparison without case. The service computes and stores it, so that it is equal on every engine,
 * locale and replica. NFKC and the removal of invisible characters make look-alike names equal.
 */
export const fold = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Default_Ignorable_Code_Point}/gu, '')
    .toLowerCase()
    // Lower case has two forms of the Greek sigma, depending on the place in the word.
    .replaceAll('ς', 'σ')

/** Characters that end a line, or change the direction of the text after them. */
export const controls = /[\p{Cc}\p{Zl}\p{Zp}\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/u

/**
 * Line ends and invisible characters, including direction marks. Allows joiners and variation selectors behind a
 * character, because Persian names and emoji need them.
 */
const beyondNames =
  /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}]|(?:(?![\p{Variation_Selector}\p{Join_Control}])|(?<!\S))\p{Default_Ignorable_Code_Point}/u

const allBeyondNames = new RegExp(beyondNames, 'gu')

/** True if a text can be a name: one line of visible characters. */
export const isName = (text: string): boolean => !beyondNames.test(text)

/** Makes a name of at most `lengthMax` characters from any text. */
export const nameFrom = (text: string, lengthMax: number): string =>
  [...text.replaceAll(/\s+/g, ' ').replaceAll(allBeyondNames, '').replaceAll(/ +/g, ' ').trim()]
    .slice(0, lengthMax)
    .join('')
    .trim()

/** A LIKE pattern that finds `keyword` literally, anywhere in folded text. */
export const containing = (keyword: string): string => `%${fold(keyword).replace(/[\\%_]/g, '\\$&')}%`

/**
 * Matches the beginning of a cell that a spreadsheet can run as a formula, including the wide letters of East Asia.
 * Such a cell gets an apostrophe in front. The pattern also matches after apostrophes, so that an import can remove one
 * again.
 */
export const spreadsheetFormula = /^'*[=+\-@\t\r\n＝＋－＠]/

/** Replaces a line break in a field or keyword by U+2028, because line breaks separate the fields. */
export const onOneLine = (text: string) => text.replaceAll('\n', '\u2028')

/** The domain of an e-mail address: the part after its last `@`, in lower case. */
export const domainOf = (email: string): string => email.slice(email.lastIndexOf('@') + 1).toLowerCase()

/** The searched text of a user. Each field has a line of its own, so that no match covers two fields. */
export const searchedText = ({
  username,
  email,
  nickname,
}: {
  username: string
  email: string
  nickname: string
}) => fold([username, email, nickname].map(onOneLine).join('\n'))
