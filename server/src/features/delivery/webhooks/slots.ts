/** The slots of one replica: the hooks for which it delivers at once (decision 0124). */

/** The duration above which an attempt makes its hook slow. A faster attempt makes it quick again. */
export const slowMs = 1000

export interface SlotCounts {
  quick: number
  slow: number
}

/** Each hook takes up to 100 kB for its records. */
export const slotsMax: SlotCounts = { quick: 200, slow: 100 }

export interface WebhookSlot {
  isSlow: boolean
  /** The start of the attempt in progress, by `performance.now()`; undefined between attempts. */
  waitsSince: number | undefined
}

/** Counts a hook as slow during a slow attempt already, so that it then frees its quick slot. */
const isSlowAt = ({ isSlow, waitsSince }: WebhookSlot, now: number): boolean =>
  isSlow || (waitsSince !== undefined && now - waitsSince > slowMs)

export const freeSlots = (taken: Iterable<WebhookSlot>, max: SlotCounts): SlotCounts => {
  const now = performance.now()
  const free = { ...max }
  for (const slot of taken) free[isSlowAt(slot, now) ? 'slow' : 'quick'] -= 1
  return { quick: Math.max(0, free.quick), slow: Math.max(0, free.slow) }
}
