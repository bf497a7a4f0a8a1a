/** Longest wait for Redis: an answer takes 1 ms, and a probe of /readyz should end within 300. */
const answerMs = 250

/**
 * Rejects when `answer` takes longer than `answerMs`, checked after one more turn of the event loop. A long turn of
 * our own can make the timer due before an answer that has already arrived is read.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`no answer within ${answerMs} ms`))
    const timer = setTimeout(() => setImmediate(giveUp), answerMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
