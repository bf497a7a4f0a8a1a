import { InvalidArgumentError } from 'commander'

export const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) throw new InvalidArgumentError('a whole number from 1 on.')
  return value
}

/** Parted by commas. */
export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber)

/** Some of the choices, parted by commas. */
export const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T[] =>
    text.split(',').map((name) => {
      const found = choices.find((choice) => choice === name)
      if (!found) throw new InvalidArgumentError(`choose from ${choices.join(', ')}.`)
      return found
    })
