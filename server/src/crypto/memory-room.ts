/**
 * Limits the memory of concurrent work to `total` bytes. Work starts in the order of its requests. A request for more
 * than `total` bytes would wait forever.
 */
export const createRoom = (total: number) => {
  let free = total
  const waiting: { bytes: number; go: () => void }[] = []
  const serve = () => {
    for (let [next] = waiting; next && next.bytes <= free; [next] = waiting) {
      waiting.shift()
      free -= next.bytes
      next.go()
    }
  }
  return async <T>(bytes: number, work: () => Promise<T>): Promise<T> => {
    await new Promise<void>((resolve) => {
      waiting.push({ bytes, go: resolve })
      serve()
    })
    try {
      return await work()
    } finally {
      free += bytes
      serve()
    }
  }
}
