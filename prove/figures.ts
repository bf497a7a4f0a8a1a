/** Returns the value below which this share of the values lies; 0 when there are no values. */
export const quantile = (values: number[], share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.ceil(sorted.length * share) - 1)] ?? 0
}

const shown = (ms: number): string => (ms < 10 ? `${ms.toFixed(1)} ms` : `${Math.round(ms)} ms`)

/** Formats the median, p99 and maximum of delays in milliseconds. */
export const spread = (delays: number[]): string =>
  `median ${shown(quantile(delays, 0.5))}, p99 ${shown(quantile(delays, 0.99))}, max ${shown(Math.max(...delays))}`
