/** Asks the user about unsaved work. Resolves to true if it may be lost. */
export type Ask = () => Promise<boolean>

const held = new Set<Ask>()

/** Registers unsaved work. The returned function unregisters it. */
export const hold = (ask: Ask): (() => void) => {
  held.add(ask)
  return () => void held.delete(ask)
}

export const isAnythingHeld = (): boolean => held.size > 0

/** Asks about all unsaved work, one question after the other. For actions that leave the page without a navigation. */
export const mayLeave = async (): Promise<boolean> => {
  for (const ask of held) {
    if (!(await ask())) return false
  }
  return true
}
