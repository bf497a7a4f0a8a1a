const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

/** The characters that a reader sees; controls, such as U+202E, are none. */
const charactersOf = (text: string): string[] =>
  [...graphemes.segment(text)].map(({ segment }) => segment).filter((one) => !/^\p{C}+$/u.test(one))

/** Of the first two words, or the first two characters of the only word; an emoji counts as one. */
export const initialsOf = (name: string): string => {
  const words = name
    .trim()
    .split(/\s+/)
    .map(charactersOf)
    .filter(({ length }) => length > 0)
  const [first = [], second] = words
  return (second ? [first[0], second[0]] : first.slice(0, 2)).join('').toUpperCase()
}
