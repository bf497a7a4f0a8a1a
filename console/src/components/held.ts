/** Asks about what would be lost, and answers whether it may be. */
export type Ask = () => Promise<boolean>

const held = new Set<Ask>()

/** Until the function it gives is called, something would be lost if the page went. */
export const hold = (ask: Ask): (() => void) => {
  held.add(ask)
  return () => void held.delete(ask)
}

export const isAnythingHeld = (): boolean => held.size > 0

/** Asks about all that is held, one after the other: for what leaves the page without being a navigation. */
export const mayLeave = async (): Promise<boolean> => {
  for (const ask of held) {
    if (!(await ask())) return false
  }
  return true
}
