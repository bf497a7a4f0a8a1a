/** A request of this tab with another method than GET. */
interface OwnWrite {
  url: string
  body: unknown
  at: number
  /** The JSON of the answer; undefined after a failure. It never rejects. */
  answer: Promise<unknown>
}

/** The most requests that are kept. Bulk work starts fewer within `sealedMs`. */
const keptMax = 1000

const ownWrites: OwnWrite[] = []

export const noteWrite = (url: string, init: RequestInit | undefined, answer: Promise<Response>): void => {
  if (init?.method === 'GET') return
  const read = answer.then((response): Promise<unknown> => response.clone().json())
  ownWrites.push({ url, body: init?.body, at: Date.now(), answer: read.catch(() => undefined) })
  if (ownWrites.length > keptMax) ownWrites.shift()
}

/** The stream reports a change when its audit record is sealed, normally after one second. */
const sealedMs = 15_000

const idsIn = (fields: unknown): unknown[] =>
  Object.entries(fields ?? {})
    .filter(([name]) => name === 'id' || name.endsWith('_id'))
    .map(([, value]: [string, unknown]) => value)

/**
 * Whether a request changed the resource. The request names it in its path, in a field of its body, or in the answer.
 */
const isAbout = async ({ url, body, answer }: OwnWrite, id: string): Promise<boolean> => {
  const sent: unknown = typeof body === 'string' ? JSON.parse(body) : {}
  const answered = (await answer) as { data?: unknown } | undefined
  const inPath = new URL(url, location.origin).pathname.split('/').map(decodeURIComponent)
  return [...inPath, ...idsIn(sent), ...idsIn(answered?.data)].some((named) => String(named) === id)
}

/** Whether a request of this tab made a change of the resource. Each request accounts for one change. */
export const takeOwnChange = async (id: string): Promise<boolean> => {
  for (const write of ownWrites.filter(({ at }) => Date.now() - at < sealedMs)) {
    if (!(await isAbout(write, id))) continue
    const index = ownWrites.indexOf(write)
    if (index === -1) continue
    ownWrites.splice(index, 1)
    return true
  }
  return false
}
