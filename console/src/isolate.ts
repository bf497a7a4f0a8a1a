/** Characters that can change the direction of the text around them: letters of right-to-left scripts, and controls. */
const turning =
  /[\u0590-\u08FF\u200E\u200F\u202A-\u202E\u2066-\u2069\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EFFF}]/u

/**
 * Isolates and overrides inside the name. An isolate could end the one around the name, and an override would turn the
 * letters of the name itself ("desreveR"). No name needs either.
 */
const controls = /[\u202A-\u202E\u2066-\u2069]/g

/**
 * Keeps a name from changing the direction of the words around it, as U+202E does ("Delete abc<U+202E>exe.png?"). Puts
 * the name between FIRST STRONG ISOLATE and POP DIRECTIONAL ISOLATE (UAX 9). Names without such characters stay
 * unchanged.
 */
export const isolated = (name: string): string =>
  turning.test(name) ? `\u2068${name.replaceAll(controls, '')}\u2069` : name
