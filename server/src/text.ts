/**
 * The form in which names are compared without case: the same on every engine, locale and replica, because it is
 * made here and stored. NFKC first, so that look-alike Unicode forms of one name are one name.
 */
export const fold = (text: string): string =>
  // Lower case alone writes one Greek letter in two ways, by its place in the word.
  text.normalize('NFKC').toLowerCase().replaceAll('ς', 'σ')

/** A LIKE pattern that finds `keyword` as it is anywhere in folded text. */
export const containing = (keyword: string): string => `%${fold(keyword).replace(/[\\%_]/g, '\\$&')}%`
