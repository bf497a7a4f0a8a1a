/** Longest wait for an answer of Redis: answers take 1 ms, and a probe of /readyz should not take 300. */
const answerMs = 250

/**
 * Rejects when `answer` takes longer than `answerMs`. The turn of the event loop that follows still counts:
 * after a long turn of our own the timer is due before the answer, lying in the socket, could be read.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`no answer within ${answerMs} ms`))
    const timer = setTimeout(() => setImmediate(giveUp), answerMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
