export const daySeconds = 86_400

/** A session ends this many days after its last refresh, at most 90. */
export const daysOf = (seconds: number): number => Math.round((seconds / daySeconds) * 1000) / 1000
