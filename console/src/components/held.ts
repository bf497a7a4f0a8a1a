/** Asks the user about unsaved work, and resolves to whether it may be lost. */
export type Ask = () => Promise<boolean>

const held = new Set<Ask>()

/** Registers unsaved work until the returned function is called. */
export const hold = (ask: Ask): (() => void) => {
  held.add(ask)
  return () => void held.delete(ask)
}

export const isAnythingHeld = (): boolean => held.size > 0

/** Asks about all unsaved work, one question after the other. For ways out of the page that are no navigation. */
export const mayLeave = async (): Promise<boolean> => {
  for (const ask of held) {
    if (!(await ask())) return false
  }
  return true
}
