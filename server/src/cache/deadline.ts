/** The longest wait for Redis. An answer takes 1 ms, and a probe of /readyz must end within 300 ms. */
const answerMs = 250

/**
 * Rejects if `answer` takes longer than `answerMs`. It checks after one more turn of the event loop. After a long turn
 * of this process, the timer can fire before the process reads an answer that arrived in time.
 */
export function inTime<T>(answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = (): void => reject(new Error(`no answer within ${answerMs} ms`))
    const timer = setTimeout(() => setImmediate(giveUp), answerMs)
    void answer.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
