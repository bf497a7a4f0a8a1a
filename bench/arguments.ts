import { InvalidArgumentError } from 'commander'

export const wholeNumber = (text: string): number => {
  const value = Number(text)
  if (!Number.isInteger(value) || value < 1) {
    throw new InvalidArgumentError('expected a whole number from 1 on.')
  }
  return value
}

/** Splits by commas. */
export const wholeNumbers = (text: string): number[] => text.split(',').map(wholeNumber)

/** Splits by commas; each part has to be one of the choices. */
export const oneOf =
  <T extends string>(choices: readonly T[]) =>
  (text: string): T[] =>
    text.split(',').map((name) => {
      const found = choices.find((choice) => choice === name)
      if (!found) throw new InvalidArgumentError(`choose from ${choices.join(', ')}.`)
      return found
    })
