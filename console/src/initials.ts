const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** Letters, digits and emoji. Drops signs, such as brackets, and controls, such as U+202E. */
const charactersOf = (text: string): string[] =>
  [...graphemes.segment(text)]
    .map(({ segment }) => segment)
    .filter((one) => /[\p{L}\p{N}\p{Extended_Pictographic}\p{Regional_Indicator}]/u.test(one))

/**
 * The initials of the first two words, which a dot can separate, or the first two characters of a single word. An emoji
 * counts as one character.
 */
export const initialsOf = (name: string): string => {
  const words = name
    .trim()
    .split(/[\s.]+/)
    .map(charactersOf)
    .filter(({ length }) => length > 0)
  const [first = [], second] = words
  return (second ? [first[0], second[0]] : first.slice(0, 2)).join('').toUpperCase()
}
