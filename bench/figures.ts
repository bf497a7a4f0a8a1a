/** Returns the value below which this share of the values lies; 0 when there are no values. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

const medianOf = (values: number[]): number => {
  const sorted = values.toSorted((a, b) => a - b)
  const [low = 0, high = low] = sorted.slice(
    Math.ceil(sorted.length / 2) - 1,
    Math.floor(sorted.length / 2) + 1,
  )
  return (low + high) / 2
}

export interface Spread {
  median: number
  min: number
  max: number
}

/** Returns the median and the range of values, one for each round. */
export const spreadOf = (values: number[]): Spread => ({
  median: medianOf(values),
  min: Math.min(...values),
  max: Math.max(...values),
})

/** Formats a value with three significant digits. */
export const shown = (value: number): string => {
  if (value >= 10_000) return `${(value / 1000).toFixed(value >= 100_000 ? 0 : 1)}k`
  if (value >= 100) return Math.round(value).toLocaleString('en')
  return value.toFixed(value >= 10 ? 1 : 2)
}

/** Formats a median with the range of the rounds. */
export const ranged = ({ median, min, max }: Spread): string =>
  `${shown(median)} [${shown(min)}–${shown(max)}]`
