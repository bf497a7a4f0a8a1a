/** The slots of one replica: the hooks that it delivers for at the same time (decision 0124). */

/** A longer attempt makes its hook slow. A shorter attempt makes the hook quick again. */
export const slowMs = 1000

export interface SlotCounts {
  quick: number
  slow: number
}

/** The records of a hook take up to 100 kB. */
export const slotsMax: SlotCounts = { quick: 200, slow: 100 }

export interface WebhookSlot {
  isSlow: boolean
  /** The start of the running attempt, by `performance.now()`; undefined between attempts. */
  waitsSince: number | undefined
}

/** Counts a hook as slow already during a slow attempt, so that the hook then frees its quick slot. */
const isSlowAt = ({ isSlow, waitsSince }: WebhookSlot, now: number): boolean =>
  isSlow || (waitsSince !== undefined && now - waitsSince > slowMs)

export const freeSlots = (taken: Iterable<WebhookSlot>, max: SlotCounts): SlotCounts => {
  const now = performance.now()
  const free = { ...max }
  for (const slot of taken) free[isSlowAt(slot, now) ? 'slow' : 'quick'] -= 1
  return { quick: Math.max(0, free.quick), slow: Math.max(0, free.slow) }
}
