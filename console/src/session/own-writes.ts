/** A request of this tab that may have changed something. */
export interface OwnWrite {
  url: string
  body: unknown
  at: number
  /** The answer. It never rejects. */
  answer: Promise<unknown>
}

/** More than the changes of many users begin within the time in which they are sealed. */
const keptMax = 1000

export const ownWrites: OwnWrite[] = []

export const noteWrite = (url: string, init: RequestInit | undefined, answer: Promise<Response>): void => {
  if (init?.method === 'GET') return
  const read = answer.then((response): Promise<unknown> => response.clone().json())
  ownWrites.push({ url, body: init?.body, at: Date.now(), answer: read.catch(() => undefined) })
  if (ownWrites.length > keptMax) ownWrites.shift()
}
