/** The places of the hooks that one replica delivers for at once (decision 0124). */

/** An attempt that takes longer makes its hook slow. A hook is slow until an attempt takes less. */
export const slowMs = 1000

export interface PlaceCounts {
  quick: number
  slow: number
}

/** Each hook takes up to 100 kB for its records. */
export const placesMax: PlaceCounts = { quick: 200, slow: 100 }

/** A hook that is being delivered for. */
export interface HookPlace {
  isSlow: boolean
  /** When the attempt under way began, by `performance.now()`; undefined between attempts. */
  waitsSince: number | undefined
}

/** Counts a hook as slow as soon as its receiver is: from then on it holds no place of the quick ones. */
const isSlowAt = ({ isSlow, waitsSince }: HookPlace, now: number): boolean =>
  isSlow || (waitsSince !== undefined && now - waitsSince > slowMs)

export const freePlaces = (taken: Iterable<HookPlace>, max: PlaceCounts): PlaceCounts => {
  const now = performance.now()
  const free = { ...max }
  for (const place of taken) free[isSlowAt(place, now) ? 'slow' : 'quick'] -= 1
  return { quick: Math.max(0, free.quick), slow: Math.max(0, free.slow) }
}
