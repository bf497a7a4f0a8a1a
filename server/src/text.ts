/**
 * The form in which names are compared without case: the same on every engine, locale and replica, because it is
 * made here and stored. NFKC first, so that look-alike Unicode forms of one name are one name.
 */
export const fold = (text: string): string => text.normalize('NFKC').toLowerCase()

/** A LIKE pattern that finds `keyword` as it is anywhere in folded text. */
export const containing = (keyword: string): string => `%${fold(keyword).replace(/[\\%_]/g, '\\$&')}%`
