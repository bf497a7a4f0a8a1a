interface RunEach<T> {
  atOnce: number
  /** An abort starts no further item, and waits for those under way. */
  signal: AbortSignal
  onSettled: (item: T, error: unknown) => void
}

/** Runs `run` for many items, one request each. A failure does not stop the rest. */
export const runEach = async <T>(
  items: T[],
  work: (item: T) => Promise<unknown>,
  { atOnce, signal, onSettled }: RunEach<T>,
): Promise<void> => {
  const queue = items.values()
  const runNext = async (): Promise<void> => {
    const next = signal.aborted ? undefined : queue.next()
    if (!next || next.done) return
    const { value: item } = next
    await work(item).then(
      () => onSettled(item, undefined),
      (error: unknown) => onSettled(item, error),
    )
    await runNext()
  }
  await Promise.all(Array.from({ length: atOnce }, runNext))
}
