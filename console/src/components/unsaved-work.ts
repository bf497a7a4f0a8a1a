/** Asks the user about unsaved work. Resolves to true if it may be lost. */
export type AskToLeave = () => Promise<boolean>

const asks = new Set<AskToLeave>()

/** Registers unsaved work. The returned function unregisters it. */
export const registerUnsavedWork = (ask: AskToLeave): (() => void) => {
  asks.add(ask)
  return () => void asks.delete(ask)
}

export const hasUnsavedWork = (): boolean => asks.size > 0

/**
 * Asks about all unsaved work, one question after the other. Use it for actions that leave the page without a
 * navigation.
 */
export const mayLeave = async (): Promise<boolean> => {
  for (const ask of asks) {
    if (!(await ask())) return false
  }
  return true
}
